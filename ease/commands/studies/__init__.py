"""Commands that compare machines: experiments, sweeps, proposals."""
