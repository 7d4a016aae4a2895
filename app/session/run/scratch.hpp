// SPDX-License-Identifier: BSD-3-Clause
// A folder of our own for as long as it is needed.
#pragma once

#include "engine/base/temporary_files.hpp"

#include <filesystem>
#include <memory>

namespace app {

class Scratch {
public:
    /// Below TMPDIR, or /tmp. Throws Error when it cannot be made.
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
    std::unique_ptr<engine::Leftover> leftover_;
};

}  // namespace app
