// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/block_layout.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace engine {

namespace {
constexpr Bytes longestLine = Bytes{1} << 62;
}

Layout Layout::regular(std::int32_t count, Bytes each) {
    if (count < 0 || each < 0) throw Error{"sizes and counts must not be negative"};
    if (count > 0 && each > longestLine / count)
        throw Error{
            text("all contributions together exceed 2^62 bytes; choose a smaller ", field::size, " or fewer ranks")};
    Layout layout;
    layout.count_ = count;
    layout.each_ = layout.largest_ = layout.smallest_ = each;
    return layout;
}

Layout Layout::irregular(const std::vector<Bytes>& sizes) {
    if (sizes.empty()) return regular(0, 0);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    if (*least < 0) throw Error{"sizes must not be negative"};
    if (*least == *most) return regular(static_cast<std::int32_t>(sizes.size()), *most);
    Layout layout;
    layout.count_ = static_cast<std::int32_t>(sizes.size());
    layout.largest_ = *most;
    layout.smallest_ = *least;
    layout.offsets_.reserve(sizes.size() + 1);
    layout.offsets_.push_back(0);
    for (const Bytes size : sizes) {
        if (size > longestLine - layout.offsets_.back())
            throw Error{text("all contributions together exceed 2^62 bytes; choose a smaller ", field::size,
                             " or fewer ranks")};
        layout.offsets_.push_back(layout.offsets_.back() + size);
    }
    return layout;
}

RangePair Layout::cyclic(std::int32_t first, std::int32_t run) const {
    const std::int32_t straight = std::min(run, count_ - first);
    return {blocks(first, straight), blocks(0, run - straight)};
}

std::int32_t Layout::blockAt(Bytes at) const {
    ENSURE(at >= 0 && at < total(), "a place outside the byte line has no block");
    if (isRegular()) return static_cast<std::int32_t>(at / each_);
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), at);
    return static_cast<std::int32_t>(after - offsets_.begin()) - 1;
}

}  // namespace engine
