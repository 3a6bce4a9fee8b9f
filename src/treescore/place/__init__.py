"""Both sides of an evaluation, with leaf positions on an axis: words, characters, seconds, aligned words."""
