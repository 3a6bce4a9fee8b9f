"""The one path from two treebanks to a report: choose metrics, score batches, add them up."""
