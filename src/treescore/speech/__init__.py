"""Speech: times of words, and what can be done to them."""
