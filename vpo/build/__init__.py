"""The compiler as a whole: settings, C files, recipes, what is kept of earlier compilations."""
