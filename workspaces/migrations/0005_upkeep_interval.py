from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0004_scrubbed_tombstones"),
    ]

    operations = [
        migrations.AddField(
            model_name="upkeeprun",
            name="every_s",
            field=models.IntegerField(db_default=0, default=0),
        ),
    ]
