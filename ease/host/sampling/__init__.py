"""Host code in several versions, between which control passes while it runs: a fast one and a measured one."""
