"""Annotators of the same sentences: how far they agree, and how far beyond chance."""
