"""What keeps the rows in order and shows that they are: checks, compaction, the trash, the records of regular tasks."""
