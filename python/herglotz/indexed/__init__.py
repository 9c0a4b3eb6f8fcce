"""Models with an index: systems, and runs as arrays with dimensions of sites."""
