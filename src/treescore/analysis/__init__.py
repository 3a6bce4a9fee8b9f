"""What a score is made of: explanations, breakdowns, error classes, agreement of annotators."""
