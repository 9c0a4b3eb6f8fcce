"""What all tests start with."""

import os
import signal
import threading

import pytest

# A process in the background of a shell ignores Ctrl-C; tests that send it must be heard there too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def interrupt():
    """A function for `progress` that presses Ctrl-C once, soon after the work has begun."""
    pressed = []

    def progress(_):
        if not pressed:
            pressed.append(threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)))
            pressed[0].start()

    return progress
