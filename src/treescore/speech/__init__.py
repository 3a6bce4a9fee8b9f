"""Speech: recordings and when words are said in them, trees over time, and what can be done to them."""
