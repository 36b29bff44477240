"""Tools that come with the project; `easecc -tool help` lists them."""
