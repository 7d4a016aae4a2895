#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of the README and the guide anew. No display is needed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/resources/setup.sh"

"$root/run" export halfduplex-allgather/ring-belts -p 4 -q 6 --view window --width 1600 --height 1000 \
    -o "$root/resources/pictures/window.png" --force

# cut NAME ALGORITHM ARGUMENTS...: a network with the cut that decides the lower bound
cut() {
    "$root/run" export "${@:2}" --view network --width 900 --height 600 -o "$root/resources/pictures/cut-$1.png" --force
}
cut dumbbell allgatherv/linear-ring -n 8 --topology "graph:$root/resources/examples/dumbbell.dot"
cut mesh alltoallv/pairwise-exchange -n 16 --topology mesh:4x4
cut tree alltoallv/pairwise-exchange -n 16 --topology fat-tree:4x4,taper=4
cut cluster allreduce/ring -n 16 --size 1MiB --topology cluster:4,between=1us+4ns/B
cut dragonfly alltoallv/pairwise-exchange -n 12 --topology dragonfly:3,2,2

# A training job of four ranks, of which rank 2 computes longer.
job=$(mktemp -d)
trap 'rm -rf "$job"' EXIT
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); from kineto_job import Job; Job(ranks=4, straggler=2).write(sys.argv[2])' \
    "$root/tests/scripts/traces" "$job"
"$root/run" export "$job" --view window --width 1400 --height 800 -o "$root/resources/pictures/training-job.png" --force

# The other states of the window are taken by the tests that bring it there.
installMissing run test
build release app_gui_tests ON
COLLSCOPE_PICTURES="$root/resources/pictures" QT_QPA_PLATFORM=offscreen \
    "$(find "$root/build/release" -name app_gui_tests -type f -perm -u+x)" --gtest_filter='WindowStates.*:-WindowStates.layouts*' >&2
