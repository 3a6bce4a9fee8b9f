"""Which nodes, words and sentences of two sides correspond."""

#: Ways to pair trees with words with times.
ATTACH = ("auto", "id", "position", "text", "place")
#: Ways to pair sentences.
PAIRINGS = ("auto", "id", "time", "position")
#: Units of scoring.
UNITS = ("sentence", "document")
