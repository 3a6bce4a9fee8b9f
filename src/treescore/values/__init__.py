"""The values that everything may import: problems, counts, scores."""
