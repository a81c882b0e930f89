# SPDX-License-Identifier: MIT
"""PNG files of arrays and of objects that can save themselves."""

import io
import struct
import zlib

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # by number of channels: gray, with alpha, RGB, with alpha
_MOST_PIXELS = 1 << 26


def encode(image):
    """Return the bytes of a PNG file. `image`: an image of PIL, a figure of Matplotlib, or an array of NumPy or PyTorch or nested lists:
    height x width, or with 1 to 4 channels as third dimension; integers from 0 to 255, or other numbers from 0 to 1."""
    if hasattr(image, "savefig"):
        return _saved(image.savefig)
    if hasattr(image, "save") and hasattr(image, "size") and hasattr(image, "mode"):
        return _saved(image.save)
    height, width, channels, pixels = _pixels(image)
    rows = b"".join(b"\0" + pixels[at : at + width * channels] for at in range(0, len(pixels), width * channels))
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def _saved(save):
    file = io.BytesIO()
    save(file, format="png")
    return file.getvalue()


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pixels(image):
    if hasattr(image, "detach"):  # a tensor
        image = image.detach().cpu()
        try:
            image = (image.float() if image.dtype.is_floating_point else image).numpy()
        except RuntimeError:  # there is no NumPy
            image = image.tolist()
    if hasattr(image, "astype"):
        shape, bytes_of = image.shape, _bytes_of_array
    else:
        image = _as_lists(image)
        shape, bytes_of = _shape(image), _bytes_of_lists
    if len(shape) not in (2, 3) or 0 in shape or (len(shape) == 3 and shape[2] not in _COLOR_TYPES):
        raise ValueError("an image is height x width, or height x width x channels with 1 to 4 channels, and this is {}".format(
            " x ".join(map(str, shape)) or "a number"))
    if shape[0] * shape[1] > _MOST_PIXELS:
        raise ValueError("an image has at most {:,} pixels, and this one {:,}".format(_MOST_PIXELS, shape[0] * shape[1]))
    return shape[0], shape[1], shape[2] if len(shape) == 3 else 1, bytes_of(image)


def _bytes_of_array(array):
    if array.dtype.kind == "b":
        array = array.astype("uint8") * 255
    elif array.dtype.kind == "f":  # NaN is black
        array = (array.astype("float64").clip(0, 1) * 255 + 0.5)
        array[array != array] = 0
    elif array.dtype.kind not in "iu":
        raise TypeError("an image needs numbers, not values of type {}".format(array.dtype))
    elif array.dtype != "uint8":
        array = array.clip(0, 255)
    return array.astype("uint8").tobytes()


def _as_lists(image):
    return memoryview(image).tolist() if isinstance(image, memoryview) else image


def _shape(lists):
    shape = []
    while isinstance(lists, (list, tuple)):
        shape.append(len(lists))
        lists = lists[0] if lists else None
    return tuple(shape)


def _bytes_of_lists(lists):
    numbers, width = [], None
    for row in lists:
        flat = [value for pixel in row for value in (pixel if isinstance(pixel, (list, tuple)) else (pixel,))]
        if width not in (None, len(flat)):
            raise ValueError("the rows of an image must have equal lengths")
        width = len(flat)
        numbers += flat
    if any(isinstance(value, float) for value in numbers):
        numbers = [int(min(1.0, max(0.0, value)) * 255 + 0.5) if value == value else 0 for value in numbers]
    elif any(isinstance(value, bool) for value in numbers):
        numbers = [255 * value for value in numbers]
    return bytes(min(255, max(0, int(value))) for value in numbers)
