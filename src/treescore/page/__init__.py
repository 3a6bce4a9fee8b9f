"""The report page: one file that shows scores, sentences and aligned trees in a browser, without a network."""
