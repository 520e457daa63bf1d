"""Golden values of layers, losses and optimisers, computed by PyTorch in double precision.

Run in any folder: python3 make_golden.py
It replaces golden.safetensors beside it; ../README.md tells what each of its arrays is.

Each case is a function that returns {array: tensor}; `add` names them <case>.<array>.
Gradients are those of one number,

    loss = sum over outputs of sum(output * projection of that output),

with fixed random projections, so that no two errors in an output can cancel.
"""

import pathlib
import sys
import zlib

import numpy
import torch
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golden_file import write_safetensors

SEED = 20240101
FOLDER = pathlib.Path(__file__).resolve().parent
ARRAYS = {}  # what golden.safetensors will hold


def add(case, make, *arguments):
    """Calls make(*arguments) with the case's own random numbers; the result goes to ARRAYS.

    The case's name enters the seed: a new case does not change the others' numbers.
    """
    torch.manual_seed(SEED + zlib.crc32(case.encode()) % 100000)
    for name, values in make(*arguments).items():
        array = torch.as_tensor(values).detach().numpy()
        assert numpy.isfinite(array).all(), f"{case}.{name}"
        # Scalars become [1], and integers (lengths, targets, indices) doubles as well: one
        # type for all who read them.
        ARRAYS[f"{case}.{name}"] = numpy.array(array, dtype="<f8", ndmin=1)


def normal(*shape):
    """Normal numbers that want a gradient."""
    return torch.randn(*shape).requires_grad_()


def with_gradients(inputs, outputs):
    """Inputs, outputs, their projections, and the gradients of all the inputs.

    A single output is called `output`, with its `projection`; of several outputs each, `h_n`
    say, has a `projection.h_n`.
    """
    projections = {name: torch.randn(output.shape) for name, output in outputs.items()}
    sum((outputs[name] * projections[name]).sum() for name in outputs).backward()
    arrays = {**inputs, **outputs}
    for name, projection in projections.items():
        arrays["projection" if len(outputs) == 1 else f"projection.{name}"] = projection
    for name, value in inputs.items():
        if value.requires_grad:
            arrays[f"gradient.{name}"] = value.grad
    return arrays


def scatter_parameters(module):
    """Replaces PyTorch's small initial values by normal ones, where tanh and sigmoid bend."""
    for parameter in module.parameters():
        parameter.data.normal_(0, 0.6)
    return dict(module.named_parameters())


# ---------------------------------------------------------------- recurrent layers and cells

RECURRENT = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}
CELLS = {"rnn": torch.nn.RNNCell, "gru": torch.nn.GRUCell, "lstm": torch.nn.LSTMCell}


def recurrent(kind, n_features, hidden, n_steps, lengths, n_layers, bidirectional, initial):
    """A whole recurrent layer over [batch, steps, features].

    The entries of x beyond a sequence's length are random like the rest: they must not matter.
    """
    layer = RECURRENT[kind](
        n_features, hidden, n_layers, batch_first=True, bidirectional=bidirectional
    )
    parameters = scatter_parameters(layer)
    batch, n_states = len(lengths), n_layers * (2 if bidirectional else 1)
    inputs = {"x": normal(batch, n_steps, n_features)}
    state_names = ["h", "c"] if kind == "lstm" else ["h"]
    states = None
    if initial:
        inputs.update({f"{s}_0": normal(n_states, batch, hidden) for s in state_names})
        states = tuple(inputs[f"{s}_0"] for s in state_names)
        states = states if kind == "lstm" else states[0]

    if min(lengths) == n_steps:
        output, final = layer(inputs["x"], states)
    else:
        packed = pack_padded_sequence(
            inputs["x"], torch.tensor(lengths), batch_first=True, enforce_sorted=False
        )
        output, final = layer(packed, states)
        output, _ = pad_packed_sequence(output, batch_first=True, total_length=n_steps)
    final = final if kind == "lstm" else (final,)
    outputs = {"output": output, **{f"{s}_n": v for s, v in zip(state_names, final)}}
    arrays = with_gradients({**inputs, **parameters}, outputs)
    return {"lengths": torch.tensor(lengths), **arrays}


def cell(kind):
    """One step of a cell, batch 3, 4 features, hidden size 5."""
    layer = CELLS[kind](4, 5)
    inputs = {"x": normal(3, 4), "h": normal(3, 5), **scatter_parameters(layer)}
    if kind == "lstm":
        inputs["c"] = normal(3, 5)
        h_next, c_next = layer(inputs["x"], (inputs["h"], inputs["c"]))
        return with_gradients(inputs, {"h_next": h_next, "c_next": c_next})
    return with_gradients(inputs, {"output": layer(inputs["x"], inputs["h"])})


# ------------------------------------------------------ normalisation, losses, nonlinearities


def layer_norm(constant_row):
    """Over the last axis of [3, 4, 5], eps 1e-5; one row may have no variance at all."""
    x = torch.randn(3, 4, 5)
    if constant_row:
        x[1, 2] = 2.5
    inputs = {"x": x.requires_grad_(), "weight": normal(5), "bias": normal(5)}
    output = functional.layer_norm(x, (5,), inputs["weight"], inputs["bias"], eps=1e-5)
    return with_gradients(inputs, {"output": output})


def cross_entropy(label_smoothing, reduction):
    """Logits [7, 6], two targets of them -100 (ignored), one row with outliers."""
    torch.manual_seed(SEED)  # the same logits in all four cases
    logits = 2 * torch.randn(7, 6)
    logits[3] = torch.tensor([60.0, -60.0, 0.0, 59.0, 1.0, -1.0])
    logits.requires_grad_()
    targets = torch.tensor([2, -100, 0, 3, 5, -100, 2])
    loss = functional.cross_entropy(
        logits, targets, ignore_index=-100, label_smoothing=label_smoothing, reduction=reduction
    )
    loss.backward()
    return {
        "logits": logits, "targets": targets, "loss": loss, "gradient.logits": logits.grad,
    }


def along_axis(function, axis):
    """Softmax or its logarithm of [2, 3, 4], with two outliers."""
    x = torch.randn(2, 3, 4)
    x[0, 1, 2], x[1, 2, 0] = 40.0, -35.0
    x.requires_grad_()
    return with_gradients({"x": x}, {"output": function(x, dim=axis)})


def gelu(approximate):
    """Points from one tail to the other, zero among them."""
    x = torch.cat([torch.tensor([-30.0, -6.0, -1.0, 0.0, 1e-3, 6.0, 30.0]), torch.randn(5)])
    x.requires_grad_()
    return with_gradients({"x": x}, {"output": functional.gelu(x, approximate=approximate)})


def away_from_zero(*shape):
    """Normal numbers, each a tenth further from 0: the slope at the bend is a convention."""
    x = torch.randn(*shape)
    return (x + 0.1 * x.sign()).requires_grad_()


def leaky_relu(slope):
    x = away_from_zero(3, 4)
    return with_gradients({"x": x}, {"output": functional.leaky_relu(x, slope)})


def embedding():
    """Rows of a table of 5; index 3 is asked for four times, 1 and 4 never."""
    weight, indices = normal(5, 3), torch.tensor([[3, 0, 3, 2], [3, 2, 0, 3]])
    output = functional.embedding(indices, weight)
    arrays = with_gradients({"weight": weight}, {"output": output})
    return {"indices": indices, **arrays}


# ------------------------------------------------------------------------------- optimisers


def regression():
    """A linear regression: predictions x w + b of y, 8 rows. The same for all optimisers."""
    torch.manual_seed(SEED)
    x, y = torch.randn(8, 3), torch.randn(8, 2)
    w, b = normal(3, 2), normal(2)
    return x, y, w, b


def regression_data():
    x, y, w, b = regression()
    return {"x": x, "y": y, "w": w, "b": b}


def mean_squared_error(x, y, w, b):
    return ((x @ w + b - y) ** 2).mean()


def optimiser(make):
    """Ten steps: the loss before each step, the parameters after it."""
    x, y, w, b = regression()
    rule = make([w, b])
    losses, ws, bs = [], [], []
    for _ in range(10):
        rule.zero_grad()
        loss = mean_squared_error(x, y, w, b)
        loss.backward()
        rule.step()
        losses.append(loss.detach())
        ws.append(w.detach().clone())
        bs.append(b.detach().clone())
    return {"loss": torch.stack(losses), "w": torch.stack(ws), "b": torch.stack(bs)}


def clip_grad_norm(max_norm):
    """The regression's first gradients, before and after; the norm is the one before.

    PyTorch multiplies by min(1, max_norm / (norm + 1e-6)).
    """
    x, y, w, b = regression()
    mean_squared_error(x, y, w, b).backward()
    before = {"before.w": w.grad.clone(), "before.b": b.grad.clone()}
    norm = clip_grad_norm_([w, b], max_norm)
    return {
        "max_norm": torch.tensor(max_norm), "norm": norm, **before,
        "after.w": w.grad, "after.b": b.grad,
    }


OPTIMISERS = {
    "adam": lambda p: torch.optim.Adam(
        p, lr=0.01, betas=(0.9, 0.999), eps=1e-8, weight_decay=0
    ),
    "adam_betas": lambda p: torch.optim.Adam(
        p, lr=0.05, betas=(0.8, 0.95), eps=1e-3, weight_decay=0
    ),
    "adam_l2": lambda p: torch.optim.Adam(p, lr=0.01, eps=1e-8, weight_decay=0.1),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.01, eps=1e-8, weight_decay=0.1),
    "sgd_momentum": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9),
    "sgd_momentum_decay": lambda p: torch.optim.SGD(
        p, lr=0.01, momentum=0.9, weight_decay=0.1, nesterov=False
    ),
}


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, numpy {numpy.__version__}, seed {SEED}")

    for kind in RECURRENT:
        # kind, features, hidden, steps, lengths, layers, bidirectional, initial states given
        add(f"{kind}_equal", recurrent, kind, 3, 4, 5, [5, 5, 5, 5], 1, False, False)
        add(f"{kind}_lengths", recurrent, kind, 3, 4, 5, [5, 3, 1, 4], 1, True, True)
        add(f"{kind}_stacked", recurrent, kind, 4, 3, 6, [2, 5, 4], 2, True, True)
        add(f"{kind}_cell", cell, kind)

    add("layer_norm", layer_norm, False)
    add("layer_norm_constant", layer_norm, True)
    for reduction in ["mean", "sum"]:
        add(f"cross_entropy_{reduction}", cross_entropy, 0.0, reduction)
        add(f"cross_entropy_smooth_{reduction}", cross_entropy, 0.1, reduction)
    for axis in [0, 1, 2]:
        add(f"softmax_axis{axis}", along_axis, functional.softmax, axis)
        add(f"log_softmax_axis{axis}", along_axis, functional.log_softmax, axis)
    add("gelu_erf", gelu, "none")
    add("gelu_tanh", gelu, "tanh")
    add("leaky_relu_0_01", leaky_relu, 0.01)
    add("leaky_relu_0_2", leaky_relu, 0.2)
    add("embedding", embedding)

    add("regression", regression_data)
    for name, make in OPTIMISERS.items():
        add(name, optimiser, make)
    add("clip_grad_norm", clip_grad_norm, 0.5)
    add("clip_grad_norm_idle", clip_grad_norm, 100.0)
    write_safetensors(FOLDER / "golden.safetensors", ARRAYS)


if __name__ == "__main__":
    main()
