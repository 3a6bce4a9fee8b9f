"""The byte-exact programs: EVALB, EVALB_SPMRL, SParseval, headtrees and strealign, with their own flags and errors."""
