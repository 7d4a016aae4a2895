#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of the README anew, through the program. No display is needed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

"$root/run" export halfduplex-allgather/ring-belts -p 4 -q 6 --view window --width 1600 --height 1000 \
    -o "$root/resources/pictures/window.png"
