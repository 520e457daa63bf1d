"""Golden values of multi-head attention, computed by torch.nn.MultiheadAttention in double.

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

SEED = 20240111
FOLDER = pathlib.Path(__file__).resolve().parent
ARRAYS = {}  # what golden.safetensors will hold
E, HEADS, BATCH, QUERIES = 6, 3, 3, 4


def add(case, make):
    """Calls make() with the case's own random numbers and adds what it returns to ARRAYS."""
    torch.manual_seed(SEED + zlib.crc32(case.encode()) % 100000)
    for name, values in make().items():
        array = torch.as_tensor(values).detach().numpy()
        assert numpy.isfinite(array).all(), f"{case}.{name}"
        ARRAYS[f"{case}.{name}"] = numpy.array(array, dtype="<f8")


def attention(keys, d_key, d_value, lengths, causal):
    """A layer on random inputs: what went in, what came out, every gradient.

    `lengths` hides padding keys, `causal` the keys behind a query's own place (keys == QUERIES).
    """
    layer = torch.nn.MultiheadAttention(E, HEADS, kdim=d_key, vdim=d_value, batch_first=True)
    for parameter in layer.parameters():  # biases are 0 at first
        torch.nn.init.normal_(parameter, std=0.5)
    x = torch.randn(BATCH, QUERIES, E).requires_grad_()
    y = torch.randn(BATCH, keys, d_key).requires_grad_()
    z = torch.randn(BATCH, keys, d_value).requires_grad_()
    hidden = None
    if lengths is not None:
        hidden = torch.arange(keys)[None, :] >= torch.tensor(lengths)[:, None]
    ahead = torch.triu(torch.ones(QUERIES, keys, dtype=torch.bool), 1) if causal else None
    output, weights = layer(x, y, z, key_padding_mask=hidden, attn_mask=ahead,
                            average_attn_weights=False)
    projection = torch.randn(output.shape)
    (output * projection).sum().backward()

    # The three projections under the names of the layer with unequal sizes, in either case.
    if layer.in_proj_weight is not None:
        weight, weight_grad = layer.in_proj_weight.chunk(3), layer.in_proj_weight.grad.chunk(3)
    else:
        parts = [layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight]
        weight, weight_grad = parts, [part.grad for part in parts]
    bias, bias_grad = layer.in_proj_bias.chunk(3), layer.in_proj_bias.grad.chunk(3)
    arrays = {"x": x, "y": y, "z": z, "output": output, "weights": weights,
              "projection": projection, "gradient.x": x.grad, "gradient.y": y.grad,
              "gradient.z": z.grad}
    for i, name in enumerate(["q_proj", "k_proj", "v_proj"]):
        arrays |= {f"{name}.weight": weight[i], f"{name}.bias": bias[i],
                   f"gradient.{name}.weight": weight_grad[i],
                   f"gradient.{name}.bias": bias_grad[i]}
    return arrays | {"out_proj.weight": layer.out_proj.weight,
                     "out_proj.bias": layer.out_proj.bias,
                     "gradient.out_proj.weight": layer.out_proj.weight.grad,
                     "gradient.out_proj.bias": layer.out_proj.bias.grad}


torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
add("plain", lambda: attention(5, E, E, None, False))
add("both_masks", lambda: attention(4, E, E, [4, 1, 3], True))
add("sizes_differ", lambda: attention(5, 4, 7, [5, 2, 4], False))
write_safetensors(FOLDER / "golden.safetensors", ARRAYS)
print(torch.__version__, numpy.__version__)
