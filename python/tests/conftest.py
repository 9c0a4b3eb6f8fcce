"""What all tests start with."""

import signal

# A process in the background of a shell ignores Ctrl-C; tests that send it must be heard there too.
signal.signal(signal.SIGINT, signal.default_int_handler)
