"""Work that is shared among processes and machines."""
