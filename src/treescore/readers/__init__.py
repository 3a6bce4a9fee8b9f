"""Files to data: one module per format; `sources` finds out what it was given."""
