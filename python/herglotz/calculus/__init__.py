"""What systems say of paths, sections, forms and symmetries, and systems that are made of a system."""
