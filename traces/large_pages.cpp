// SPDX-License-Identifier: BSD-3-Clause
#include "traces/large_pages.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace traces {

void preferLargePages(const void* place, std::size_t bytes) {
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t begin = (at + page - 1) / page * page;
    const std::uintptr_t end = (at + bytes) / page * page;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void reserveMessages(engine::Messages& messages, std::size_t count) {
    messages.reserve(count);
    const auto wish = [count](auto column) { preferLargePages(column.data(), count); };
    wish(messages.from()), wish(messages.to()), wish(messages.round()), wish(messages.bytes());
    wish(messages.sendBegin()), wish(messages.sendEnd()), wish(messages.receiveBegin()), wish(messages.receiveEnd());
}

}  // namespace traces
