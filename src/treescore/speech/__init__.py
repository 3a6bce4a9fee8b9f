"""From recordings to word times: audio, what was said in it, and when.

Needs `pip install 'treescore[speech]'`; nothing of that is imported before it is used.
"""
