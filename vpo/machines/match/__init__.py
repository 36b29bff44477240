"""Which RTLs are instructions, and what is known of them: patterns, the recogniser, records, implied forms."""
