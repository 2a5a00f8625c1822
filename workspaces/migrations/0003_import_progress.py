from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0002_workspace_in_depth"),
    ]

    operations = [
        migrations.AddField(
            model_name="import",
            name="progressed_at",
            field=models.DateTimeField(null=True),
        ),
    ]
