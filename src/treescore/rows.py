"""The columns of a bracket-score row, in the order in which the native engine stores them."""

from __future__ import annotations

(
    REASON,
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
    STATUS,
    VALID,
    ERROR,
    SKIPPED,
    EXACT,
    NO_CROSSING,
    FEW_CROSSING,
) = range(24)

COLUMNS = 24

#: Values of REASON: why a sentence was not scored. STATUS is EVALB's: 0 scored, 1 error, 2 skipped.
SCORED, LENGTHS_DIFFER, WORDS_DIFFER, EMPTY_TEST, LEFT_OUT, GOLD_FAULT, TEST_FAULT = range(7)
