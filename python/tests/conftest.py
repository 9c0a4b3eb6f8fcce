"""What all tests start with."""

import os
import signal
import sys
import threading

import pytest

# A process in the background of a shell ignores Ctrl-C; tests that send it must be heard there too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_figure_left():
    """Closes the figures of a test: plots draw into the axes that are current."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def interrupt():
    """A function for `progress` that presses Ctrl-C once, soon after the work has begun."""
    pressed = []

    def progress(_):
        if not pressed:
            pressed.append(threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)))
            pressed[0].start()

    return progress
