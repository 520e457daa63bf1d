"""Writes named arrays as a .safetensors file, byte for byte as the format says and not by its
library (https://github.com/huggingface/safetensors): eight bytes with the header's length,
little-endian; the header, JSON, padded with spaces to a multiple of eight; the raw data.
"""

import json
import struct

TYPES = {"<f2": "F16", "<f4": "F32", "<f8": "F64", "<i8": "I64", "|u1": "U8",
         "<u2": "BF16"}  # NumPy has none: its bits


def write_safetensors(path, arrays, metadata=None):
    """arrays: {name: NumPy array of a type in TYPES}; metadata: {key: text}."""
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, array in sorted(arrays.items()):
        begin = len(data)
        data += array.tobytes()
        header[name] = {"dtype": TYPES[array.dtype.str], "shape": array.shape,
                        "data_offsets": [begin, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
