"""The page under its words: shapes, lines, chunks of matched text, evidence."""
