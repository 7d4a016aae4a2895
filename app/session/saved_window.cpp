// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/saved_window.hpp"

#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"

#include <string>

namespace app {

bool isSavedWindow(const std::filesystem::path& file) {
    if (file.extension() != ".json") return false;
    constexpr std::int64_t most = 16 << 20;
    try {
        return engine::contentOf(file, most, "").find(std::string{'"'} + savedWindowKey + '"') != std::string::npos;
    } catch (const engine::Error&) {
        return !std::filesystem::is_regular_file(file);
    }
}

}  // namespace app
