"""The full-text tables. JobCache cuts and folds words itself, so the tokenizer only splits at spaces: with `ascii`
every sign beyond ASCII belongs to a word, and the listed signs do too."""

from django.db import migrations

_CREATE = """
CREATE VIRTUAL TABLE jobcache_words USING fts5(
    title, company, place, attributes, body,
    tokenize = "ascii tokenchars '+#.-/&~_'"
)
"""


class Migration(migrations.Migration):
    dependencies = [("jobcache", "0001_initial")]

    operations = [
        migrations.RunSQL(_CREATE, "DROP TABLE jobcache_words"),
        migrations.RunSQL(
            "CREATE VIRTUAL TABLE jobcache_word_counts USING fts5vocab(jobcache_words, row)",
            "DROP TABLE jobcache_word_counts",
        ),
    ]
