# Which tombstones still have their content in the database's files (see workspaces.erasure).

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0003_import_progress"),
    ]

    operations = [
        migrations.AddField(
            model_name="workspace",
            name="scrubbed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name="workspace",
            index=models.Index(
                condition=models.Q(("erased_at__isnull", False), ("scrubbed_at__isnull", True)),
                fields=["erased_at"],
                name="workspace_to_scrub",
            ),
        ),
    ]
