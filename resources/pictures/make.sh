#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of the README and the guide anew. No display is needed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/resources/setup.sh"

"$root/run" export halfduplex-allgather/ring-belts -p 4 -q 6 --view window --width 1600 --height 1000 \
    -o "$root/resources/pictures/window.png" --force

# The other states of the window are taken by the tests that bring it there.
installMissing run test
build release app_gui_tests ON
COLLSCOPE_PICTURES="$root/resources/pictures" QT_QPA_PLATFORM=offscreen \
    "$(find "$root/build/release" -name app_gui_tests -type f -perm -u+x)" --gtest_filter='WindowStates.*:-WindowStates.layouts*' >&2
