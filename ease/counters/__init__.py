"""Where counters stand in a program, and which counts follow from them."""
