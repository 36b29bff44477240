"""What can be said about a description: examples, edits, instructions that nothing reaches."""
