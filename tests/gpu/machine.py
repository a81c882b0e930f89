"""Facts about this machine, for the head of the report."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys

from gpu import gpus_of_nvidia_smi

# Importing torch here would open the GPU in this process.
_TORCH = """
import json, sys
facts = {}
try:
    import torch
    facts.update(torch=torch.__version__, cuda=torch.version.cuda, gpus=torch.cuda.device_count(),
                 nccl=torch.cuda.is_available() and ".".join(map(str, torch.cuda.nccl.version())))
    if facts["gpus"]:
        properties = torch.cuda.get_device_properties(0)
        facts.update(gpu=properties.name, capability=f"{properties.major}.{properties.minor}",
                     memory=properties.total_memory)
        facts["sum"] = torch.ones(1000, device="cuda").sum().item()
except Exception as error:
    facts["error"] = str(error).strip().splitlines()[0]
print(json.dumps(facts))
"""


def ask_torch():
    """Returns what Python's torch says, and the sum of 1,000 ones on the first GPU."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", _TORCH], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"error": (done.stderr.strip().splitlines() or ["Python ended"])[-1]}


def gpu_or_reason():
    """Returns an empty string if there is a GPU, else why there is none."""
    if gpus_of_nvidia_smi(["uuid"]):
        return ""
    torch = ask_torch()
    if torch.get("gpus"):
        return ""
    torch_says = torch.get("error") or f"torch {torch['torch']} sees no GPU"
    return f"nvidia-smi {'lists none' if shutil.which('nvidia-smi') else 'is missing'}, and {torch_says}"


def tool(name):
    """Returns the path of a program. Also looks next to Python, where pip installs CMake and Ninja."""
    return shutil.which(name, path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))


def version_of(name, argument="--version"):
    path = tool(name)
    if not path:
        return "missing"
    done = subprocess.run([path, argument], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d+\.\d+", line)]
    return lines[0] if lines else "unknown"


def facts_without_gpu():
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return {"kernel": platform.release(), "C library": " ".join(platform.libc_ver()), "Python": platform.python_version(),
            "cores": os.cpu_count(), "memory": f"{pages:.0f} GiB", "compiler": version_of("c++"), "CMake": version_of("cmake"),
            "nvcc": version_of("nvcc").removeprefix("Cuda compilation tools, ")}
