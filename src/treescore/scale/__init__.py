"""Scoring where there is more than fits: columns of pairs on disk, batch by batch."""
