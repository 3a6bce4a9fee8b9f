"""The columns of a bracket-score row, in the order in which the native engine stores them."""

from __future__ import annotations

(
    STATUS,
    LENGTH,
    MATCHED,
    GOLD,
    TEST,
    UNLABELLED,
    CROSSING,
    WORDS,
    TAGS,
    DETAIL_A,
    DETAIL_B,
    PRECISION,
    RECALL,
    F1,
    PRECISION_DEFINED,
    RECALL_DEFINED,
    F1_DEFINED,
    OUTCOME,
    VALID,
    ERROR,
    SKIPPED,
    EXACT,
    NO_CROSSING,
    FEW_CROSSING,
) = range(24)

COLUMNS = 24

#: Values of STATUS: why a sentence was not scored.
SCORED, LENGTHS_DIFFER, WORDS_DIFFER, EMPTY_TEST, LEFT_OUT, GOLD_FAULT, TEST_FAULT = range(7)
