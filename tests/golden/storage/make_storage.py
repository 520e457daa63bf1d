"""Small files in the two formats that the book reads, for the tests of its readers.

Run in any folder: python3 make_storage.py
It replaces the files beside it; README.md tells what each of them holds. The .npy files come
from numpy's own writer. The .safetensors file is written here by hand, byte for byte as its
format says (https://github.com/huggingface/safetensors): eight bytes with the header's length,
little-endian; the header, JSON, padded with spaces to a multiple of eight; the raw data.
"""

import json
import pathlib
import struct

import numpy

FOLDER = pathlib.Path(__file__).resolve().parent
MATRIX = [[0.5, -1.25, 3.0], [1e-3, 7.0, -65504.0]]


def write_npy(name, array, version=(1, 0)):
    with open(FOLDER / name, "wb") as file:
        numpy.lib.format.write_array(file, array, version=version)


def write_safetensors(name, tensors, metadata):
    """tensors: {name: (dtype's name in the format, shape, struct's letter, numbers)}."""
    header, data = {"__metadata__": metadata}, b""
    for key, (dtype, shape, letter, numbers) in tensors.items():
        begin = len(data)
        data += struct.pack(f"<{len(numbers)}{letter}", *numbers)
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (FOLDER / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    print(f"numpy {numpy.__version__}")
    write_npy("f4.npy", numpy.array(MATRIX, dtype="<f4"))
    write_npy("f8.npy", numpy.array(MATRIX, dtype="<f8"))
    write_npy("i8.npy", numpy.array([[1, -2], [2**53 + 1, -(2**63)]], dtype="<i8"))
    write_npy("fortran.npy", numpy.asfortranarray(numpy.array(MATRIX, dtype="<f8")))
    write_npy("version2.npy", numpy.array(MATRIX, dtype="<f8"), version=(2, 0))
    write_npy("big_endian.npy", numpy.array(MATRIX, dtype=">f8"))
    write_npy("scalar.npy", numpy.array(0.1, dtype="<f8"))
    write_npy("empty.npy", numpy.zeros((0, 3), dtype="<f8"))
    write_safetensors(
        "by_hand.safetensors",
        {
            "layer.weight": ("F32", [2, 3], "f", [x for row in MATRIX for x in row]),
            "layer.bias": ("F64", [2], "d", [0.1, -1e300]),
            "token_ids": ("I64", [3], "q", [7, -1, 2**53 + 1]),
        },
        {"format": "pt", "note": "a \"quoted\" word, a back\\slash, an \u00e9"},
    )


if __name__ == "__main__":
    main()
