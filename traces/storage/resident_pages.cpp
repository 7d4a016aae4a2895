// SPDX-License-Identifier: BSD-3-Clause
#include "traces/storage/resident_pages.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace traces::reading {
namespace {

/// Pages of files come in at most so fast [bytes a second], all cores together, many at a time where the system has
/// them already: so long may the watcher sleep.
constexpr double fastest = 32e9;
constexpr std::chrono::microseconds shortest{250};
constexpr std::chrono::microseconds longest{100'000};

/// Giving less back costs more than it saves.
constexpr std::uint64_t worthwhile = std::uint64_t{4} << 20;

}  // namespace

Resident resident() {
    std::array<char, 128> words{};
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    const ssize_t got = ::read(file, words.data(), words.size());
    ::close(file);
    // Pages: all that is addressed, those in memory, those of them in files.
    std::array<std::uint64_t, 3> pages{};
    const char* at = words.data();
    const char* const end = at + std::max<ssize_t>(got, 0);
    for (std::uint64_t& number : pages) {
        at = std::from_chars(at, end, number).ptr;
        if (at != end) ++at;
    }
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return {pages[1] * page, pages[2] * page};
}

Residence::Residence(std::uint64_t budget) : budget_{budget} {}

Residence::~Residence() {
    {
        const std::lock_guard lock{guard_};
        ends_ = true;
    }
    changed_.notify_one();
    if (watcher_.joinable()) watcher_.join();
}

void Residence::add(void* place, std::size_t bytes) {
    const std::lock_guard lock{guard_};
    mappings_[place] = bytes;
    mapped_ += bytes;
    if (!watcher_.joinable() && mapped_ > budget_ / 8) watcher_ = std::thread{[this] { watch(); }};
}

void Residence::remove(void* place) {
    const std::lock_guard lock{guard_};
    const auto mapping = mappings_.find(place);
    if (mapping == mappings_.end()) return;
    mapped_ -= mapping->second;
    mappings_.erase(mapping);
}

void Residence::watch() {
    // Some of the budget is left for what comes in while nobody looks.
    const std::uint64_t limit = budget_ - budget_ / 4;
    std::uint64_t others = 0;  // files that are not ours to give back: the program and its libraries
    std::unique_lock lock{guard_};
    while (!ends_) {
        Resident now = resident();
        if (now.all > limit && now.inFiles > others + worthwhile) {
            giveBack();
            now = resident();
            others = now.inFiles;
        }
        const double room = now.all < limit ? static_cast<double>(limit - now.all) : 0;
        const std::chrono::microseconds pause{static_cast<std::int64_t>(room / fastest * 1e6)};
        changed_.wait_for(lock, std::clamp(pause, shortest, longest));
    }
}

void Residence::giveBack() {
    for (const auto& [place, bytes] : mappings_) ::madvise(place, bytes, MADV_DONTNEED);
}

}  // namespace traces::reading
