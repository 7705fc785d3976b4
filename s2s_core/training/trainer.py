"""The training loop: deterministic by seed, resumable at the step, one folder for all it writes.

The folder holds `training_state.safetensors` while the run goes on (weights, averages, both
moments of the optimiser, and as metadata the step and the learning curve) and is a checkpoint when
it ends. What is random at a step depends on the seed and the step alone, so a run that was killed
and started again takes the same steps as one that was not. Several processes can take the steps
together (see `workers`).
"""

from __future__ import annotations

import copy
import dataclasses
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor
from tqdm import tqdm

from s2s_core.errors import CheckpointError
from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import LearningPoint
from s2s_core.models.network import Network
from s2s_core.models.translation import TrainedModel
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.training.batches import batches, encode_pairs
from s2s_core.training.config import OptimiserConfig, TrainingConfig
from s2s_core.training.evaluation import greedy_bleu, mean_loss
from s2s_core.training.objective import Batch
from s2s_core.training.scheduled_sampling import training_loss
from s2s_core.training.workers import Workers

STATE, BEST, TOKENIZER = "training_state.safetensors", "best.safetensors", "tokenizer.json"
MOMENTS = ("step", "exp_avg", "exp_avg_sq")
SAVE_EVERY = 250  # steps


@dataclass(slots=True)
class Progress:
    """Where a run stands."""

    step: int = 0
    target_tokens: int = 0
    curve: list[LearningPoint] = field(default_factory=list)

    @property
    def best(self) -> LearningPoint | None:
        """The evaluation with the highest development BLEU, the first of equals."""
        return max(self.curve, key=lambda point: point.development_bleu, default=None)


class Trainer:
    """One run. `train()` goes on from wherever the folder's state is."""

    def __init__(self, config: TrainingConfig, *, data: Path, folder: Path) -> None:
        """Read the corpora and, if the folder holds one, the state of an earlier start.

        Raises:
            CorpusError: a corpus is damaged. ConfigError: the configuration doesn't fit.
            CheckpointError: the folder's state can't be read or is of another run.
        """
        self.config, self.folder, self.workers = config, folder, Workers.join()
        self.pairs = config.data.read_training(data)
        self.development = config.data.read_development(data)
        folder.mkdir(parents=True, exist_ok=True)
        self.tokenizer = self._tokenizer()
        self.encoded = encode_pairs(self.pairs, self.tokenizer)
        sizes = {"vocabulary_size": self.tokenizer.size, **config.model}
        torch.manual_seed(config.optimiser.seed)
        self.network: Network[Any] = build_network(config.architecture, sizes)
        self.averaged = copy.deepcopy(self.network)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(),
            lr=config.optimiser.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=config.optimiser.weight_decay,
            fused=True,
        )
        self.progress = Progress()
        self.bfloat16 = _use_bfloat16(config.optimiser)
        if (folder / STATE).exists():
            self._load()

    def train(self) -> None:
        """Take the remaining steps, with a progress bar; stop early where the config says so."""
        settings = self.config.optimiser
        bar = tqdm(
            total=settings.steps,
            initial=self.progress.step,
            unit="step",
            mininterval=5,
            disable=not self.workers.leads,
        )
        recent: list[float] = []
        for batch in self._stream():
            if self.progress.step >= settings.steps or self._out_of_patience():
                break
            recent.append(self._update(batch))
            bar.update()
            step = self.progress.step
            bar.set_postfix(loss=f"{np.mean(recent[-100:]):.3f}", refresh=False)
            if step % settings.evaluate_every == 0 or step == settings.steps:
                point = self._evaluate(float(np.mean(recent)))
                recent.clear()
                if self.workers.leads:
                    bar.write(_story(point), file=sys.stderr)
                self._save()
            elif step % SAVE_EVERY == 0:
                self._save()
        bar.close()

    def _stream(self) -> Iterator[Batch]:
        """Batches without end, from the step at which the run stands."""
        seed, skip, epoch = self.config.optimiser.seed, self.progress.step, 0
        while True:
            generator = np.random.default_rng((seed, epoch))
            for batch in batches(
                self.encoded,
                batch_tokens=self.config.optimiser.batch_tokens,
                generator=generator,
            ):
                if skip:
                    skip -= 1
                else:
                    yield batch
            epoch += 1

    def _update(self, batch: Batch) -> float:
        """One step of the optimiser → the batch's training loss."""
        settings = self.config.optimiser
        torch.manual_seed(
            settings.seed * 1_000_003 + self.progress.step + self.workers.rank * 1_000_000_007
        )
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.progress.step, settings)
        self.network.train()
        self.optimiser.zero_grad(set_to_none=True)
        loss, share = torch.zeros(()), self.workers.share(batch)
        if share is not None:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.bfloat16):
                loss = training_loss(
                    self.network,
                    share,
                    self.config.objective,
                    step=self.progress.step,
                    label_smoothing=settings.label_smoothing,
                )
            loss = loss * (share.target_tokens / batch.target_tokens)
            torch.autograd.backward(loss)
        total = self.workers.add_up(self.network, loss)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.gradient_norm)
        self.optimiser.step()
        self.progress.step += 1
        self.progress.target_tokens += batch.target_tokens
        # A young average would be all start: let it forget faster in its first steps.
        decay = min(settings.average_decay, self.progress.step / (self.progress.step + 10))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.averaged.parameters()), list(self.network.parameters()), 1 - decay
            )
        return total

    def _evaluate(self, training_loss: float) -> LearningPoint:
        """Measure the averaged weights on the development set; keep them if they are the best."""
        loss = bleu = 0.0
        if self.workers.leads:
            model = TrainedModel(
                self.averaged,
                self.tokenizer,
                source_language=self.config.data.source_language,
                target_language=self.config.data.target_language,
            )
            loss = mean_loss(self.averaged, self.development, self.tokenizer)
            bleu = greedy_bleu(model, self.development)
        loss, bleu = self.workers.tell(loss, bleu)
        point = LearningPoint(
            step=self.progress.step,
            target_tokens=self.progress.target_tokens,
            training_loss=training_loss,
            development_loss=loss,
            development_bleu=bleu,
        )
        self.progress.curve.append(point)
        if point == self.progress.best and self.workers.leads:
            save_file(_weights(self.averaged), self.folder / BEST)
        return point

    def _out_of_patience(self) -> bool:
        patience, best = self.config.optimiser.patience, self.progress.best
        if not patience or best is None:
            return False
        return len(self.progress.curve) - 1 - self.progress.curve.index(best) >= patience

    def best_network(self) -> Network[Any]:
        """The averaged weights at the evaluation with the highest development BLEU.

        Raises:
            CheckpointError: the file with them can't be read.
        """
        best = copy.deepcopy(self.averaged)
        try:
            best.load_state_dict(load_file(self.folder / BEST))
        except (OSError, SafetensorError, RuntimeError) as error:
            raise CheckpointError(f"{self.folder / BEST} can't be read: {error}") from error
        return best.eval()

    def _tokenizer(self) -> SubwordTokenizer:
        """The folder's tokenizer, or one learned from the training pairs."""
        path, settings = self.folder / TOKENIZER, self.config.tokenizer
        if not path.exists() and self.workers.leads:
            texts = (text for pair in self.pairs for text in (pair.source, pair.target))
            learned = SubwordTokenizer.train(
                texts, size=settings.size, alphabet_size=settings.alphabet_size
            )
            learned.save(path)
        self.workers.wait()
        return SubwordTokenizer.load(path)

    def _save(self) -> None:
        """Write the state beside the old one, then put it in its place: a kill leaves one whole."""
        if not self.workers.leads:
            return
        tensors = {
            **_weights(self.network, "network."),
            **_weights(self.averaged, "averaged."),
            **{
                f"{moment}.{index}": state[moment]
                for index, state in self.optimiser.state_dict()["state"].items()
                for moment in MOMENTS
            },
        }
        progress = {
            "step": self.progress.step,
            "target_tokens": self.progress.target_tokens,
            "curve": [dataclasses.asdict(point) for point in self.progress.curve],
            "run": run_identity(self.config),
        }
        unfinished = self.folder / f"{STATE}.unfinished"
        save_file(tensors, unfinished, metadata={"progress": json.dumps(progress)})
        unfinished.replace(self.folder / STATE)

    def _load(self) -> None:
        path = self.folder / STATE
        try:
            with safe_open(path, framework="pt") as stored:
                progress = json.loads(stored.metadata()["progress"])
            tensors = load_file(path)
            if progress["run"] != run_identity(self.config):
                raise CheckpointError(
                    f"{path} is the state of another run (other data, model or settings): give "
                    "another folder, or remove the file to start anew; only steps, "
                    "evaluate_every and patience may change in a run"
                )
            self.network.load_state_dict(_part(tensors, "network."))
            self.averaged.load_state_dict(_part(tensors, "averaged."))
            optimiser = self.optimiser.state_dict()
            optimiser["state"] = {
                index: {moment: tensors[f"{moment}.{index}"] for moment in MOMENTS}
                for index in range(len(optimiser["param_groups"][0]["params"]))
            }
            self.optimiser.load_state_dict(optimiser)
            curve = [LearningPoint(**point) for point in progress["curve"]]
        except (OSError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{path} can't be read: {error}") from error
        self.progress = Progress(progress["step"], progress["target_tokens"], curve)


def learning_rate(step: int, settings: OptimiserConfig) -> float:
    """Linear warm-up, level, linear decay to 0 over the last `decay_fraction` of the steps."""
    warm = (step + 1) / max(1, settings.warmup_steps)
    decay_steps = max(1.0, settings.decay_fraction * settings.steps)
    return settings.learning_rate * max(0.0, min(1.0, warm, (settings.steps - step) / decay_steps))


def _story(point: LearningPoint) -> str:
    return (
        f"step {point.step}: training loss {point.training_loss:.4f}, development loss "
        f"{point.development_loss:.4f}, development BLEU {point.development_bleu:.2f}"
    )


def _use_bfloat16(settings: OptimiserConfig) -> bool:
    """bfloat16 where it was asked for, or where the processor multiplies it natively."""
    if settings.precision == "auto":
        return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return settings.precision == "bfloat16"


def run_identity(config: TrainingConfig) -> dict[str, Any]:
    """What must not change between two starts of one run."""
    values = json.loads(json.dumps(dataclasses.asdict(config)))
    for name in ("steps", "learning_rates", "whole_runs", "evaluate_every", "patience"):
        del values["optimiser"][name]
    names = ["architecture", "model", "tokenizer", "optimiser"]
    if not config.objective.teacher_forcing:
        names.append("objective")
    return {name: values[name] for name in names} | {"train": config.data.identity}


def _weights(network: Network[Any], prefix: str = "") -> dict[str, Tensor]:
    return {f"{prefix}{name}": tensor for name, tensor in network.state_dict().items()}


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
