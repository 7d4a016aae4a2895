// SPDX-License-Identifier: BSD-3-Clause
#include "traces/storage/cache.hpp"

#include "engine/base/new_file.hpp"
#include "traces/storage/checksum.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace traces::index {

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".index";

struct Entry {
    fs::file_time_type used;
    std::uint64_t bytes = 0;
    fs::path file;
};

}  // namespace

fs::path cacheFolder() {
    const auto absolute = [](const char* variable) {
        const char* value = std::getenv(variable);
        return value != nullptr && fs::path{value}.is_absolute() ? fs::path{value} : fs::path{};
    };
    if (const fs::path cache = absolute("XDG_CACHE_HOME"); !cache.empty()) return cache / "collscope";
    if (const fs::path home = absolute("HOME"); !home.empty()) return home / ".cache" / "collscope";
    return {};
}

fs::path placeInCache(const fs::path& cache, const fs::path& anchor) {
    std::error_code failed;
    fs::path whole = fs::canonical(anchor, failed);
    if (failed) whole = fs::absolute(anchor);
    const std::string name = whole.string();
    std::ostringstream file;
    file << std::hex << std::setw(16) << std::setfill('0') << checksum(name.data(), name.size()) << ending;
    return cache / file.str();
}

void touch(const fs::path& file) {
    std::error_code ignored;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

bool makeRoom(const fs::path& folder, std::uint64_t bytes, std::uint64_t capacity) {
    std::error_code failed;
    const auto now = fs::file_time_type::clock::now();
    std::vector<Entry> entries;
    std::uint64_t sum = 0;
    for (fs::directory_iterator at{folder, failed}, end; !failed && at != end; at.increment(failed)) {
        std::error_code gone;
        const Entry entry{at->last_write_time(gone), at->file_size(gone), at->path()};
        if (gone) continue;
        if (entry.file.filename().string().starts_with(engine::NewFile::draftPrefix) &&
            now - entry.used > std::chrono::hours{24})
            fs::remove(entry.file, gone);
        if (entry.file.extension() != ending) continue;
        entries.push_back(entry);
        sum += entry.bytes;
    }
    if (bytes > capacity) return false;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (sum + bytes <= capacity) break;
        std::error_code kept;
        if (fs::remove(entry.file, kept)) sum -= entry.bytes;
    }
    const fs::space_info space = fs::space(folder, failed);
    return sum + bytes <= capacity && !failed && bytes <= space.available / 2;
}

}  // namespace traces::index
