"""Calculus of paths, sections, forms and symmetries of a system, and systems that are made of a system."""
