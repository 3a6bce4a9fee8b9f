"""Where the leaves of two treebanks stand, so that they can be compared: on common words or characters."""
