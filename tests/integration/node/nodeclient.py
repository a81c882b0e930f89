"""A client of sweepscope-node, written from core/node/messages.h: what an engine on another machine does."""
import json
import os
import pathlib
import select
import struct
import subprocess
import time

GREETING = b"sweepscope-node 1\n"


class Closed(Exception):
    pass


class Node:
    """A node process for `root`. `files` is what arrived of the files that are followed."""

    def __init__(self, program, root, environment=None, command=None):
        self.process = subprocess.Popen(command or [str(program), str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **(environment or {})})
        self.buffer = b""
        self.files = {}
        self.lives = {}
        self.machine = None
        self.wire = 0
        self.jobs = 0
        while GREETING not in self.buffer:
            self.fill(10)
        self.buffer = self.buffer.partition(GREETING)[2]
        self.welcome = self.wait("welcome")

    def fill(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            raise Closed(self.process.wait(10))
        self.wire += len(data)
        self.buffer += data

    def send(self, kind, payload=b"", **fields):
        content = json.dumps({"type": kind, **fields}).encode() + b"\n" + payload
        self.process.stdin.write(struct.pack(">I", len(content)) + content)
        self.process.stdin.flush()

    def receive(self, seconds=10):
        """The next message; None if none comes in time."""
        end = time.monotonic() + seconds
        while True:
            if len(self.buffer) >= 4:
                length = struct.unpack(">I", self.buffer[:4])[0]
                if len(self.buffer) >= 4 + length:
                    content, self.buffer = self.buffer[4:4 + length], self.buffer[4 + length:]
                    header, _, payload = content.partition(b"\n")
                    return self.note(json.loads(header), payload)
            rest = end - time.monotonic()
            if rest <= 0:
                return None
            self.fill(rest)

    def note(self, message, payload):
        if message["type"] == "chunk":
            content = b"" if message["replaces"] else self.files.get(message["path"], b"")
            assert len(content) == message["offset"], (message, len(content))
            self.files[message["path"]] = content + payload
        elif message["type"] == "gone":
            self.files.pop(message["path"], None)
        elif message["type"] == "life":
            self.lives[message["folder"]] = message
        elif message["type"] == "machine":
            self.machine = message
        return message

    def wait(self, kind, seconds=15, **fields):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.receive(0.2)
            if message and message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message
        raise AssertionError(f"no {kind} came")

    def until(self, condition, seconds=15):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it did not happen in time"
            self.receive(0.2)

    def ask(self, kind, payload=b"", **fields):
        """Sends a request and returns its answer."""
        self.jobs += 1
        self.send(kind, payload, job=self.jobs, **fields)
        end = time.monotonic() + 15
        while time.monotonic() < end:
            message = self.receive(0.2)
            if message and message["type"] in ("done", "failed") and message["job"] == self.jobs:
                return message
        raise AssertionError(f"{kind} was not answered")

    def start(self, folder, attempt, argv, taken=None, **spec):
        launch = {"version": 1, "attempt_id": attempt, "argv": argv, "working_folder": "/tmp", "ranks": 1, **spec}
        return self.ask("start", folder=folder, attempt=attempt, files={"launch.json": json.dumps(launch)},
                        taken=taken or {})

    def follow(self, folder, agent, held=None, credit=1 << 30):
        self.send("credit", bytes=credit)
        self.send("follow", folder=folder, held=held or {}, agent=agent)

    def hang_up(self):
        self.process.stdin.close()
        code = self.process.wait(20)
        self.process.stdout.close()
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass


def content(root, path):
    return (pathlib.Path(root) / path).read_bytes()
