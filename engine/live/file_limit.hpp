// SPDX-License-Identifier: BSD-3-Clause
// Files that become larger than the user allows (ulimit -f), in a program that is not ours.
#pragma once

namespace engine::live {

/// While it lives, writing too large a file is an error (EFBIG) for this thread and those that it starts, and not the
/// end of the program. What the program does with the signal is left as it is.
class FileLimit {
public:
    FileLimit();
    ~FileLimit();
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    bool wasBlocked_;
};

}  // namespace engine::live
