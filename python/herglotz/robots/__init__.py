"""Robots described in the formats of other programs."""
