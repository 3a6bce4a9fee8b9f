"""The options of the studies, named like the parameters of the functions, which have the defaults."""
