// SPDX-License-Identifier: BSD-3-Clause
// Room for millions of messages is asked for in large pages: small ones cost more than what is written to them.
#pragma once

#include "engine/run.hpp"

#include <cstddef>

namespace traces {

/// A wish for memory that is not written to yet; nothing for less than some pages.
void preferLargePages(const void* place, std::size_t bytes);

template <class T>
void preferLargePages(const T* place, std::size_t count) {
    preferLargePages(static_cast<const void*>(place), count * sizeof(T));
}

/// messages.reserve(count) with that wish.
void reserveMessages(engine::Messages& messages, std::size_t count);

}  // namespace traces
