// SPDX-License-Identifier: BSD-3-Clause
// Files that are mapped take memory page by page as they are looked at. Residence gives their pages back before the
// program holds more than a budget; whoever looks again finds them where they were.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace traces::reading {

class Residence {
public:
    /// `budget`: bytes that the whole program may hold; nothing is done about what lies in no mapped file.
    explicit Residence(std::uint64_t budget);
    Residence(const Residence&) = delete;
    Residence& operator=(const Residence&) = delete;
    ~Residence();

    /// A mapping of a file, shared or only read, whose pages may be given back at any time. While all of them together
    /// are less than an eighth of the budget nobody watches them.
    void add(void* place, std::size_t bytes);
    /// To be called before the mapping goes, moves, or becomes shorter.
    void remove(void* place);

private:
    void watch();
    void giveBack();

    std::uint64_t budget_;
    std::map<void*, std::size_t> mappings_;
    std::uint64_t mapped_ = 0;  ///< bytes of all mappings
    bool ends_ = false;
    std::mutex guard_;
    std::condition_variable changed_;
    std::thread watcher_;
};

/// Bytes that this program holds at present, and those of them that lie in mapped files.
struct Resident {
    std::uint64_t all = 0;
    std::uint64_t inFiles = 0;
};
Resident resident();

}  // namespace traces::reading
