#!/usr/bin/env bash
# Installs what is missing to build and run Sweepscope: Debian packages with apt (as root, or through sudo), and LibTorch.
# Does nothing, quickly, when all is there. Sourced by run.sh and test.sh; may be run by itself.
#
# LibTorch is taken from, in this order:
#     1. the folder that SWEEPSCOPE_TORCH_PREFIX names (the one that holds include/ and lib/)
#     2. the active Python environment, if it has torch
#     3. with an NVIDIA driver: pip's torch (CUDA, NCCL) in a private environment under ${XDG_CACHE_HOME:-~/.cache}/sweepscope
#     4. Debian's libtorch-dev
set -euo pipefail

sweepscope_source="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
sweepscope_torch_environment="${XDG_CACHE_HOME:-$HOME/.cache}/sweepscope/torch"

# Paths inside the clone do not count for ccache: another clone of the same files compiles nothing again.
# What is not in its cache it compiles without running the preprocessor first, which saves a twelfth of a first build.
export CCACHE_BASEDIR="$sweepscope_source" CCACHE_NOHASHDIR=true CCACHE_DEPEND=true

# shellcheck source=packaging/torchwheel.sh
source "$sweepscope_source/packaging/torchwheel.sh"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 2; }

# Prints the packages among its arguments that are not installed.
missing_packages() {
    # dpkg-query fails when it knows none of them: then all are missing.
    { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
        awk -v wanted="$*" '$1 == "installed" { have[$2] } END { n = split(wanted, w); for (i = 1; i <= n; ++i) if (!(w[i] in have)) print w[i] }'
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "these packages are missing and neither root nor sudo is at hand to install them: ${packages_to_install[*]}"
    fi
}

install_packages() {
    mapfile -t packages_to_install < <(missing_packages "$@")
    [ "${#packages_to_install[@]}" -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "this script installs with apt; please install yourself: ${packages_to_install[*]}"
    say "Installing ${packages_to_install[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages_to_install[@]}"
}

# A torch to build with. Debian's python3-torch, which tests use, is none: its headers are libtorch-dev's.
python_has_torch() {
    command -v python3 >/dev/null && python3 -c '
import importlib.util, os, sys
found = importlib.util.find_spec("torch")
libraries = [os.path.join(folder, "lib", "libtorch_cpu.so") for folder in found.submodule_search_locations] if found else []
sys.exit(not any(os.path.isfile(library) and not os.path.islink(library) for library in libraries))' 2>/dev/null
}

nvidia_driver_present() { [ -e /proc/driver/nvidia/version ] || [ -e /usr/lib/wsl/lib/libnvidia-ml.so.1 ]; }

torch_of_environment() { echo "$sweepscope_torch_environment"/lib/python3*/site-packages/torch; }

free_gigabytes() { df --output=avail --block-size=1G "$1" | tail -n 1 | tr -d ' '; }

# make_torch_environment [GB to leave]: makes the private environment with pip's torch unless it is there. Fails, having
# said why, when it cannot be had. Needs python3-venv and python3-pip.
make_torch_environment() {
    local leave="${1:-0}"
    mkdir -p "$(dirname "$sweepscope_torch_environment")" || return 1
    (
        flock 9  # another clone's may be making it
        if torch_environment_works; then
            add_cuda_headers && exit 0
            echo "The CUDA headers that PyTorch's need cannot be installed with pip"
            exit 1
        fi
        needed=$((12 + leave))  # GB: the downloads and what comes out of them lie side by side for a while
        free="$(free_gigabytes "$(dirname "$sweepscope_torch_environment")")"
        if [ "$free" -lt "$needed" ]; then
            echo "PyTorch with CUDA needs $needed GB in $sweepscope_torch_environment, and $free are free"
            exit 1
        fi
        requirement='torch>=2.11,<3'  # without a driver, for tests that need no GPU
        if nvidia_driver_present; then
            cuda="$(cuda_of_driver)" || cuda=0
            requirement="$(torch_requirement "$cuda")" || {
                echo "The NVIDIA driver runs CUDA $((cuda / 1000)).$((cuda % 1000 / 10)) at most, and PyTorch needs 12 or newer: update it"
                exit 1
            }
        fi
        say "Installing PyTorch with CUDA into $sweepscope_torch_environment (several GB, once)"
        rm -rf "$sweepscope_torch_environment"
        if fill_torch_environment "$requirement" && torch_environment_works; then
            nvidia_driver_present || exit 0
            torch_runs_a_kernel "$sweepscope_torch_environment/bin/python3" && exit 0
            exit 1
        fi
        rm -rf "$sweepscope_torch_environment"
        echo "PyTorch with CUDA cannot be installed with pip"
        exit 1
    ) 9>"$sweepscope_torch_environment.lock" >&2
}

fill_torch_environment() {
    local folder="$sweepscope_torch_environment" requirement="$1"
    # A download that crawls ends too. The check is for a torch without CUDA, which some package mirrors have.
    python3 -m venv "$folder" && mkdir "$folder/downloads" &&
        TMPDIR="$folder/downloads" timeout --foreground 1200 \
            "$folder/bin/python3" -m pip install --quiet --no-cache-dir "$requirement" &&
        add_cuda_headers &&
        "$folder/bin/python3" -W ignore -c 'import sys, torch; sys.exit(not torch.distributed.is_nccl_available())' &&
        rm -rf "$folder/downloads" && touch "$folder/complete"
}

# CUDA 13's runtime includes headers that pip has in a package of their own, which torch does not ask for.
add_cuda_headers() {
    local folder="$sweepscope_torch_environment" version
    version="$("$folder/bin/python3" -c '
import importlib.metadata, os, sysconfig
runtime = importlib.metadata.version("nvidia-cuda-runtime").split(".")
include = os.path.join(sysconfig.get_path("purelib"), "nvidia", "cu" + runtime[0], "include")
if not os.path.exists(os.path.join(include, "crt", "host_defines.h")):
    print(".".join(runtime[:2]))' 2>/dev/null)" || return 0  # CUDA 12 has them all in one, under another name
    [ -z "$version" ] ||
        "$folder/bin/python3" -m pip install --quiet --no-cache-dir --no-deps "nvidia-cuda-crt==$version.*" ||
        [ -e /usr/local/cuda/include/crt/host_defines.h ]
}

# The Python that it was made with may have been removed since.
torch_environment_works() {
    [ -e "$sweepscope_torch_environment/complete" ] && "$sweepscope_torch_environment/bin/python3" -c ''
}

install_torch() {
    if [ -n "${SWEEPSCOPE_TORCH_PREFIX:-}" ]; then
        [ -e "$SWEEPSCOPE_TORCH_PREFIX/include/torch" ] || [ -e "$SWEEPSCOPE_TORCH_PREFIX/include/torch/csrc" ] ||
            die "SWEEPSCOPE_TORCH_PREFIX is $SWEEPSCOPE_TORCH_PREFIX, but there is no include/torch in it"
    elif python_has_torch; then
        if nvidia_driver_present; then
            torch_runs_a_kernel python3 >&2 || say "The worker will train on the CPU, or fail where it is given a GPU"
        fi
    elif nvidia_driver_present; then
        install_packages python3-venv python3-pip
        make_torch_environment || die "PyTorch with CUDA cannot be installed; the lines above say why. To build with Debian's \
all the same: apt-get install libtorch-dev libgloo-dev libopenblas0-pthread, and set SWEEPSCOPE_TORCH_PREFIX=/usr"
        SWEEPSCOPE_TORCH_PREFIX="$(torch_of_environment)"
    else
        # With the reference BLAS, which would come by default, a training step takes ten times as long.
        install_packages libtorch-dev libgloo-dev libopenblas0-pthread
    fi
}

# configure PRESET [cmake arguments]: once, and again if the arguments or the presets changed.
configure() {
    local preset="$1" folder stamp log
    shift
    folder="$sweepscope_source/build/$preset"
    # Said when it is empty too: a build made before may have another one.
    set -- "$@" "-DSWEEPSCOPE_TORCH_PREFIX=${SWEEPSCOPE_TORCH_PREFIX:-}"
    stamp="$folder/configured-with"
    if [ ! -e "$folder/build.ninja" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$*" ] ||
        [ "$sweepscope_source/CMakePresets.json" -nt "$stamp" ]; then
        say "Configuring $preset"
        log="$(mktemp)"
        (cd "$sweepscope_source" && cmake --preset "$preset" "$@" >"$log" 2>&1) || {
            cat "$log" >&2
            rm -f "$log"
            die "configuring failed; the lines above say why"
        }
        rm -f "$log"
        printf '%s' "$*" >"$stamp"
    fi
}

# build PRESET [target...]: what is out of date; everything when no target is named.
build() {
    local preset="$1"
    shift
    [ "$#" -eq 0 ] || set -- --target "$@"
    (cd "$sweepscope_source" && nice -n "${sweepscope_niceness:-0}" cmake --build --preset "$preset" --parallel "$(nproc)" "$@")
}

mapfile -t sweepscope_packages < <(grep -v '^#' "$sweepscope_source/packaging/packages.debian")
install_packages "${sweepscope_packages[@]}"
install_torch
