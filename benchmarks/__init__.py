"""The rendered project against what its user could have written instead."""
