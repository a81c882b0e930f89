#!/bin/sh
# fulldisk.sh SWEEPCTL FOLDER TRIALS: runs FOLDER/sweep.toml in FOLDER/ws, mounted as a small disk that is full for a
# while. Each rank appends a line to FOLDER/ran. Run it in a mount namespace: unshare --mount.
set -eu
sweepctl=$1
folder=$2
trials=$3
ws="$folder/ws"

lines() { wc -l <"$folder/ran"; }

: >"$folder/ran"
mkdir -p "$ws"
mount -t tmpfs -o size=32m none "$ws"
"$sweepctl" serve --workspace "$ws" &
engine=$!
trap 'kill $engine 2>/dev/null' EXIT
# Otherwise `run` starts another engine, and the later of the two ends.
until find "$XDG_RUNTIME_DIR" -type s -name '*.sock' | grep -q .; do
    kill -0 $engine
    sleep 0.05
done
"$sweepctl" run "$folder/sweep.toml" --workspace "$ws" >/dev/null
until [ "$(lines)" -ge 5 ]; do sleep 0.05; done

dd if=/dev/zero of="$ws/filling" bs=64k 2>/dev/null || true
until "$sweepctl" status --workspace "$ws" | grep -q "is full"; do sleep 0.1; done
sleep 1
full=$(lines)
sleep 1
[ "$(lines)" -eq "$full" ] || { echo "trials are started on a full disk" && exit 1; }
rm "$ws/filling"

until [ "$("$sweepctl" export 1 --workspace "$ws" --trials - | grep -c ,completed,)" -eq "$trials" ]; do sleep 0.3; done
[ "$(sort -u "$folder/ran" | wc -l)" -eq "$trials" ] || { echo "a trial has not run" && exit 1; }
[ "$(lines)" -eq "$trials" ] || { echo "a trial has run twice" && exit 1; }
python3 -c '
import sqlite3, sys
said = sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchall()
sys.exit(0 if said == [("ok",)] else str(said))' "$ws/sweepscope.db"
