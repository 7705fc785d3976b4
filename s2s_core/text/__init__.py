"""Text: normalisation, tokens, corpora, toy tasks.

Only the light module is loaded here; the others are imported by their own names.
"""

from s2s_core.text.normalise import LANGUAGES, Change, Normalised, normalise

__all__ = ["LANGUAGES", "Change", "Normalised", "normalise"]
