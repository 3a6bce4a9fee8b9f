"""Adapters for other libraries, which are imported only when they are used."""
