"""Pages to look at: one HTML file each, which needs neither a server nor the network."""
