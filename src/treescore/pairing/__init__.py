"""Which nodes, words and sentences of two sides correspond."""
