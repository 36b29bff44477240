"""ease: measuring what C programs do on proposed machines."""
