"""Words about training."""

from __future__ import annotations

from s2s_core.ui.glossary.term import Term

TRAINING_TERMS = (
    Term(
        "loss",
        "How surprised the model is by the right tokens, on average: 0 if it was sure of each. EOS "
        "counts, padding doesn't.",
        "training",
        also="cross-entropy, negative log-likelihood",
        formula=r"-\frac{1}{T} \sum_{t=1}^{T} \log\, p(y_t \mid y_{<t}, x)",
        symbols=(
            ("T", "how many target tokens count"),
            ("y_t", "the right token at position t"),
            ("y_{<t}", "the right tokens before it"),
            ("x", "the source"),
        ),
    ),
    Term(
        "teacher forcing",
        "In training the decoder reads the right tokens before each position, whatever it would "
        "have written itself: the input is the target shifted by one.",
        "training",
    ),
    Term(
        "free running",
        "The decoder reads what it has written itself, as it must when nobody knows the answer.",
        "training",
        also="generation, inference",
    ),
    Term(
        "exposure bias",
        "Training shows the model right beginnings only, writing shows it its own. The two kinds "
        "of beginnings differ; how much that matters has to be measured.",
        "training",
        source="Bengio et al. 2015, arXiv:1506.03099",
    ),
    Term(
        "scheduled sampling",
        "In training, some inputs are the model's own tokens, more of them as training goes on. "
        "That changes what is optimised, and needn't lead to the right distribution.",
        "training",
        source="Bengio et al. 2015, arXiv:1506.03099; Huszár 2015, arXiv:1511.05101",
    ),
    Term(
        "token accuracy",
        "The share of target positions at which the most probable token is the right one.",
        "training",
    ),
    Term(
        "exact match",
        "The share of outputs that are right from the first token to the last.",
        "compare",
        formula=r"p^{n}",
        symbols=(
            ("p", "the accuracy of one token, if all were independent"),
            ("n", "how many tokens have to be right"),
        ),
    ),
    Term(
        "mask",
        "What is only there to fill up a batch must not count: not in the source's states, not in "
        "the attention weights, not in the loss. Three places, three masks.",
        "training",
    ),
    Term(
        "padding",
        "Fills shorter sentences up to the longest of a batch. It stands for nothing.",
        "training",
        also="PAD",
    ),
    Term(
        "budget",
        "What a model got to learn from: how many steps, and how many target tokens it saw. A fair "
        "comparison gives all the same.",
        "models",
    ),
)
