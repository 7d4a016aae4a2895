#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program with an imbalance, a slow broadcast and a halo exchange, in the lab: three changes predicted, made, measured.
# Needs root; two minutes.
# Usage: changes.sh COLLSCOPE [FOLDER]  FOLDER, which must not exist, keeps all that is recorded; /tmp/collscope-changes without it
set -eu
collscope=$(command -v "$1")
out=${2:-/tmp/collscope-changes}
here=$(cd "$(dirname "$0")" && pwd)
ranks=8
run="mpirun -n $ranks $out/uneven"
mkdir "$out"
mpicc -O1 -g "$here/uneven.c" -o "$out/uneven"
library=$(dirname "$collscope")/libcollscope-pmpi.so
[ -e "$library" ] || library=$(ls "$(dirname "$collscope")"/../lib/*/collscope/libcollscope-pmpi.so)

laboratory() { # RATE
    "$collscope" lab up --hosts $ranks --rate "$1" > "$out/up"
    trap '"$collscope" lab down > "$out/down"' EXIT
    "$collscope" calibrate --lab -o "$out/$1.model" > "$out/calibrated"
}
replay() { # WHAT TRACE FLAGS...
    echo "$1"
    what=$2
    shift 2
    "$collscope" replay "$what" --ports 1 --lab --repeat 3 --tables check "$@" 2> "$out/said"
}

# Unchanged: the root sends the table to one rank after the other.
echo 'bcast intra * * bcast/flat' > "$out/rules"
mpirun --allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n $ranks -x LD_PRELOAD="$library" \
    -x COLLSCOPE_RULES="$out/rules" -x COLLSCOPE_TRACE="$out/desk" "$out/uneven" > "$out/said" 2>&1
laboratory 100mbit
replay 'as it is' "$out/desk" --model "@$out/100mbit.model" --check "$run" --measured "$out/lab"
replay 'without the delay of rank 7' "$out/lab" --model "@$out/100mbit.model" --without 'rank 7: (outside of calls)' \
    --check "$run even" --measured "$out/even"
replay 'broadcast along a binomial tree' "$out/lab" --model "@$out/100mbit.model" --with bcast=bcast/binomial-tree \
    --check "$run" --measured "$out/tree"
"$collscope" lab down > "$out/down"
trap - EXIT
laboratory 200mbit
replay 'ports twice as fast' "$out/lab" --model "@$out/200mbit.model" --check "$run" --measured "$out/fast"
