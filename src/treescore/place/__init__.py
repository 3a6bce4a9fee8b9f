"""Where the leaves of two treebanks stand, so that they can be compared: words, characters, seconds, aligned words."""
