"""Golden values of the transformer's layers, computed by torch.nn.TransformerEncoderLayer and
torch.nn.TransformerDecoderLayer in double.

Run in any folder: python3 make_golden.py
It replaces golden.safetensors beside it; ../README.md tells what each of its arrays is.

The loss of the gradients is sum(output * projection) with a fixed random projection, so that no
two errors in an output can cancel.
"""

import pathlib
import sys
import zlib

import numpy
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golden_file import write_safetensors

SEED = 20240112
FOLDER = pathlib.Path(__file__).resolve().parent
ARRAYS = {}  # what golden.safetensors will hold
D, HEADS, D_FF, BATCH = 6, 3, 10, 3


def add(case, make):
    """Calls make() with the case's own random numbers and adds what it returns to ARRAYS."""
    torch.manual_seed(SEED + zlib.crc32(case.encode()) % 100000)
    for name, values in make().items():
        array = torch.as_tensor(values).detach().numpy()
        assert numpy.isfinite(array).all(), f"{case}.{name}"
        ARRAYS[f"{case}.{name}"] = numpy.array(array, dtype="<f8")


def padding(n, lengths):
    """Which of n places are filled up, a row a sentence."""
    return torch.arange(n)[None, :] >= torch.tensor(lengths)[:, None]


def named(layer):
    """All parameters and their gradients; in_proj is cut into q_proj, k_proj and v_proj."""
    arrays = {}
    for name, parameter in layer.named_parameters():
        pairs = [(name, parameter, parameter.grad)]
        if "in_proj" in name:
            what, kind = name.split(".in_proj_")
            pairs = [(f"{what}.{part}_proj.{kind}", value, grad) for part, value, grad in
                     zip("qkv", parameter.chunk(3), parameter.grad.chunk(3))]
        for own, value, grad in pairs:
            arrays |= {own: value, f"gradient.{own}": grad}
    return arrays


def layer_of(kind, norm_first):
    """A layer of which no number is 0 or 1."""
    layer = kind(D, HEADS, D_FF, dropout=0.0, batch_first=True, norm_first=norm_first)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return layer


def encoder(norm_first):
    """Sentences of 5, 2 and 4 words through one layer of the encoder."""
    layer = layer_of(torch.nn.TransformerEncoderLayer, norm_first)
    x = torch.randn(BATCH, 5, D).requires_grad_()
    output = layer(x, src_key_padding_mask=padding(5, [5, 2, 4]))
    projection = torch.randn(output.shape)
    (output * projection).sum().backward()
    return named(layer) | {"x": x, "output": output, "projection": projection,
                           "gradient.x": x.grad}


def decoder(norm_first):
    """Four words each, over sources of 5, 2 and 4 words, through one layer of the decoder."""
    layer = layer_of(torch.nn.TransformerDecoderLayer, norm_first)
    x = torch.randn(BATCH, 4, D).requires_grad_()
    memory = torch.randn(BATCH, 5, D).requires_grad_()
    later = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
    output = layer(x, memory, tgt_mask=later, memory_key_padding_mask=padding(5, [5, 2, 4]))
    projection = torch.randn(output.shape)
    (output * projection).sum().backward()
    return named(layer) | {"x": x, "memory": memory, "output": output,
                           "projection": projection, "gradient.x": x.grad,
                           "gradient.memory": memory.grad}


torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
for place, first in (("pre", True), ("post", False)):
    add(f"encoder_{place}", lambda: encoder(first))
    add(f"decoder_{place}", lambda: decoder(first))
write_safetensors(FOLDER / "golden.safetensors", ARRAYS)
print(torch.__version__, numpy.__version__)
