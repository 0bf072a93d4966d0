"""What holds for all tests."""

import signal

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the programs they start and stop.
signal.signal(signal.SIGINT, signal.default_int_handler)
