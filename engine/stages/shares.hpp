// SPDX-License-Identifier: BSD-3-Clause
// How the bytes that a group moves are divided among its members: share i belongs to member i.
//
// A division of shares is anything with
//     std::int32_t count()        the number of shares
//     cyclic(first, run)          the bytes of shares first, first+1, ..., first+run-1, going round the end, as what
//                                 `send` and `receive` of a kernel's `out` take; 0 <= first < count, 0 <= run <= count
#pragma once

#include "engine/layout.hpp"
#include "engine/rounds.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace engine::stages {

/// Shares that lie end to end on the byte line. `Start` answers where share i begins; start(count) is the end of all.
template <class Start>
class EndToEnd {
public:
    EndToEnd(std::int32_t count, Start start) : count_{count}, start_{std::move(start)} {}

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] RangePair cyclic(std::int32_t first, std::int32_t run) const {
        const std::int32_t straight = std::min(run, count_ - first);
        return {Range{start_(first), start_(first + straight)}, Range{start_(0), start_(run - straight)}};
    }
    /// The bytes of share i.
    [[nodiscard]] Range one(std::int32_t i) const { return {start_(i), start_(i + 1)}; }
    /// The same for the length of a round (see rounds.hpp).
    [[nodiscard]] auto view() const { return EndToEnd<decltype(seen(start_))>{count_, seen(start_)}; }

private:
    std::int32_t count_;
    Start start_;
};

/// The bytes of share i of any division.
template <class Shares>
decltype(auto) share(const Shares& shares, std::int32_t i) {
    if constexpr (requires { shares.one(i); }) return shares.one(i);
    else return shares.cyclic(i, 1);
}

/// Where contributions first, first+1, ... begin.
struct BlockStarts {
    Layout layout;
    std::int32_t first = 0;

    Bytes operator()(std::int32_t i) const { return layout.offset(first + i); }
    [[nodiscard]] auto view() const {
        return [offsets = layout.offsets(), each = layout.largest(), skipped = first](std::int32_t i) {
            return offsets != nullptr ? offsets[skipped + i] : each * (skipped + i);
        };
    }
};

/// Contributions first, first+1, ... (count of them), one each.
inline auto blocks(Layout layout, std::int32_t first, std::int32_t count) {
    return EndToEnd{count, BlockStarts{std::move(layout), first}};
}

/// `range` cut into balanced pieces, the longer ones first.
inline auto pieces(Range range, std::int32_t count) {
    return EndToEnd{count, [cutting = Cutting{range, count}](std::int32_t i) { return cutting.start(i); }};
}

/// Shares made of several ranges each: `Each` calls its second argument with every range of share i.
/// An answer of `cyclic` is valid until the next one on the same thread.
template <class Each>
class Scattered {
public:
    Scattered(std::int32_t count, Each each) : count_{count}, each_{std::move(each)} {}

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] std::span<const Range> cyclic(std::int32_t first, std::int32_t run) const {
        thread_local std::vector<Range> found;
        found.clear();
        for (std::int32_t i = 0; i < run; ++i) {
            const std::int32_t share = first + i < count_ ? first + i : first + i - count_;
            each_(share, [](Range range) { found.push_back(range); });
        }
        return found;
    }

private:
    std::int32_t count_;
    Each each_;
};

/// Shares filled up to one size, as for a collective that knows only one: a message is followed by bytes of `own(i)`,
/// what member i has anyway, or of its own, repeated as often as needed. Where both are empty it stays empty.
/// An answer of `cyclic` is valid until the next one on the same thread.
template <class Shares, class Own>
class Padded {
public:
    Padded(Shares shares, Bytes each, Own own) : shares_{std::move(shares)}, each_{each}, own_{std::move(own)} {}

    [[nodiscard]] std::int32_t count() const { return shares_.count(); }
    [[nodiscard]] std::span<const Range> cyclic(std::int32_t first, std::int32_t run) const {
        thread_local std::vector<Range> found;
        found.clear();
        Bytes missing = each_ * run;
        Range filling = own_(first);
        for (const Range range : shares_.cyclic(first, run)) {
            if (range.empty()) continue;
            found.push_back(range);
            missing -= range.size();
            if (range.size() > filling.size()) filling = range;
        }
        for (; missing > 0 && !filling.empty(); missing -= found.back().size())
            found.push_back({filling.begin, std::min(filling.end, filling.begin + missing)});
        return found;
    }

private:
    Shares shares_;
    Bytes each_;
    Own own_;
};

}  // namespace engine::stages
