// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/threads/buffers.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>

namespace engine {
namespace {

/// Element `index` of the vector of `rank`: small whole numbers of both signs, so that sums are exact in every type;
/// unsigned ones wrap.
std::int64_t elementOf(Rank rank, Bytes index) { return (std::int64_t{rank.value} * 7 + index * 3) % 41 - 20; }

/// The operation `user` stands for: of two numbers the one farther from zero, the positive one when equally far.
template <class T>
T farther(T a, T b) {
    if constexpr (std::is_unsigned_v<T>) {
        return std::max(a, b);
    } else {
        const T sizeA = a < 0 ? -a : a;
        const T sizeB = b < 0 ? -b : b;
        return sizeA > sizeB || (sizeA == sizeB && a > b) ? a : b;
    }
}

template <class T>
T combine(Operation operation, T a, T b) {
    switch (operation) {
        case Operation::sum: return static_cast<T>(a + b);
        case Operation::min: return std::min(a, b);
        case Operation::max: return std::max(a, b);
        case Operation::user: return farther(a, b);
        case Operation::ordered: break;  // not element by element
    }
    return a;
}

/// Row by row; sums and products wrap, as they do for unsigned numbers.
template <class T>
std::array<T, 4> product(const std::array<T, 4>& a, const std::array<T, 4>& b) {
    const auto entry = [&](std::size_t row, std::size_t column) {
        using U = std::make_unsigned_t<T>;
        const auto times = [](T x, T y) { return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y); };
        return static_cast<T>(static_cast<U>(times(a[row * 2], b[column]) + times(a[row * 2 + 1], b[column + 2])));
    };
    return {entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)};
}

/// Calls `work` with a value of the C++ type of `element`.
template <class Work>
void withType(Element element, Work work) {
    switch (element) {
        case Element::int32: work(std::int32_t{}); return;
        case Element::int64: work(std::int64_t{}); return;
        case Element::uint32: work(std::uint32_t{}); return;
        case Element::uint64: work(std::uint64_t{}); return;
        case Element::float32: work(float{}); return;
        case Element::float64: work(double{}); return;
    }
}

template <class T>
T load(std::span<const std::byte> vector, Bytes index) {
    T value;
    std::memcpy(&value, vector.data() + index * static_cast<Bytes>(sizeof(T)), sizeof(T));
    return value;
}

template <class T>
void store(std::span<std::byte> vector, Bytes index, T value) {
    std::memcpy(vector.data() + index * static_cast<Bytes>(sizeof(T)), &value, sizeof(T));
}

/// The vector that `rank` brings, or the part of it in `range`.
std::vector<std::byte> broughtBy(const Problem& problem, Rank rank, Range range) {
    std::vector<std::byte> vector(asSize(range.size()));
    withType(problem.element, [&](auto type) {
        using T = decltype(type);
        const auto first = range.begin / static_cast<Bytes>(sizeof(T));
        for (Bytes i = 0; i < static_cast<Bytes>(vector.size() / sizeof(T)); ++i)
            store<T>(vector, i, static_cast<T>(elementOf(rank, first + i)));
    });
    return vector;
}

/// Lines up to here are filled from end to end.
constexpr Bytes touchedWhole = Bytes{1} << 20;

/// Bytes of a rank's line, or of its slots.
Bytes sizeFor(const Problem& problem, const Facts& facts) {
    return isReduction(problem.collective) ? problem.layout.largest() * facts.slots : problem.layout.total();
}

/// What `rank` brings and what it needs.
ByteSet ownAndNeeded(const Problem& problem, Rank rank) {
    const Contract contract{problem};
    ByteSet bytes;
    bytes.add(contract.before(rank));
    for (const Range wanted : contract.after(rank)) bytes.add(wanted);
    return bytes;
}

Bytes sizeOf(const ByteSet& bytes) {
    Bytes size = 0;
    for (const Range range : bytes.intervals()) size += range.size();
    return size;
}

std::span<std::byte> memory(std::byte* data, Bytes bytes) {
    if (data == nullptr) throw std::bad_alloc{};
    return {data, asSize(bytes)};
}

}  // namespace

void combineInto(Operation operation, Element element, std::span<const std::byte> left, std::span<std::byte> right) {
    withType(element, [&](auto type) {
        using T = decltype(type);
        const auto count = static_cast<Bytes>(right.size() / sizeof(T));
        if constexpr (std::is_integral_v<T>) {
            if (operation == Operation::ordered) {
                using Matrix = std::array<T, 4>;
                for (Bytes i = 0; i < count / 4; ++i)
                    store<Matrix>(right, i, product<T>(load<Matrix>(left, i), load<Matrix>(right, i)));
                return;
            }
        }
        for (Bytes i = 0; i < count; ++i)
            store<T>(right, i, combine<T>(operation, load<T>(left, i), load<T>(right, i)));
    });
}

std::byte expectedByte(Bytes at) {
    return static_cast<std::byte>((static_cast<std::uint64_t>(at) + 1) * 0x9E3779B97F4A7C15ULL >> 56);
}

__int128 RankBuffers::memoryFor(const Problem& problem) {
    if (isReduction(problem.collective)) return static_cast<__int128>(problem.layout.largest()) * problem.ranks();
    __int128 all = 0;
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank) all += sizeOf(ownAndNeeded(problem, rank));
    return all;
}

__int128 RankBuffers::memoryFor(const Plan& plan) {
    const Facts& facts = plan.schedule->facts();
    if (isReduction(plan.problem.collective))
        return static_cast<__int128>(sizeFor(plan.problem, facts)) * std::max(plan.problem.ranks(), facts.ranks);
    __int128 all = 0;
    Turn turn;
    for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
        ByteSet bytes = rank.value < plan.problem.ranks() ? ownAndNeeded(plan.problem, rank) : ByteSet{};
        for (Round round{0}; round.value < facts.rounds; ++round) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& receive : turn.receives())
                for (const Range range : turn.ranges(receive)) bytes.add(range);
        }
        all += sizeOf(bytes);
    }
    return all;
}

RankBuffers::RankBuffers(const Problem& problem, const Facts& facts, Rank rank)
    : problem_{&problem},
      facts_{&facts},
      rank_{rank},
      data_{static_cast<std::byte*>(std::calloc(std::max(asSize(sizeFor(problem, facts)), std::size_t{1}), 1))},
      holdings_{memory(data_.get(), sizeFor(problem, facts))} {
    if (isReduction(problem.collective)) {
        holdings_ = Holdings{holdings_.line({0, sizeFor(problem, facts)}), problem.layout.largest(), facts,
                             [operation = problem.operation, element = problem.element](auto left, auto right) {
                                 combineInto(operation, element, left, right);
                             }};
        bring(broughtBy(problem, rank, {0, problem.layout.largest()}));
        return;
    }
    const auto fill = [this](Range range, auto byte) {
        for (Bytes at = range.begin; at < range.end; ++at) holdings_.line(range)[asSize(at - range.begin)] = byte(at);
    };
    const auto wrong = [](Bytes at) { return ~expectedByte(at); };
    const Contract contract{problem};
    if (problem.layout.total() <= touchedWhole) fill({0, problem.layout.total()}, wrong);
    else
        for (const Range wanted : contract.after(rank)) fill(wanted, wrong);
    fill(contract.before(rank), expectedByte);
}

void Holdings::read(const Turn& turn, const Message& send, std::vector<std::byte>& out) const {
    out.clear();
    if (send.slots == 0) {
        for (const Range range : turn.ranges(send))
            out.insert(out.end(), data_.begin() + range.begin, data_.begin() + range.end);
        return;
    }
    const int index = std::countr_zero(send.slots);
    const std::span<std::byte> held = slot(index);
    if (send.whole) {
        // An empty slot travels as no bytes: there is no neutral element for a user's operation.
        if (isFilled(index)) out.assign(held.begin(), held.end());
        return;
    }
    for (const Range range : turn.ranges(send)) {
        ENSURE(!missing(index, range), "a partial result is sent that is not held");
        out.insert(out.end(), held.begin() + range.begin, held.begin() + range.end);
    }
}

void Holdings::setFilled(int index, bool filled) {
    filled_[asSize(index)] = {};
    if (filled) filled_[asSize(index)].add(all());
}

void Holdings::apply(const Turn& turn, const Message& receive, std::span<const std::byte> data) {
    if (receive.slots == 0) {
        auto next = data.begin();
        for (const Range range : turn.ranges(receive)) {
            ENSURE(range.size() <= data.end() - next, "a message shorter than its receive expects");
            std::copy_n(next, range.size(), data_.begin() + range.begin);
            next += range.size();
        }
        return;
    }
    for (int s = 0; s < static_cast<int>(filled_.size()); ++s) {
        if ((receive.slots >> s & 1U) == 0) continue;
        if (receive.whole) {
            // Nothing came: the sender's slot was empty.
            if (!data.empty()) receiveInSlot(s, {0, vector_}, data, receive.action);
            else if (receive.action == Action::keep) setFilled(s, false);
            continue;
        }
        std::span<const std::byte> left = data;
        for (const Range range : turn.ranges(receive)) {
            ENSURE(asSize(range.size()) <= left.size(), "a message shorter than its receive expects");
            receiveInSlot(s, range, left.first(asSize(range.size())), receive.action);
            left = left.subspan(asSize(range.size()));
        }
    }
}

void Holdings::receiveInSlot(int index, Range range, std::span<const std::byte> data, Action action) {
    const auto part = [&](Range of) { return data.subspan(asSize(of.begin - range.begin), asSize(of.size())); };
    const auto keep = [&](Range of) {
        const auto from = part(of);
        std::copy(from.begin(), from.end(), slot(index).begin() + of.begin);
    };
    filled_[asSize(index)].add(range, keep, [&](Range of) {
        if (action == Action::keep) keep(of);
        else combineInSlot(index, of, part(of), action);
    });
}

void Holdings::combineInSlot(int index, Range range, std::span<const std::byte> data, Action action) {
    const auto own = slot(index).subspan(asSize(range.begin), asSize(range.size()));
    if (operands_ == Operands::mayChangePlaces || action == Action::prepend) return combine_(data, own);
    scratch_.assign(data.begin(), data.end());
    combine_(own, scratch_);
    std::copy(scratch_.begin(), scratch_.end(), own.begin());
}

std::span<const std::byte> Holdings::carried(const Message& send) const {
    const int index = std::countr_zero(send.slots);
    return isFilled(index) ? slot(index) : std::span<std::byte>{};
}

void RankBuffers::bring(std::span<const std::byte> vector) {
    ENSURE(static_cast<Bytes>(vector.size()) == problem_->layout.largest(),
           "a rank brings a vector of another length than the problem's");
    for (int s = 0; s < facts_->slots; ++s) {
        const bool own = (facts_->own >> s & 1U) != 0 && rank_.value < problem_->ranks();
        holdings_.setFilled(s, own);
        if (own) std::copy(vector.begin(), vector.end(), holdings_.slot(s).begin());
    }
}

std::string RankBuffers::compare() const {
    if (rank_.value >= problem_->ranks()) return {};
    return isReduction(problem_->collective) ? compareVector() : compareBytes();
}

std::string RankBuffers::compareBytes() const {
    for (const Range wanted : Contract{*problem_}.after(rank_))
        for (Bytes at = wanted.begin; at < wanted.end; ++at)
            if (holdings_.line({at, at + 1})[0] != expectedByte(at)) {
                const std::int32_t block = problem_->layout.blockAt(at);
                return text("rank ", rank_, ": byte ", at - problem_->layout.offset(block), " of block ", block,
                            " is wrong");
            }
    return {};
}

std::string RankBuffers::compareVector() const {
    const Contract contract{*problem_};
    const std::optional<Range> wanted = contract.result(rank_);
    if (!wanted || wanted->empty()) return {};
    if (holdings_.missing(facts_->result, *wanted)) return text("rank ", rank_, " has no result");
    const auto [first, end] = contract.contributors(rank_);
    std::vector<std::byte> expected = broughtBy(*problem_, Rank{end - 1}, *wanted);
    for (Rank rank{end - 2}; rank.value >= first; rank = rank - 1)
        combineInto(problem_->operation, problem_->element, broughtBy(*problem_, rank, *wanted), expected);
    std::string fault;
    const auto result = holdings_.slot(facts_->result).subspan(asSize(wanted->begin), asSize(wanted->size()));
    withType(problem_->element, [&](auto type) {
        using T = decltype(type);
        for (Bytes i = 0; i < static_cast<Bytes>(result.size() / sizeof(T)) && fault.empty(); ++i)
            if (const T got = load<T>(result, i), want = load<T>(expected, i); got != want)
                fault = text("rank ", rank_, ": element ", wanted->begin / static_cast<Bytes>(sizeof(T)) + i, " is ",
                             got, ", not ", want);
    });
    return fault;
}

}  // namespace engine
