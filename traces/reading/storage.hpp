// SPDX-License-Identifier: BSD-3-Clause
// Room for columns that are written once, in any order and by several threads, and then never change.
#pragma once

#include "traces/column.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace traces::reading {

/// Memory that is not cleared first; large rooms come straight from the system. Throws bad_alloc.
std::shared_ptr<void> room(std::size_t bytes);

/// A column of `count` values to be written through the span before anyone reads it.
template <class T>
std::pair<Column<T>, std::span<T>> makeColumn(std::size_t count) {
    if (count == 0) return {};
    std::shared_ptr<void> place = room(count * sizeof(T));
    const std::span<T> values{static_cast<T*>(place.get()), count};
    return {Column<T>{std::move(place), values}, values};
}

}  // namespace traces::reading
