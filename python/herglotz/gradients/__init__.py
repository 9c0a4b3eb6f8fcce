"""Derivatives of runs, what they say about equilibria, and parameters from data."""
