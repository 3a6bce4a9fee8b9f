"""Classes of parser errors, from the steps that repair a tree (Kummerfeld et al. 2012)."""
