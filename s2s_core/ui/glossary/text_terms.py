"""Words about texts, models and attention."""

from __future__ import annotations

from s2s_core.ui.glossary.term import Term

_BAHDANAU = "Bahdanau et al. 2015, arXiv:1409.0473"
_LUONG = "Luong et al. 2015, arXiv:1508.04025"
_VASWANI = "Vaswani et al. 2017, arXiv:1706.03762"
_SCORE = ("e_{t,i}", "the score of source position i at step t")
_STATE = ("h_i", "the encoder's state at source position i")
_QUERY = ("s_{t-1}", "the decoder's state before step t")

TEXT_TERMS = (
    Term(
        "source",
        "The text that is translated. It has S tokens.",
        "decode",
        also="input",
    ),
    Term(
        "target",
        "The side that is written, in training the right answer. It has T tokens.",
        "training",
    ),
    Term(
        "reference",
        "A translation made by a person, to which an output is compared. There can be several.",
        "bleu",
    ),
    Term(
        "hypothesis",
        "An output of a search, ended by the end token or cut at the maximum length.",
        "decode",
    ),
    Term(
        "prefix",
        "A beginning of a target, while it is being written.",
        "decode",
        also="partial hypothesis",
    ),
    Term(
        "token",
        "The unit that models read and write: a word or a piece of one. ▁ marks the space before "
        "it. V different ones make up the vocabulary.",
        "decode",
        also="subword, piece",
    ),
    Term(
        "BOS and EOS",
        "Two tokens that no text contains. BOS (beginning of sequence) is the decoder's first "
        "input; EOS (end of sequence) ends a target, and its probability counts like any other.",
        "training",
    ),
    Term(
        "encoder and decoder",
        "The encoder turns the source into states, the decoder writes the target token by token: "
        "each token's probability depends on the source and on what was written before.",
        "compare",
        formula=r"P(y \mid x) = \prod_{t=1}^{T} P(y_t \mid y_{<t}, x)",
        symbols=(
            ("x", "the source"),
            ("y_t", "the target's token number t"),
            ("y_{<t}", "the tokens before it"),
            ("T", "how many tokens the target has, EOS counted"),
        ),
        source="Sutskever et al. 2014, arXiv:1409.3215",
    ),
    Term(
        "fixed vector",
        "A source of any length is pressed into one vector: the encoder's last state. It sets the "
        "decoder's first state only, or is read at every step.",
        "compare",
        also="bottleneck",
        formula=r"c = h_S",
        symbols=(("c", "all that the decoder gets of the source"), ("h_S", "the last state")),
        source="Sutskever et al. 2014, arXiv:1409.3215",
    ),
    Term(
        "attention",
        "At each step the decoder looks at all source states and mixes them by weights that it "
        "chooses anew. Weights show what was mixed, and don't prove what caused a prediction.",
        "attention",
        formula=r"c_t = \sum_{i=1}^{S} \alpha_{t,i}\, h_i",
        symbols=(
            ("c_t", "the context: what step t gets of the source"),
            (r"\alpha_{t,i}", "the weight of source position i at step t"),
            _STATE,
        ),
        source=_BAHDANAU,
    ),
    Term(
        "attention weights",
        "Scores made positive and summing to 1 over the source. Padding gets exactly 0.",
        "attention",
        formula=r"\alpha_{t,i} = \frac{\exp(e_{t,i})}{\sum_{j=1}^{S} \exp(e_{t,j})}",
        symbols=((r"\alpha_{t,i}", "the weight of source position i at step t"), _SCORE),
        source=_BAHDANAU,
    ),
    Term(
        "additive score",
        "State and source state meet in a small network. They may have different widths.",
        "attention",
        also="Bahdanau attention, concat",
        formula=r"e_{t,i} = v^{\top} \tanh(W_s s_{t-1} + W_h h_i)",
        symbols=(
            _SCORE,
            ("W_s", "a learned matrix"),
            ("W_h", "another learned matrix"),
            ("v", "a learned vector"),
            _QUERY,
            _STATE,
        ),
        source=f"{_BAHDANAU}, appendix A.1.2",
    ),
    Term(
        "dot score",
        "How far two vectors point the same way. They must have the same width.",
        "attention",
        formula=r"e_{t,i} = {s_t}^{\top} h_i",
        symbols=(_SCORE, ("s_t", "the decoder's state"), _STATE),
        source=f"{_LUONG}, eq. 8",
    ),
    Term(
        "general score",
        "A dot score with a learned matrix in between, so that widths may differ.",
        "attention",
        formula=r"e_{t,i} = {s_t}^{\top} W h_i",
        symbols=(
            _SCORE,
            ("s_t", "the decoder's state"),
            ("W", "a learned matrix"),
            _STATE,
        ),
        source=f"{_LUONG}, eq. 8",
    ),
    Term(
        "scaled dot-product attention",
        "All queries at once. Dividing keeps the scores of wide vectors from growing, so that the "
        "softmax doesn't put all weight on one place. Several heads do this side by side.",
        "attention",
        formula=r"\mathrm{softmax}\left(\frac{Q K^{\top}}{\sqrt{d_k}}\right) V",
        symbols=(
            ("Q", "the queries, one row a target position"),
            ("K", "the keys, one row a source position"),
            ("V", "the values, one row a source position"),
            ("d_k", "the width of a key"),
        ),
        source=f"{_VASWANI}, eq. 1",
    ),
    Term(
        "occlusion",
        "Take a source token away and see how much less probable the written token becomes: a "
        "measurement of influence, where attention weights are only a reading.",
        "attention",
    ),
    Term(
        "input feeding",
        "The decoder also reads what attention gave it one step before.",
        "models",
        source=f"{_LUONG}, section 3.3",
    ),
    Term(
        "Transformer",
        "Encoder and decoder made of attention instead of recurrence. In training all positions "
        "are computed at once; writing still goes token by token.",
        "compare",
        source=_VASWANI,
    ),
)
