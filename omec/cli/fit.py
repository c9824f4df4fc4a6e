"""``omec fit``: whether a model fits into the memory of accelerators, with the arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from omec.cli.console import err, out
from omec.cli.options import MODELS_ROOT, open_source, source_options
from omec.cli.subject import is_elsewhere, subject
from omec.cli.values import print_value
from omec.errors import EXIT_CLEAN, EXIT_FINDINGS, OmecError
from omec.facts import fit

if TYPE_CHECKING:
    from omec.cli.subject import Subject
    from omec.repository import Repo

_BYTES_OF_NUMBER = {"auto": 2, "fp16": 2, "bf16": 2, "fp8": 1, "fp32": 4}
_COLUMNS = ("ACCELERATOR", "MEMORY", "USABLE", "GPUS", "PER GPU", "SPLIT")


class Accelerator(msgspec.Struct, frozen=True):
    """A class with the memory of one of its devices, in bytes; 0 where its manifest says none that OME can use."""

    name: str
    memory: int


class Row(msgspec.Struct, frozen=True):
    """The answer for one accelerator: what each GPU holds, ``None`` where no number of GPUs is enough."""

    accelerator: Accelerator
    usable: int
    share: fit.Share | None
    fits: bool


@click.command(name="fit", short_help="Show whether a model fits into the memory of accelerators.")
@click.argument("model", metavar="MODEL")
@source_options
@click.option("-n", "--namespace", metavar="NS", help="The namespace of a BaseModel.")
@click.option("--accelerator", metavar="CLASS", help="Only this AcceleratorClass (default: every one of the source).")
@click.option("--memory", metavar="QUANTITY", help="An accelerator with this much memory, such as 80Gi.")
@click.option("--gpus", type=click.IntRange(1, fit.MOST_GPUS), metavar="N", help="Ask about N GPUs, not the fewest.")
@click.option(
    "--context-length",
    "--max-tokens",
    "context_length",
    type=click.IntRange(1, 2**31 - 1),
    metavar="N",
    help="Tokens of a sequence (default: the model's maxTokens).",
)
@click.option("--concurrency", type=click.IntRange(1, 2**20), default=1, show_default=True, help="Sequences at a time.")
@click.option("--kv-cache-dtype", type=click.Choice(sorted(_BYTES_OF_NUMBER)), default="auto", show_default=True)
@click.option(
    "--gpu-memory-utilization",
    "utilization",
    type=click.FloatRange(0.05, 1.0),
    default=fit.UTILIZATION,
    show_default=True,
    help="The part of the memory that the engine may use.",
)
@click.option("--reserve", metavar="QUANTITY", default="2Gi", show_default=True, help="Kept free on each GPU.")
@MODELS_ROOT
@click.option(
    "-o", "--format", "format_", type=click.Choice(["text", "json", "yaml"]), default="text", show_default=True
)
def command(
    model: str,
    src: tuple[str, ...],
    namespace: str | None,
    accelerator: str | None,
    memory: str | None,
    gpus: int | None,
    context_length: int | None,
    concurrency: int,
    kv_cache_dtype: str,
    utilization: float,
    reserve: str,
    models_root: Path | None,
    format_: str,
    **source: Any,
) -> int:
    """Show the fewest GPUs of each AcceleratorClass that hold the weights and the KV cache of MODEL.

    MODEL is a model of SRC, a directory, or a URI (hf://…). An estimate: the arithmetic is shown with it. Exits with 1
    where the model does not fit.
    """
    from omec.cli.facts import known_facts  # noqa: PLC0415
    from omec.resolve.known_facts import KnownFacts  # noqa: PLC0415

    source.pop("debug")
    elsewhere = is_elsewhere(model)
    repo = _repository(src, source, has_model=not elsewhere, has_classes=memory is None)
    known = KnownFacts() if elsewhere else known_facts(repo, models_root, source["rev"])
    about = subject(model, repo, known, namespace=namespace)
    demand = _demand(about, context_length, concurrency, _BYTES_OF_NUMBER[kv_cache_dtype], _bytes(reserve, "--reserve"))
    rows = [_row(each, demand, gpus, utilization) for each in _accelerators(repo, accelerator, memory)]
    if format_ == "text":
        out(_arithmetic(about, demand, utilization))
        _print_rows(rows)
    else:
        print_value(_as_dict(about, demand, rows), format_)
    return EXIT_CLEAN if all(row.fits for row in rows) else EXIT_FINDINGS


def _repository(src: tuple[str, ...], source: dict[str, Any], *, has_model: bool, has_classes: bool) -> Repo:
    """The source, as far as it has to have the model or the accelerator classes.

    An empty one where it has neither, or where only the classes could be in one that nobody has named.
    """
    from omec.session import from_objects  # noqa: PLC0415

    if not has_model and not has_classes:
        return from_objects([])
    try:
        return open_source(src, **source)
    except OmecError:
        if has_model or src:
            raise
        return from_objects([])


def _demand(
    about: Subject, context_length: int | None, concurrency: int, number_bytes: int, reserve: int
) -> fit.Demand:
    weights = fit.weights_of(about.spec, about.weights)
    if weights is None:
        raise OmecError(
            f"nothing tells the size of {about.name}",
            hint="run omec facts update for it, or set spec.modelParameterSize",
            code="OME045",
        )
    tokens = context_length or about.spec.get("maxTokens")
    attention = about.attention
    if attention is None or not isinstance(tokens, int) or tokens <= 0:
        return fit.Demand(weights, None, reserve)
    return fit.Demand(weights, fit.Cache(attention, tokens, concurrency, number_bytes), reserve)


def _accelerators(repo: Repo, name: str | None, memory: str | None) -> list[Accelerator]:
    """The accelerators to answer for; raises :class:`OmecError` where ``name`` is none of them."""
    from omec.resolve.facts import as_text  # noqa: PLC0415

    classes = []
    for resource in repo.catalog.of_kind("AcceleratorClass"):
        capabilities = resource.spec.get("capabilities")
        text = as_text(capabilities.get("memoryGB")) if isinstance(capabilities, dict) else None
        classes.append(Accelerator(resource.name, _bytes(text, resource.name) if text else 0))
    if memory is not None:
        return [Accelerator(memory, _bytes(memory, "--memory"))]
    if name is None:
        return classes
    chosen = [each for each in classes if each.name == name]
    if not chosen:
        names = ", ".join(each.name for each in classes)
        hint = f"the source has {names}" if classes else "add its manifest, or say how much it has with --memory"
        raise OmecError(f"no AcceleratorClass is called {name}", hint=hint, code="OME041")
    return chosen


def _row(accelerator: Accelerator, demand: fit.Demand, gpus: int | None, utilization: float) -> Row:
    usable = int(accelerator.memory * utilization)
    if gpus is not None:
        asked = fit.share(demand, gpus)
        return Row(accelerator, usable, asked, asked.fits(usable))
    smallest = fit.smallest(demand, usable)
    return Row(accelerator, usable, smallest, smallest is not None)


def _bytes(text: str, what: str) -> int:
    from omec.api.quantity import QuantityError, parse  # noqa: PLC0415

    try:
        return parse(text).units
    except QuantityError as error:
        raise OmecError(f"{what}: {error}", hint="write 80Gi", code="OME002") from None


def _arithmetic(about: Subject, demand: fit.Demand, utilization: float) -> str:
    """What the model needs, a line each, and where the numbers come from."""
    weights, cache = demand.weights, demand.cache
    origin = f"facts from {about.knowledge.place}" if about.knowledge else "facts from the manifest"
    how = weights.estimate or ", ".join(f"{name} {_gib(size)}" for name, size in sorted(weights.by_type.items()))
    lines = [f"{about.name} ({origin})", f"  weights   {_gib(weights.total):>12}  {how}"]
    lines.append(
        f"  KV cache  {_gib(cache.total):>12}  {_cache(cache)}" if cache else "  KV cache       unknown  not counted"
    )
    lines.append(f"  reserve   {_gib(demand.reserve):>12}  a GPU, for activations and graphs")
    lines.append(f"  usable    {utilization:>11.0%}   of a GPU's memory")
    return "\n".join(lines) + "\n"


def _cache(cache: fit.Cache) -> str:
    attention = cache.attention
    layers = f"{attention.layers} layers"
    if attention.windowed_layers:
        layers += f" (and {attention.windowed_layers} that keep {attention.window} tokens)"
    numbers = f"{attention.latent} numbers" if attention.latent else f"2 x {attention.kv_heads} x {attention.head_size}"
    return f"{cache.sequences} x {cache.tokens} tokens x {layers} x {numbers} x {cache.number_bytes} bytes"


def _print_rows(rows: list[Row]) -> None:
    from omec.resolve.table import format_table  # noqa: PLC0415

    if not rows:
        err("note: the source has no AcceleratorClass; say how much memory there is with --memory 80Gi")
        return
    out("\n" + format_table(_COLUMNS, [_cells(row) for row in rows], 120))
    for row in rows:
        if not row.accelerator.memory:
            err(f"note: AcceleratorClass {row.accelerator.name} does not say its memory (spec.capabilities.memoryGB)")
        elif row.accelerator.memory < fit.GIB:
            text = f"{row.accelerator.memory} bytes"
            err(f"note: memoryGB of {row.accelerator.name} is a quantity, and says {text}: write 80Gi")


def _cells(row: Row) -> tuple[str, ...]:
    share = row.share
    memory = _gib(row.accelerator.memory) if row.accelerator.memory else "-"
    if share is None:
        return row.accelerator.name, memory, _gib(row.usable), "does not fit", "-", "-"
    parts = " + ".join(f"{part / fit.GIB:.2f}" for part in (share.weights, share.cache, share.reserve))
    verdict = str(share.gpus) if row.fits else f"{share.gpus}: does not fit"
    split = f"tensor {share.tensor}" + (f", pipeline {share.stages}" if share.stages > 1 else "")
    return row.accelerator.name, memory, _gib(row.usable), verdict, f"{parts} = {_gib(share.total)}", split


def _gib(size: int) -> str:
    return f"{size / fit.GIB:.2f} GiB"


def _as_dict(about: Subject, demand: fit.Demand, rows: list[Row]) -> dict[str, Any]:
    cache = demand.cache
    return {
        "model": about.name,
        "weights": {
            "bytes": demand.weights.total,
            "byType": dict(demand.weights.by_type),
            "estimate": demand.weights.estimate,
        },
        "kvCache": None
        if cache is None
        else {
            "bytes": cache.total,
            "tokens": cache.tokens,
            "sequences": cache.sequences,
            "bytesPerNumber": cache.number_bytes,
            "attention": cache.attention.to_dict(),
        },
        "reserve": demand.reserve,
        "accelerators": [
            {
                "name": row.accelerator.name,
                "memory": row.accelerator.memory,
                "usable": row.usable,
                "fits": row.fits,
                "gpus": row.share.gpus if row.share else None,
                "tensorParallel": row.share.tensor if row.share else None,
                "pipelineStages": row.share.stages if row.share else None,
                "bytesPerGpu": row.share.total if row.share else None,
            }
            for row in rows
        ],
    }
