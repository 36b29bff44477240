"""Instructions that would pay: combinations of dependent instructions, found in counted programs and tried by recompiling."""
