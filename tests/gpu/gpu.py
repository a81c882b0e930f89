"""What NVML and nvidia-smi say about the GPUs of this machine."""

import ctypes
import shutil
import subprocess
import threading
import time

MIB = 1 << 20

# Name in a recorded script (tests/clients/nvmlrecording), name for nvidia-smi, factor to the unit of nvidia-smi, and the greatest
# difference: absolute, and as a fraction. Readings are some milliseconds apart.
COMPARED = [
    ("memory", "memory.total", 1 / MIB, 1, 0),
    ("memory_used", "memory.used", 1 / MIB, 64, 0),
    ("temperature", "temperature.gpu", 1, 3, 0),
    ("power", "power.draw", 1, 15, 0.3),
    ("power_limit", "power.limit", 1, 0.01, 0),
    ("sm_clock_max", "clocks.max.sm", 1, 0, 0),
    ("memory_clock", "clocks.mem", 1, 0, 0.02),
    ("memory_clock_max", "clocks.max.mem", 1, 0, 0),
    ("pcie_generation_max", "pcie.link.gen.max", 1, 0, 0),
    ("pcie_width_max", "pcie.link.width.max", 1, 0, 0),
    ("pcie_width", "pcie.link.width.current", 1, 0, 0),
]
QUERY = ["uuid", "name", *(field for _, field, *_ in COMPARED)]


def gpus_of_nvidia_smi(fields):
    """Returns a dictionary per GPU. Empty without nvidia-smi, or if it fails."""
    if not shutil.which("nvidia-smi"):
        return []
    done = subprocess.run(["nvidia-smi", "--query-gpu=" + ",".join(fields), "--format=csv,noheader,nounits"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return parse(fields, done.stdout) if done.returncode == 0 else []


def parse(fields, text):
    rows = (line.split(", ") for line in text.strip().splitlines())
    return [dict(zip(fields, row)) for row in rows if len(row) == len(fields)]


def number(text):
    """Returns None for "[N/A]" and the like."""
    try:
        return float(text)
    except ValueError:
        return None


def differences(recorded, before, after):
    """Compares the GPUs of a recorded script with two readings of nvidia-smi, one before it and one after. A value may lie
    anywhere between the two. Returns (sentences, number of values compared)."""
    found, compared = [], 0
    ours = {gpu["uuid"]: gpu for gpu in recorded["gpus"]}
    if set(ours) != {row["uuid"] for row in before}:
        return [f"NVML has the GPUs {sorted(ours)}, nvidia-smi has {sorted(row['uuid'] for row in before)}"], 0
    for first, second in zip(before, after):
        gpu = ours[first["uuid"]]
        if gpu["name"] != first["name"]:
            found.append(f"name: {gpu['name']}, nvidia-smi: {first['name']}")
        for key, field, factor, absolute, fraction in COMPARED:
            limits = [number(first[field]), number(second[field])]
            value = gpu.get(key)
            if None in limits:
                continue
            if value is None:
                found.append(f"{key}: unknown, nvidia-smi: {first[field]}")
                continue
            values = value["curve"] if isinstance(value, dict) else [value]
            slack = absolute + fraction * max(limits)
            compared += 1
            wrong = [each * factor for each in values if not min(limits) - slack <= each * factor <= max(limits) + slack]
            if wrong:
                found.append(f"{key}: {wrong[0]:g}, nvidia-smi: {limits[0]:g} before and {limits[1]:g} after")
    return found, compared


class _MemoryInfo(ctypes.Structure):
    _fields_ = [("total", ctypes.c_uint64), ("free", ctypes.c_uint64), ("used", ctypes.c_uint64)]


class GpuMemory:
    """Used memory of the first GPU. Within `with`, a thread follows it every 20 ms."""

    def __init__(self):
        self._nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self._handle = ctypes.c_void_p()
        if self._nvml.nvmlInit_v2() or self._nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self._handle)):
            raise OSError("NVML does not open the first GPU")
        self._stop = threading.Event()
        self.peak = 0

    def used(self):
        """In MiB."""
        info = _MemoryInfo()
        if self._nvml.nvmlDeviceGetMemoryInfo(self._handle, ctypes.byref(info)):
            raise OSError("NVML does not return the memory of the first GPU")
        return info.used / MIB

    def settled(self, seconds=10):
        """Waits until no memory has been released for half a second, and returns what is left in MiB."""
        last, since = self.used(), time.monotonic()
        end = since + seconds
        while time.monotonic() < min(since + 0.5, end):
            now = self.used()
            if abs(now - last) >= 1:
                last, since = now, time.monotonic()
            time.sleep(0.02)
        return last

    def __enter__(self):
        self._start = self.settled()
        self.peak = 0
        self._stop.clear()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()
        return self

    def _follow(self):
        while not self._stop.wait(0.02):
            self.peak = max(self.peak, self.used() - self._start)

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()


class NoMemory:
    """Takes its place without a GPU."""

    peak = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
