// SPDX-License-Identifier: BSD-3-Clause
#include "traces/index/fingerprint.hpp"

#include "traces/recording/staging.hpp"
#include "traces/storage/checksum.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace traces::index {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t piece = 4096;
constexpr std::uint64_t pieces = 8;

/// Returns the size of the file.
std::uint64_t add(std::uint64_t& sum, const fs::path& path) {
    const std::string name = path.filename().string();
    sum = checksum(name.data(), name.size(), sum);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // what is no file must not block
    struct stat facts {};
    if (file < 0 || ::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        if (file >= 0) ::close(file);
        return 0;
    }
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    const std::array<std::int64_t, 3> said{facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
    sum = checksum(said.data(), sizeof said, sum);
    std::array<char, piece> buffer{};
    const std::uint64_t count = std::min<std::uint64_t>(pieces, (size + piece - 1) / piece);
    for (std::uint64_t i = 0; i < count; ++i) {
        // Pieces of a file of at most `pieces` of them lie side by side; else evenly from its start to its end.
        const std::uint64_t at = size <= pieces * piece ? i * piece : (size - piece) / (pieces - 1) * i;
        const std::uint64_t from = i + 1 == count && size > piece ? size - piece : at;
        const ssize_t got = ::pread(file, buffer.data(), piece, static_cast<off_t>(from));
        sum = checksum(buffer.data(), got < 0 ? 0 : engine::asSize(got), sum);
    }
    ::close(file);
    return size;
}

}  // namespace

Fingerprint fingerprintOf(const fs::path& anchor) {
    Fingerprint print;
    add(print.sum, anchor);
    add(print.sum, fs::path{anchor}.replace_extension(".def"));
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at{fs::path{anchor}.replace_extension(""), failed}, end; !failed && at != end;
         at.increment(failed))
        if (isOfLocation(at->path())) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::uint64_t size = add(print.sum, file);
        if (file.extension() == ".evt") print.eventBytes += size;
    }
    return print;
}

}  // namespace traces::index
