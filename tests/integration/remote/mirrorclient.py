"""Speaks enough of docs/protocol.md to look at the files of trials."""
import os
import socket


def cbor(value):
    def head(major, number):
        for size, code in ((24, None), (1 << 8, 24), (1 << 16, 25), (1 << 32, 26), (1 << 64, 27)):
            if number < size:
                return bytes([major << 5 | number]) if code is None else bytes([major << 5 | code]) + number.to_bytes(1 << (code - 24), "big")

    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())


class MirrorClient:
    """A connection to a mirror as a window makes it."""

    def __init__(self, path, workspace):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.send({"type": "hello", "version": 6, "program": "test", "pid": os.getpid(), "workspace": str(workspace),
                   "trials": True, "watch": True, "ping": True, "mirror": True})
        received = b""
        while b"\x65ready" not in received:
            data = self.socket.recv(65536)
            if not data:
                self.socket.close()
                raise AssertionError(received)
            received += data

    def send(self, message):
        payload = cbor(message)
        self.socket.sendall(len(payload).to_bytes(4, "big") + payload)

    def look(self, trial, whole=False):
        """At the first attempt of a trial of the first sweep."""
        self.send({"type": "look", "attempts": [[1, trial, 1, whole]]})
