"""Reports to text. Nothing here computes a score."""
