"""The options of each study: `add_options`, `run`, and `EPILOG` with examples."""
