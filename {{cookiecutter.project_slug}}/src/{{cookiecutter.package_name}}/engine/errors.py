"""The one exception that is the user's to mend."""


class InputError(ValueError):
    """Something that was typed or supplied cannot be used.

    The command line prints the message as one line and exits with status 2, so it names the value
    and says what would work.
    """
