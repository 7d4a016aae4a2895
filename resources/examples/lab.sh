#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predicts what three programs take in the lab, from a recording outside of it, and runs them there: halo exchange,
# allreduce and alltoall of 8 ranks, two sizes each, ports of 100 and 200 Mbit/s. Needs root; five minutes.
# Usage: lab.sh COLLSCOPE [FOLDER]      FOLDER, which must not exist, keeps all that is recorded; /tmp/collscope-lab without it
set -eu
collscope=$(command -v "$1")
out=${2:-/tmp/collscope-lab}
here=$(cd "$(dirname "$0")" && pwd)
ranks=8
mkdir "$out"

for program in halo sums exchange; do
    mpicc -O1 -g "$here/$program.c" -o "$out/$program"
done
library=$(dirname "$collscope")/libcollscope-pmpi.so
[ -e "$library" ] || library=$(ls "$(dirname "$collscope")"/../lib/*/collscope/libcollscope-pmpi.so)

# The programs are recorded once, outside the lab.
record() { # PROGRAM BYTES
    mpirun --allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n $ranks \
        -x LD_PRELOAD="$library" -x COLLSCOPE_TRACE="$out/$1-$2" "$out/$1" "$2" > "$out/said" 2>&1
}
for bytes in 65536 262144; do record halo $bytes; record sums $bytes; done
for bytes in 65536 131072; do record exchange $bytes; done

predict() { # RATE PROGRAM BYTES, and what its collectives run by
    rate=$1 program=$2 bytes=$3
    shift 3
    "$collscope" replay "$out/$program-$bytes" --model "@$out/$rate.model" --ports 1 "$@" --lab --repeat 3 \
        --check "mpirun -n $ranks $out/$program $bytes" --tables check --format csv 2> "$out/said" |
        awk -F, -v what="$program $bytes B $rate" 'NR == 3 {
            printf "%-28s predicted %7.1f ms  measured %7.1f ms  error %5.1f %%\n", what, 1e3 * $2, 1e3 * $3, 100 * $4 }'
}
for rate in 100mbit 200mbit; do
    "$collscope" lab up --hosts $ranks --rate $rate > "$out/up"
    trap '"$collscope" lab down > "$out/down"' EXIT
    "$collscope" calibrate --lab --pairs $((ranks / 2)) --message-sizes 16KiB..1MiB -o "$out/$rate.model" > "$out/calibrated"
    for bytes in 65536 262144; do
        predict $rate halo $bytes
        predict $rate sums $bytes --with allreduce=allreduce/ring
    done
    for bytes in 65536 131072; do predict $rate exchange $bytes --with alltoall=alltoallv/pairwise-exchange; done
    "$collscope" lab down > "$out/down"
    trap - EXIT
done
