"""Signals that ask the process to end."""

import os
import signal
import sys
import threading

SIGNALS = {signal.SIGINT, signal.SIGTERM}


class Stop:
    """Takes SIGINT and SIGTERM in a thread of its own, from before MindSpore is there.

    MindSpore turns Ctrl-C into SIGTERM once a graph has run, and a signal while it is imported ends
    in a fatal error; a signal that every thread blocks reaches neither. Where nothing is at stake
    the process ends at once. Between ``begin`` and ``end``, while a run has something to save, the
    first signal is only noted; the second ends the process.
    """

    def __init__(self) -> None:
        self.number = 0
        self.at_stake = False
        self.lock = threading.Lock()
        """held from a look at the two to what follows from it"""

    def watch(self) -> None:
        """Begin to take the signals: later threads inherit that, forked processes do not."""
        if hasattr(signal, "pthread_sigmask"):  # not on Windows, where a signal stays an exception
            signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
            os.register_at_fork(
                after_in_child=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            )
            threading.Thread(target=self.wait, daemon=True).start()

    def wait(self) -> None:
        """Take signals until one ends the process."""
        while True:
            number = signal.sigwait(SIGNALS)
            with self.lock:
                if self.number or not self.at_stake:
                    end(number)
                self.number = number

    def begin(self) -> None:
        """From now on the first signal is only noted."""
        self.at_stake = True

    def end(self) -> None:
        """From now on a signal ends the process; one that was noted does now."""
        with self.lock:
            self.at_stake = False
            if self.number:
                sys.stdout.flush()
                end(self.number)


def end(number: int) -> None:
    """End the process as a signal does, without a traceback."""
    print("stopped", file=sys.stderr, flush=True)
    os._exit(128 + number)


stop = Stop()
"""of the process, which has one set of signals"""
