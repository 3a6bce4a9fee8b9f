"""The options of the studies: each module has `add_options`, `run`, and `EPILOG` with examples."""
