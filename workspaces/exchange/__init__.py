"""What comes in and goes out whole: JSON Resume, a workspace's file, calendars, tables, Markdown."""
