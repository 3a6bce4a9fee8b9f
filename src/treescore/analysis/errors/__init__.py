"""Classes of errors: what a parser got wrong, told by how its trees can be repaired (Kummerfeld et al. 2012)."""
