// SPDX-License-Identifier: BSD-3-Clause
// Appends the events of this process to its record: a store into memory that the system writes to the file, whatever
// becomes of the process. No allocation, no lock, no system call.
#pragma once

#include "engine/live/records/round_records.hpp"

#include <algorithm>
#include <ctime>
#include <span>

namespace engine::mpi {

/// Nanoseconds of the monotonic clock.
inline std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

class Recorder {
public:
    /// Whose program this is: only of ours may the end on SIGTERM be changed.
    enum class Program : std::uint8_t { ours, anyones };

    /// Makes the file with room for `capacity` events; of a program of ours touches all of it. Throws Error when it
    /// cannot be written.
    Recorder(const std::filesystem::path& file, std::int64_t capacity, Program program = Program::ours);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    void add(const live::Event& event) noexcept {
        const std::int64_t count = header_->count.load(std::memory_order_relaxed);
        if (count == header_->capacity) {
            ++header_->dropped;
            return;
        }
        events_[count] = event;
        header_->count.store(count + 1, std::memory_order_release);
    }
    /// The same for events of several threads; a reader may find places that were taken and not written yet.
    /// Gives the event's place, null where there was none.
    live::Event* addShared(const live::Event& event) noexcept {
        const std::int64_t place = header_->count.fetch_add(1, std::memory_order_relaxed);
        if (place >= header_->capacity) return nullptr;
        events_[place] = event;
        return events_ + place;
    }
    /// An event of several threads for which whoever adds them keeps no place.
    void dropShared() noexcept { std::atomic_ref{header_->dropped}.fetch_add(1, std::memory_order_relaxed); }
    /// Where this process is, for those who find it dead.
    void at(std::int64_t time, std::int64_t round) noexcept {
        header_->turnBegan = time;
        header_->round = round;
    }
    [[nodiscard]] live::Header& header() { return *header_; }
    /// What the file holds so far.
    [[nodiscard]] std::span<const std::byte> bytes() const {
        const std::int64_t count = std::min(header_->count.load(), header_->capacity);
        return {reinterpret_cast<const std::byte*>(header_),
                sizeof(live::Header) + asSize(count) * sizeof(live::Event)};
    }

private:
    live::Header* header_ = nullptr;
    live::Event* events_ = nullptr;
    std::size_t length_ = 0;
    bool watching_ = false;
};

}  // namespace engine::mpi
