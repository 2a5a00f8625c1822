"""What is promised when things break, tried for real: `make faults` prints the table, the tests hold a short form."""
