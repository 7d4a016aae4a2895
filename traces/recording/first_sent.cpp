// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/first_sent.hpp"

#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace traces {

using engine::Picoseconds;

namespace {

constexpr unsigned bitsAtOnce = 12;

/// Times whose order is that of numbers without a sign.
std::uint64_t keyOf(Picoseconds time) { return static_cast<std::uint64_t>(time.count()) ^ (std::uint64_t{1} << 63); }

/// The last key that is among the `most` first ones, and how many of those that equal it are.
struct Cut {
    std::uint64_t key = std::numeric_limits<std::uint64_t>::max();
    std::size_t equal = 0;
};

/// Looks at all times once for every twelve bits: `each(look)` calls look(time) for all of them, more than `most`.
template <class Each>
Cut cutOf(Each each, std::size_t most) {
    std::uint64_t known = 0;  // the upper bits of the key
    std::size_t left = most;
    std::uint64_t all = 0;
    std::uint64_t none = ~std::uint64_t{0};
    each([&](Picoseconds time) { all |= keyOf(time), none &= keyOf(time); });
    unsigned shift = 64;
    while (shift > 0) {
        const unsigned bits = std::min(bitsAtOnce, shift);
        const unsigned next = shift - bits;
        const std::uint64_t above = shift == 64 ? 0 : ~std::uint64_t{0} << shift;
        const std::uint64_t digits = ((std::uint64_t{1} << bits) - 1) << next;
        if (((all ^ none) & (above | digits)) == 0) {  // all times begin alike
            known |= all & digits;
            shift = next;
            continue;
        }
        std::array<std::size_t, std::size_t{1} << bitsAtOnce> counts{};
        each([&](Picoseconds time) {
            if ((keyOf(time) & above) == known) ++counts[(keyOf(time) & digits) >> next];
        });
        std::uint64_t digit = 0;
        while (counts[digit] < left) left -= counts[digit++];
        known |= digit << next;
        shift = next;
    }
    return {known, left};
}

/// Whether a time is among the first ones; to be asked in the order of the indices.
class Within {
public:
    explicit Within(Cut cut) : cut_{cut} {}
    bool operator()(Picoseconds time) {
        const std::uint64_t key = keyOf(time);
        if (key != cut_.key) return key < cut_.key;
        if (cut_.equal == 0) return false;
        --cut_.equal;
        return true;
    }

private:
    Cut cut_;
};

}  // namespace

std::vector<std::uint32_t> firstSent(std::span<const Picoseconds> sent, std::size_t most) {
    std::vector<std::uint32_t> first;
    first.reserve(std::min(most, sent.size()));
    preferLargePages(first.data(), first.capacity());
    first.resize(std::min(most, sent.size()));
    std::iota(first.begin(), first.end(), 0U);
    if (sent.size() <= most || most == 0) return first;
    const auto each = [&](auto look) { std::for_each(sent.begin(), sent.end(), look); };
    Within within{cutOf(each, most)};
    auto at = first.begin();
    for (std::uint32_t i = 0; i < sent.size(); ++i)
        if (within(sent[i])) *at++ = i;
    return first;
}

std::vector<std::uint32_t> firstSent(std::span<const Picoseconds> sent, std::vector<std::uint32_t> chosen,
                                     std::size_t most) {
    if (chosen.size() <= most) return chosen;
    if (most == 0) return {};
    const auto each = [&](auto look) {
        for (const std::uint32_t i : chosen) look(sent[i]);
    };
    Within within{cutOf(each, most)};
    std::erase_if(chosen, [&](std::uint32_t i) { return !within(sent[i]); });
    return chosen;
}

}  // namespace traces
