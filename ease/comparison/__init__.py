"""What differs between runs, why, and what an edit of a description would change."""
