"""What is woven into host code beside counters: sums, predictors, tools, traces."""
