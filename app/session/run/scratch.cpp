// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/scratch.hpp"

#include "engine/base/error.hpp"

#include <stdlib.h>
#include <cerrno>
#include <cstring>
#include <string>

namespace app {

Scratch::Scratch() {
    std::error_code ignored;
    const std::filesystem::path base = std::filesystem::temp_directory_path(ignored);
    std::string name = ((base.empty() ? "/tmp" : base) / "collscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw engine::Error{"no folder can be made in '" + base.string() + "': " + std::strerror(errno)};
    folder_ = name;
    leftover_ = std::make_unique<engine::Leftover>(folder_);
}

Scratch::~Scratch() { engine::removeWritten(folder_); }

}  // namespace app
