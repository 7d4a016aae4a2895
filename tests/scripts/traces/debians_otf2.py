# SPDX-License-Identifier: BSD-3-Clause
"""OTF2's modules for Python: a script that imports this goes on under Debian's interpreter where they belong to that one,
and is skipped where nobody has them."""
import os
import sys

try:
    import _otf2
    import otf2
except ImportError:
    if os.path.exists("/usr/bin/python3") and "COLLSCOPE_TRIED" not in os.environ:
        os.execve("/usr/bin/python3", ["/usr/bin/python3", *sys.argv], {**os.environ, "COLLSCOPE_TRIED": "1"})
    print("skipped: no Python here has the module otf2 (Debian: python3-otf2)")
    sys.exit(77)

__all__ = ["_otf2", "otf2"]
