// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/temporary_files.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace engine {
namespace {

/// Of the whole process: whoever ends it knows nothing of those who work in it.
struct Register {
    std::mutex mutex;
    std::vector<const std::filesystem::path*> paths;
};

/// Never destroyed: the process may be ended while its static objects go.
Register& theRegister() {
    static auto* const all = new Register;
    return *all;
}

}  // namespace

Leftover::Leftover(std::filesystem::path path) : path_{std::move(path)} {
    Register& all = theRegister();
    const std::lock_guard lock{all.mutex};
    all.paths.push_back(&path_);
}

Leftover::~Leftover() {
    Register& all = theRegister();
    const std::lock_guard lock{all.mutex};
    std::erase(all.paths, &path_);
}

void removeWritten(const std::filesystem::path& path) noexcept {
    std::error_code failed;
    // Others who write into a folder do not find it under another name, so that it can be emptied.
    std::filesystem::path renamed = path;
    renamed += ".removed";
    std::filesystem::rename(path, renamed, failed);
    const std::filesystem::path& its = failed ? path : renamed;
    constexpr int attempts = 50;
    for (int i = 0; i < attempts; ++i) {
        std::filesystem::remove_all(its, failed);
        if (failed != std::errc::directory_not_empty && failed != std::errc::file_exists) return;
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

void removeLeftovers() noexcept {
    Register& all = theRegister();
    const std::lock_guard lock{all.mutex};
    for (const std::filesystem::path* path : all.paths) removeWritten(*path);
}

}  // namespace engine
