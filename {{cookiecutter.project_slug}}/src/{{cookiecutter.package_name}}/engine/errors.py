"""The exceptions whose message is all that a person needs to see."""


class InputError(ValueError):
    """Something that was typed or supplied cannot be used.

    The command line prints the message as one line and exits with status 2, so it names the value
    and says what would work.
    """


class RunError(RuntimeError):
    """A run cannot go on, though nothing that was typed is wrong by itself.

    The command line prints the message as one line and exits with status 1.
    """
