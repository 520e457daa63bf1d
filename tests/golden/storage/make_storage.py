"""A small file in the format that the book reads, for the tests of its reader.

Run in any folder: python3 make_storage.py
It replaces the file beside it; ../README.md tells what it holds.
"""

import pathlib
import sys

import numpy

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from golden_file import write_safetensors

write_safetensors(
    FOLDER / "by_hand.safetensors",
    {
        "layer.weight": numpy.array([[0.5, -1.25, 3.0], [1e-3, 7.0, -65504.0]], dtype="<f4"),
        "layer.bias": numpy.array([0.1, -1e300], dtype="<f8"),
        "token_ids": numpy.array([7, -1, 2**53 + 1, -(2**63)], dtype="<i8"),
        "scalar": numpy.array(0.1, dtype="<f8"),
        "empty": numpy.zeros((0, 3), dtype="<f8"),
    },
    {"format": "pt", "note": "a \"quoted\" word, a back\\slash, an \u00e9"},
)
