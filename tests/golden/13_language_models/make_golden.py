"""Small random models in the format in which GPT-2 is published, and what they compute, in double
and by plain formulas (https://github.com/openai/gpt-2, src/model.py, says which).

Run in any folder: python3 make_golden.py
It replaces the folders beside it and golden.safetensors; ../README.md tells what they hold. The
models are small enough to be read by eye, and their numbers large enough that each part is felt
in the scores: the script ends with an error if a usual mistake changes none by more than 1e-3.
"""

import json
import math
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golden_file import write_safetensors

SEED = 20240113
FOLDER = pathlib.Path(__file__).resolve().parent
LAYERS, HEADS, D, TOKENS, POSITIONS, N_PROMPT = 2, 2, 8, 40, 12, 7


def weights(rng, d_ff, separate):
    """All weights of a model under their published names; a matrix is [n_in, n_out]."""
    def normal(*shape, deviation, mean=0.0):
        return mean + deviation * rng.standard_normal(shape)

    w = {"wte.weight": normal(TOKENS, D, deviation=0.6),
         "wpe.weight": normal(POSITIONS, D, deviation=0.5)}
    for i in range(LAYERS):
        for name in ("ln_1", "ln_2"):
            w[f"h.{i}.{name}.weight"] = normal(D, deviation=0.3, mean=1.0)
            w[f"h.{i}.{name}.bias"] = normal(D, deviation=0.2)
        for name, n_in, n_out in (("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D),
                                  ("mlp.c_fc", D, d_ff), ("mlp.c_proj", d_ff, D)):
            w[f"h.{i}.{name}.weight"] = normal(n_in, n_out, deviation=0.5)
            w[f"h.{i}.{name}.bias"] = normal(n_out, deviation=0.2)
    w["ln_f.weight"] = normal(D, deviation=0.3, mean=1.5)
    w["ln_f.bias"] = normal(D, deviation=0.2)
    if separate:
        w["lm_head.weight"] = normal(TOKENS, D, deviation=0.6)
    return w


def gelu_tanh(x):
    return 0.5 * x * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def gelu_erf(x):
    return 0.5 * x * (1 + numpy.vectorize(math.erf)(x / math.sqrt(2)))


def scores(w, ids, activation=gelu_tanh, epsilon=1e-5, transposed=False):
    """Token ids [n] -> the scores of the next token at each position [n, TOKENS]."""
    def norm(x, name):
        centred = x - x.mean(1, keepdims=True)
        deviation = numpy.sqrt((centred ** 2).mean(1, keepdims=True) + epsilon)
        return centred / deviation * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"] + w[name + ".bias"]

    n, d_head = len(ids), D // HEADS
    x = w["wte.weight"][ids] + w["wpe.weight"][:n]
    for i in range(LAYERS):
        q, k, v = numpy.split(linear(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn"), 3, axis=1)
        contexts = []
        for head in range(HEADS):
            own = slice(head * d_head, (head + 1) * d_head)
            s = q[:, own] @ k[:, own].T / math.sqrt(d_head)
            s[numpy.triu_indices(n, 1)] = -math.inf
            a = numpy.exp(s - s.max(1, keepdims=True))
            contexts.append(a / a.sum(1, keepdims=True) @ v[:, own])
        projection = w[f"h.{i}.attn.c_proj.weight"]
        x = x + numpy.hstack(contexts) @ (projection.T if transposed else projection) \
            + w[f"h.{i}.attn.c_proj.bias"]
        x = x + linear(activation(linear(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")),
                       f"h.{i}.mlp.c_proj")
    return norm(x, "ln_f") @ w.get("lm_head.weight", w["wte.weight"]).T


def stored(array, kind):
    """A weight as the file has it, and as what is computed with."""
    single = array.astype("<f4")
    if kind == "F32":
        return single, single.astype("f8")
    if kind == "F16":
        return single.astype("<f2"), single.astype("<f2").astype("f8")
    bits = (single.view("<u4") >> 16).astype("<u2")  # BF16 by cutting off, which is as good here
    return bits, (bits.astype("<u4") << 16).view("<f4").astype("f8")


def make(case, number, kind, d_ff=4 * D, prefix="", separate=False, copied_head=False, mask=None):
    """Writes a model and returns what it computes."""
    rng = numpy.random.default_rng(SEED + number)
    drawn = weights(rng, d_ff, separate)
    pairs = {name: stored(array, kind) for name, array in drawn.items()}
    w = {name: pair[1] for name, pair in pairs.items()}
    tensors = {("" if name == "lm_head.weight" else prefix) + name: pair[0]
               for name, pair in pairs.items()}
    if copied_head:
        tensors["lm_head.weight"] = tensors["wte.weight"]
    if mask is not None:
        for i in range(LAYERS):
            triangle = numpy.tril(numpy.ones((1, 1, POSITIONS, POSITIONS)))
            tensors[f"{prefix}h.{i}.attn.bias"] = triangle.astype(mask)
            tensors[f"{prefix}h.{i}.attn.masked_bias"] = numpy.array(-1e4, dtype="<f4")
    folder = FOLDER / case
    folder.mkdir(exist_ok=True)
    write_safetensors(folder / "model.safetensors", tensors, {"format": "pt"})
    config = {"activation_function": "gelu_new", "layer_norm_epsilon": 1e-05, "model_type": "gpt2",
              "n_ctx": POSITIONS, "n_embd": D, "n_head": HEADS, "n_layer": LAYERS,
              "n_positions": POSITIONS, "vocab_size": TOKENS}
    if d_ff != 4 * D:
        config["n_inner"] = d_ff
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")

    prompt = rng.integers(TOKENS, size=N_PROMPT)
    logits = scores(w, prompt)
    for mistake in ({"activation": gelu_erf}, {"epsilon": 1e-3}, {"transposed": True}):
        assert abs(scores(w, prompt, **mistake) - logits).max() > 1e-3, (case, mistake)
    text = list(prompt)
    while len(text) < POSITIONS:
        last = scores(w, text)[-1]
        assert numpy.diff(numpy.sort(last))[-1] > 1e-2, f"{case}: two tokens are nearly even"
        text.append(last.argmax())
    return {f"{case}.prompt": prompt, f"{case}.logits": logits, f"{case}.text": text}


golden = make("with_prefix", 1, "F32", prefix="transformer.", mask="|u1")
golden |= make("half", 2, "F16", copied_head=True)
golden |= make("bfloat", 3, "BF16")
golden |= make("own_head", 4, "F32", d_ff=20, separate=True, mask="<f4")
write_safetensors(FOLDER / "golden.safetensors",
                  {name: numpy.array(values, dtype="<f8") for name, values in golden.items()})
print(numpy.__version__)
