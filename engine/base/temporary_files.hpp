// SPDX-License-Identifier: BSD-3-Clause
// Files and folders that nobody is to find when the program has ended, also when it had to end at once.
#pragma once

#include <filesystem>

namespace engine {

/// While it lives, `removeLeftovers` removes `path`. It removes nothing itself.
class Leftover {
public:
    explicit Leftover(std::filesystem::path path);
    ~Leftover();
    Leftover(const Leftover&) = delete;
    Leftover& operator=(const Leftover&) = delete;

private:
    std::filesystem::path path_;
};

/// Removes a file or folder that other processes may still write into. A folder is renamed first, so that they fail;
/// if one of them made a file in it meanwhile, it tries again for 100 ms.
void removeWritten(const std::filesystem::path& path) noexcept;

/// For those who end the program without letting go of what it holds.
void removeLeftovers() noexcept;

}  // namespace engine
