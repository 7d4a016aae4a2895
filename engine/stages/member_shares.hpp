// SPDX-License-Identifier: BSD-3-Clause
// How the bytes that a group moves are divided among its members: share i belongs to member i.
//
// A division of shares is anything with
//     std::int32_t count()        the number of shares
//     cyclic(first, run)          the bytes of shares first, first+1, ..., first+run-1, going round the end, as what
//                                 `send` and `receive` of a kernel's `out` take; 0 <= first < count, 0 <= run <= count
#pragma once

#include "engine/problem/block_layout.hpp"
#include "engine/schedule/rounds.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace engine::stages {

/// Shares that lie end to end on the byte line. `Start` answers where share i begins; start(count) is the end of all.
/// It may also answer the length(first, run) of a run of shares that does not go round the end.
template <class Start>
class EndToEnd {
public:
    EndToEnd(std::int32_t count, Start start) : count_{count}, start_{std::move(start)} {}

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] RangePair cyclic(std::int32_t first, std::int32_t run) const {
        const std::int32_t straight = std::min(run, count_ - first);
        return {Range{start_(first), start_(first + straight)}, Range{start_(0), start_(run - straight)}};
    }
    /// The number of bytes in shares first, first+1, ..., first+run-1.
    [[nodiscard]] Bytes bytes(std::int32_t first, std::int32_t run) const {
        const std::int32_t beyond = first + run - count_;
        return beyond <= 0 ? length(first, run) : length(first, run - beyond) + length(0, beyond);
    }
    /// The bytes of share i.
    [[nodiscard]] Range one(std::int32_t i) const { return {start_(i), start_(i + 1)}; }
    /// bytes(first, run), bytes(first + 1, run), ... (`many` of them; first + many <= count) into `out`.
    void bytesInRow(std::int32_t first, std::int32_t run, std::int32_t many, Bytes* out) const {
        const std::int32_t straight = std::clamp(count_ - run + 1 - first, 0, many);
        if constexpr (requires { start_.lengthsInRow(first, run, straight, out); })
            start_.lengthsInRow(first, run, straight, out);
        else
            for (std::int32_t i = 0; i < straight; ++i) out[i] = length(first + i, run);
        for (std::int32_t i = straight; i < many; ++i) out[i] = bytes(first + i, run);
    }
    /// The same for the length of a round (see rounds.hpp).
    [[nodiscard]] auto view() const { return EndToEnd<decltype(seen(start_))>{count_, seen(start_)}; }

private:
    [[nodiscard]] Bytes length(std::int32_t first, std::int32_t run) const {
        if constexpr (requires { start_.length(first, run); }) return start_.length(first, run);
        else return start_(first + run) - start_(first);
    }

    std::int32_t count_;
    Start start_;
};

/// The number of bytes in shares first, first+1, ... (run of them) of any division.
template <class Shares>
Bytes bytesOf(const Shares& shares, std::int32_t first, std::int32_t run) {
    if constexpr (requires { shares.bytes(first, run); }) return shares.bytes(first, run);
    else {
        Bytes bytes = 0;
        for (const Range range : shares.cyclic(first, run)) bytes += range.empty() ? 0 : range.size();
        return bytes;
    }
}

/// m -> m + by, going round from n - 1 to 0; 0 <= by < n.
struct Turned {
    std::int32_t n;
    std::int32_t by;

    std::int32_t operator()(std::int32_t m) const { return m < n - by ? m + by : m + by - n; }
    /// Calls call(i, to, many) for each of the at most two rows of first, first + 1, ... (count of them), in which
    /// first + i goes to `to`, the next to to + 1, and so on, `many` of them.
    template <class Call>
    void inRows(std::int32_t first, std::int32_t count, const Call& call) const {
        const std::int32_t before = std::clamp(n - by - first, 0, count);
        if (before > 0) call(0, (*this)(first), before);
        if (before < count) call(before, (*this)(first + before), count - before);
    }
};

/// What is done in a round in which each of the members sends a run of shares and receives one: m sends the shares from
/// firstOf(m) on to toOf(m), and fromOf(m) sends to m.
template <class ToOf, class FromOf, class FirstOf, class Shares>
struct Exchange {
    ToOf toOf;
    FromOf fromOf;
    FirstOf firstOf;
    std::int32_t run;
    Shares shares;

    template <class Out>
    void operator()(Rank member, Out& out) const {
        const std::int32_t from = fromOf(member.value);
        out.send(Rank{toOf(member.value)}, of(firstOf(member.value)));
        out.receive(Rank{from}, of(firstOf(from)));
    }
    /// A loop for each column: loops that do little are those that a compiler makes fast.
    std::int32_t columns(Rank first, Rank last, const Columns& out) const {
        const std::int32_t count = last.value - first.value;
        for (std::int32_t i = 0; i < count; ++i) out.from[i] = first.value + i;
        if constexpr (std::is_same_v<ToOf, Turned>)
            toOf.inRows(first.value, count, [&](std::int32_t at, std::int32_t to, std::int32_t many) {
                for (std::int32_t i = 0; i < many; ++i) out.to[at + i] = to + i;
            });
        else
            for (std::int32_t i = 0; i < count; ++i) out.to[i] = toOf(first.value + i);
        if constexpr (std::is_same_v<FirstOf, Turned> && requires { shares.bytesInRow(0, run, count, out.bytes); })
            firstOf.inRows(first.value, count, [&](std::int32_t at, std::int32_t share, std::int32_t many) {
                shares.bytesInRow(share, run, many, out.bytes + at);
            });
        else
            for (std::int32_t i = 0; i < count; ++i) out.bytes[i] = bytesOf(shares, firstOf(first.value + i), run);
        return count;
    }

private:
    decltype(auto) of(std::int32_t first) const {
        if constexpr (requires { shares.one(first); })
            if (run == 1) return RangePair{shares.one(first), Range{}};
        return shares.cyclic(first, run);
    }
};

template <class ToOf, class FromOf, class FirstOf, class Shares>
Exchange(ToOf, FromOf, FirstOf, std::int32_t, Shares) -> Exchange<ToOf, FromOf, FirstOf, Shares>;

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

/// A division whose shares belong to others: share i is number i + by of `shares`, going round; 0 <= by < count.
template <class Shares>
class Rotated {
public:
    Rotated(Shares shares, std::int32_t by) : shares_{std::move(shares)}, by_{by} {}

    [[nodiscard]] std::int32_t count() const { return shares_.count(); }
    [[nodiscard]] decltype(auto) cyclic(std::int32_t first, std::int32_t run) const {
        return shares_.cyclic(Turned{count(), by_}(first), run);
    }

private:
    Shares shares_;
    std::int32_t by_;
};

/// Where balanced pieces begin.
struct PieceStarts {
    Cutting cutting;

    Bytes operator()(std::int32_t i) const { return cutting.start(i); }
    [[nodiscard]] Bytes length(std::int32_t first, std::int32_t run) const { return cutting.length(first, run); }
    /// length(first, run), length(first + 1, run), ...: as long as only longer pieces are in it, then as long as some
    /// are, then none.
    void lengthsInRow(std::int32_t first, std::int32_t run, std::int32_t many, Bytes* out) const {
        const auto longer = static_cast<std::int32_t>(cutting.longer());
        const Bytes none = run * cutting.base();
        const std::int32_t all = std::clamp(longer - run + 1 - first, 0, many);
        const std::int32_t some = std::clamp(longer - first, 0, many);
        std::fill(out, out + all, none + run);
        for (std::int32_t i = all; i < some; ++i) out[i] = none + (longer - first - i);
        std::fill(out + some, out + many, none);
    }
};

/// `range` cut into balanced pieces, the longer ones first.
inline auto pieces(Range range, std::int32_t count) { return EndToEnd{count, PieceStarts{Cutting{range, count}}}; }

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

/// Shares filled up to one size, as for a collective that knows only one: the longest range of a message follows it,
/// repeated as often as needed; where there is none, the first bytes of `own(i)`, what member i of its first share has
/// anyway and others have by then as the filling of that share. Where both are empty it stays empty.
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
        Range filling{};
        for (const Range range : shares_.cyclic(first, run)) {
            if (range.empty()) continue;
            found.push_back(range);
            missing -= range.size();
            if (filling.empty() || range.size() > filling.size()) filling = range;
        }
        if (found.empty()) {
            filling = own_(first);
            filling.end = std::min(filling.end, filling.begin + each_);
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
