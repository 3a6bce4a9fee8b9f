"""Completions of language models: finds the tree in each, and reports what had to be repaired or refused."""
