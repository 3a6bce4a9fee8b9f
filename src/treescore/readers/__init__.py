"""Files to data: one module per format."""
