"""Inter-annotator agreement, also corrected for chance."""
