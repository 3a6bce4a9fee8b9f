"""Which nodes, words and sentences of two sides correspond."""

#: How trees find their words with times.
ATTACH = ("auto", "id", "position", "text")
#: How sentences find their partners.
PAIRINGS = ("auto", "id", "time", "position")
#: What is scored at a time.
UNITS = ("sentence", "document")
