"""Words of speech: transcripts with alternatives and times, their alignment, and what belongs together."""
