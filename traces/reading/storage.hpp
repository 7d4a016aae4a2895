// SPDX-License-Identifier: BSD-3-Clause
// Room for what a trace holds: in memory up to a budget, beyond it in files that nobody else sees and that are gone
// with their last user. The system writes their pages out and gives the memory to others when it is needed.
#pragma once

#include "traces/column.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace traces::reading {

class Storage {
public:
    /// `budget`: bytes of large rooms in memory at one time. `folder`: where files are made; it must have room for
    /// them.
    Storage(std::uint64_t budget, std::filesystem::path folder);

    /// Memory that is not cleared first; may outlive the Storage. Throws bad_alloc, or Error when `folder` cannot take
    /// it.
    std::shared_ptr<void> room(std::size_t bytes);

    /// Whether some room lies in a file.
    [[nodiscard]] bool spilt() const { return spilt_; }

private:
    std::uint64_t budget_;
    std::filesystem::path folder_;
    std::shared_ptr<std::atomic<std::uint64_t>> used_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    std::atomic<bool> spilt_{false};
};

/// The same without a budget.
std::shared_ptr<void> room(std::size_t bytes);

/// Asks the system to write pages out that will not be needed soon; what was written stays.
void setAside(void* place, std::size_t bytes);

/// A column of `count` values to be written through the span before anyone reads it.
template <class T>
std::pair<Column<T>, std::span<T>> makeColumn(std::size_t count, Storage* storage = nullptr) {
    if (count == 0) return {};
    std::shared_ptr<void> place = storage == nullptr ? room(count * sizeof(T)) : storage->room(count * sizeof(T));
    const std::span<T> values{static_cast<T*>(place.get()), count};
    return {Column<T>{std::move(place), values}, values};
}

}  // namespace traces::reading
