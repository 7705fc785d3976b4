"""All that the timeline shows, step by step, as one value. Nothing is drawn here.

A moment is one step of the search. At each moment one path through the tree is followed: the
winner's, the best live prefix's, or that of a selected node. Its attention fills the heatmap, and
the distribution that its newest token came from fills the bars.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from typing import Literal

from s2s_core.errors import SettingError
from s2s_core.figures.grid import AttentionGrid, attention_grid, merge_words, without_ends
from s2s_core.figures.labels import shorten_start
from s2s_core.figures.next_token import NextTokens, next_tokens
from s2s_core.figures.theme import percent
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace, Candidate
from s2s_core.search.tree import BeamTree, build_tree

_PREFIX_WIDTH = 32  # characters

Follow = Literal["winner", "best prefix", "selected"]
Path = tuple[Candidate, ...]
WordStarts = Callable[[Sequence[str]], Sequence[bool]]

FOLLOWED: dict[Follow, str] = {
    "winner": "the eventual winner",
    "best prefix": "the best live prefix at each step, and the winner at the last",
    "selected": "the selected node",
}
"""What each choice follows, in words."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """What a person can set about the timeline; none of it moves the step.

    follow: whose attention and next tokens are shown.
    selected_id: the node for follow="selected"; 0 or None is the winner.
    word_starts: pieces are merged to words where it says so (`model.target.word_starts`); None
        shows pieces.
    layer, head: which attention; head None is the mean over the heads.
    show_end_tokens: the end token has its row and its column in the heatmap.
    show_unpooled_ends, pruned_per_step: as in `build_tree`.
    penalty: ranks the finished ones, and so chooses the winner; None is the request's.
    """

    follow: Follow = "winner"
    selected_id: int | None = None
    word_starts: WordStarts | None = None
    layer: int = -1
    head: int | None = None
    show_end_tokens: bool = True
    show_unpooled_ends: bool = False
    pruned_per_step: int | None = None
    penalty: LengthPenalty | None = None

    def __post_init__(self) -> None:
        if self.follow not in FOLLOWED:
            raise SettingError(f"follow must be one of {', '.join(FOLLOWED)}, not {self.follow!r}")


DEFAULT_OPTIONS = ViewOptions()


@dataclass(frozen=True, slots=True)
class Moment:
    """One step, as it is told.

    step: 1-based.
    node: the followed path's newest node, or its last one once it has ended.
    ended: the followed path ended before this step.
    next_tokens: what its newest token was chosen from; once it has ended, what the best expanded
        prefix could go on with.
    grid: the number of the attention grid in `TimelineView.grids`.
    rows: how many rows of the grid are complete.
    row: the row that the newest token belongs to, complete or not; None once the path has ended, or
        if that token has no row.
    live: the prefixes alive after this step, best first.
    pool: the best finished ones so far, best first.
    """

    step: int
    node: Candidate
    ended: bool
    next_tokens: NextTokens
    grid: int
    rows: int
    row: int | None
    live: tuple[int, ...]
    pool: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TimelineView:
    """The pictures and how they move.

    story: names the source; the step survives as long as it stays the same.
    search: names the search; node ids mean the same as long as it stays the same.
    map: names what the heatmap shows; its cells mean the same as long as it stays the same.
    grids: the attention grids; () for a model without attention. Mostly one; more where the best
        prefix changes its mind.
    penalty: what the scores are under.
    """

    story: str
    search: str
    map: str
    trace: BeamTrace
    tree: BeamTree
    penalty: LengthPenalty
    follow: Follow
    grids: tuple[AttentionGrid, ...]
    moments: tuple[Moment, ...]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.moments)

    def caption(self, step: int) -> str:
        """The step in one line: `step 3 of 8: token ▁demain, 61 %`."""
        node, start = self.moments[step - 1].node, f"step {step} of {self.steps}"
        if self.moments[step - 1].ended:
            return f"{start}: {self.note(step)}"
        return f"{start}: token {node.token}, {percent(math.exp(node.token_log_prob))}"

    def note(self, step: int) -> str:
        """What a person should know about the path that is followed; "" if it just goes on."""
        moment = self.moments[step - 1]
        if not moment.ended:
            return ""
        name = "the selected path" if self.follow == "selected" else "the winner"
        prefix = shorten_start(moment.next_tokens.prefix, _PREFIX_WIDTH)
        return (
            f"{name} ended at step {moment.node.step}; the bars show what could follow “{prefix}”, "
            "the best live prefix"
        )


def timeline_view(
    trace: BeamTrace, *, greedy: BeamTrace | None = None, options: ViewOptions = DEFAULT_OPTIONS
) -> TimelineView:
    """Gather what the timeline shows from a finished search; calls no model.

    Raises:
        SearchError: the selected node isn't one of the trace's.
    """
    ranked = trace.ranked_ids(options.penalty)
    paths = _followed_paths(trace, ranked[0], options)
    longest = _longest(paths)
    grids = tuple(path_grid(trace, path[-1].id, options) for path in longest)
    request = trace.request
    return TimelineView(
        story=_digest(request.checkpoint, request.source, trace.source_tokens),
        search=_digest(request, trace.stop_reason, len(trace.nodes)),
        map=_digest([(grid.rows, grid.columns) for grid in grids if grid is not None]),
        trace=trace,
        tree=build_tree(
            trace,
            greedy=greedy,
            best_id=ranked[0],
            show_unpooled_ends=options.show_unpooled_ends,
            pruned_per_step=options.pruned_per_step,
        ),
        penalty=request.config.length_penalty if options.penalty is None else options.penalty,
        follow=options.follow,
        grids=tuple(grid for grid in grids if grid is not None),
        moments=tuple(
            _moment(trace, step, path, _shows(path, longest, grids), ranked)
            for step, path in enumerate(paths, start=1)
        ),
    )


def _followed_paths(trace: BeamTrace, winner_id: int, options: ViewOptions) -> list[Path]:
    """For each step, the path that is followed then, as far as it goes by that step."""
    fixed = trace.path(winner_id)
    if options.follow == "selected" and options.selected_id:
        fixed = trace.path(options.selected_id)
    paths = []
    for step in trace.steps:
        last = step.step == len(trace.steps)
        if options.follow == "best prefix" and step.live and not last:
            paths.append(trace.path(step.live[0].id))
        else:
            paths.append(fixed[: step.step])
    return paths


def _longest(paths: Iterable[Path]) -> list[Path]:
    """Those that no other one goes on from; one grid is needed for each."""
    ends = {path[-1].id: path for path in paths}
    inner = {node.id for path in ends.values() for node in path[:-1]}
    return [path for end, path in ends.items() if end not in inner]


def _shows(
    path: Path, longest: Sequence[Path], grids: Sequence[AttentionGrid | None]
) -> tuple[int, AttentionGrid | None]:
    """The grid that a path is the beginning of, with its number."""
    number = next(i for i, whole in enumerate(longest) if path[-1] in whole)
    return number, grids[number]


def path_grid(trace: BeamTrace, node_id: int, options: ViewOptions) -> AttentionGrid | None:
    """The attention along the path to a node, as the options ask for it; None without attention."""
    hypothesis = trace.hypothesis(node_id)
    if hypothesis.attention is None:
        return None
    grid = attention_grid(hypothesis.attention, layer=options.layer, head=options.head)
    if not options.show_end_tokens:
        source_ends = grid.columns[-1] == trace.end_token
        grid = without_ends(grid, row=hypothesis.finished, column=source_ends)
    if options.word_starts is None:
        return grid
    return merge_words(
        grid,
        row_starts=options.word_starts(grid.rows),
        column_starts=options.word_starts(grid.columns),
    )


def _moment(
    trace: BeamTrace,
    step: int,
    path: Path,
    shown: tuple[int, AttentionGrid | None],
    ranked: Sequence[int],
) -> Moment:
    record, newest = trace.steps[step - 1], path[-1]
    ended = newest.step < step
    number, grid = shown
    ends = grid.row_ends if grid else ()
    complete = sum(end <= newest.step for end in ends)
    current = sum(end < newest.step for end in ends)
    has_row = not ended and current < len(ends)
    if ended:
        row = next_tokens(trace, record.expanded_ids[0])
    else:
        row = next_tokens(trace, newest.parent_id, taken_id=newest.id)
    assert row is not None, "a step continues what it expanded"
    return Moment(
        step=step,
        node=newest,
        ended=ended,
        next_tokens=row,
        grid=number,
        rows=complete,
        row=current if has_row else None,
        live=tuple(c.id for c in record.live),
        pool=_pool(trace, step, ranked),
    )


def _pool(trace: BeamTrace, step: int, ranked: Sequence[int]) -> tuple[int, ...]:
    """The best finished ones up to a step; `ranked` holds all, best first."""
    if not trace.finished_ids:
        return ()
    by_then = [i for i in ranked if trace.node(i).step <= step]
    return tuple(by_then[: trace.request.config.beam_size])


def _digest(*parts: object) -> str:
    return blake2s(repr(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
