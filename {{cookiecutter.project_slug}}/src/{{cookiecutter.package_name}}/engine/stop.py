"""Signals that ask the process to end."""

import os
import signal
import sys
import threading
import time

SIGNALS = {signal.SIGINT, signal.SIGTERM}
TWICE = 0.5
"""seconds after which a signal is a second one: a cluster sends one to a launcher and its ranks"""
LOST = 3
"""status of a rank that has lost the others, and of which another is the cause"""


class Stop:
    """Takes SIGINT and SIGTERM in a thread of its own, from before MindSpore is there.

    MindSpore turns Ctrl-C into SIGTERM once a graph has run, and a signal while it is imported ends
    in a fatal error; a signal that every thread blocks reaches neither. Where nothing is at stake
    the process ends at once. Between ``begin`` and ``end``, while a run has something to save, the
    first signal is only noted; the second ends the process.

    MindSpore sends SIGTERM to its own process, too, where another rank or the scheduler is gone:
    then there is nothing to save with, and the status is LOST.
    """

    def __init__(self) -> None:
        self.number, self.noted = 0, 0.0
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
            number, own = take()
            if own and "MS_ROLE" in os.environ:
                print("error: the other ranks do not answer any more", file=sys.stderr, flush=True)
                os._exit(LOST)
            now = time.monotonic()
            with self.lock:
                if not self.at_stake or (self.number and now > self.noted + TWICE):
                    end(number)
                self.number, self.noted = number, now

    def begin(self) -> None:
        """From now on the first signal is only noted."""
        self.at_stake = True

    def end(self) -> None:
        """From now on a signal ends the process; one that was noted does now."""
        with self.lock:
            self.at_stake = False
            if self.number:
                sys.stdout.flush()
                if "MS_ROLE" in os.environ:  # what it sent last to another rank has still to leave
                    print("stopped", file=sys.stderr, flush=True)
                    raise SystemExit(128 + self.number)
                end(self.number)


def take() -> tuple[int, bool]:
    """Wait for a signal; say which it is, and whether this process sent it to itself."""
    if not hasattr(signal, "sigwaitinfo"):  # on macOS
        return signal.sigwait(SIGNALS), False
    info = signal.sigwaitinfo(SIGNALS)
    return info.si_signo, info.si_pid == os.getpid()


def end(number: int) -> None:
    """End the process as a signal does, without a traceback."""
    print("stopped", file=sys.stderr, flush=True)
    os._exit(128 + number)


stop = Stop()
"""of the process, which has one set of signals"""
