"""Types that every package may import: problems, counts, scores."""
