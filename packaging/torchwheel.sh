#!/usr/bin/env bash
# Which of PyPI's torch an NVIDIA driver can run. Sourced by setup.sh; defines functions only.

# cuda_of_driver: prints the newest CUDA that the driver runs, 12040 for 12.4. Fails without a driver.
cuda_of_driver() {
    python3 -c '
import ctypes, sys
version = ctypes.c_int()
status = ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
sys.exit(1) if status else print(version.value)' 2>/dev/null
}

# torch_requirement CUDA: prints pip's requirement for a torch that runs with it. A driver runs every CUDA of its major
# version; PyPI's torch has CUDA 12 up to 2.10, and CUDA 13 from 2.11 on. Fails if the driver is too old for both.
torch_requirement() {
    if [ "$1" -ge 13000 ]; then
        echo 'torch>=2.11,<3'
    elif [ "$1" -ge 12000 ]; then
        echo 'torch>=2.7,<2.11'
    else
        return 1
    fi
}

# torch_runs_a_kernel PYTHON: prints why not, with the versions that count.
torch_runs_a_kernel() {
    "$1" -W ignore -c '
import sys, torch
try:
    assert torch.ones(2, device="cuda").sum().item() == 2
except Exception as error:
    print("PyTorch %s, built with CUDA %s, cannot use the GPU: %s"
          % (torch.__version__, torch.version.cuda, str(error).strip().splitlines()[0]))
    sys.exit(1)'
}
