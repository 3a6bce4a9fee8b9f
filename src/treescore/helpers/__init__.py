"""Small helpers that know nothing about trees: text, files, memory, optional libraries."""
