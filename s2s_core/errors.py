"""Every error that a user of the explorer can meet, as one tree.

Each message says what was given, what is allowed, and what to do. The app shows the message, the
command line prints it as one line and exits with status 2, and the library raises it.
"""

from __future__ import annotations


class ExplorerError(Exception):
    """Base of the tree: catch this one to catch them all."""


class SettingError(ExplorerError, ValueError):
    """A setting lies outside what is allowed (beam size, alpha, maximum length, ...)."""


class SourceError(ExplorerError, ValueError):
    """A source sentence can't be used."""


class EmptySourceError(SourceError):
    """A source has no tokens, or none that the model may attend to."""


class SourceTooLongError(SourceError):
    """A source is longer than the limit that was said beforehand."""


class PrefixError(ExplorerError, ValueError):
    """A forced target prefix can't be used."""


class SearchError(ExplorerError):
    """The search can't give a result."""


class NoHypothesisError(SearchError):
    """No hypothesis with finite probability exists within the limits."""


class ModelOutputError(SearchError):
    """A model returned log-probabilities that are NaN or positive, or arrays of a wrong shape."""


class ModelInputError(ExplorerError, ValueError):
    """Arrays given to a model don't fit together (shapes, masks, non-finite states)."""


class EmptyBatchError(ModelInputError):
    """A batch has no sentence, or no target token that counts."""


class UnsupportedModelError(ExplorerError):
    """The model doesn't offer what was asked of it (for example, looking inside)."""


class CheckpointError(ExplorerError):
    """A checkpoint folder is missing, damaged, or of another version."""


class TableError(ExplorerError, ValueError):
    """A probability table isn't valid; the message names the row."""


class CorpusError(ExplorerError, ValueError):
    """A text file isn't a valid corpus; the message names the line."""


class ConfigError(ExplorerError, ValueError):
    """A training configuration isn't valid; the message names the key."""


class BusyError(ExplorerError):
    """The server has no room for this now; the message says when to try again."""


class DivergedError(ExplorerError):
    """A training run's loss is no longer a number; the message says what to change."""


class TraceFormatError(ExplorerError, ValueError):
    """A saved result isn't one of ours, or is of another version."""


class SegmentError(ExplorerError, ValueError):
    """Hypotheses and references can't be scored together; the message names the segment."""


class TooLongToScoreError(ExplorerError):
    """A metric would take too long on this text; the message says what the limit is."""


class BreakdownError(ExplorerError):
    """Our breakdown of a score doesn't agree with the score: a mistake of ours, worth a report."""


class LinkError(ExplorerError, ValueError):
    """A value in a link can't be used; the screen falls back to the default and says so."""
