// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/threads/buffers.hpp"

#include "engine/contract.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace engine {
namespace {

/// Element `index` of the vector of `rank`: small whole numbers of both signs, so that sums are exact in every type.
std::int64_t elementOf(Rank rank, Bytes index) { return (std::int64_t{rank.value} * 7 + index * 3) % 41 - 20; }

/// The operation `user` stands for: of two numbers the one farther from zero, the positive one when equally far.
template <class T>
T farther(T a, T b) {
    const T sizeA = a < 0 ? -a : a;
    const T sizeB = b < 0 ? -b : b;
    return sizeA > sizeB || (sizeA == sizeB && a > b) ? a : b;
}

template <class T>
T combine(Operation operation, T a, T b) {
    switch (operation) {
        case Operation::sum: return static_cast<T>(a + b);
        case Operation::min: return std::min(a, b);
        case Operation::max: return std::max(a, b);
        case Operation::user: return farther(a, b);
    }
    return a;
}

/// Calls `work` with a value of the C++ type of `element`.
template <class Work>
void withType(Element element, Work work) {
    switch (element) {
        case Element::int32: work(std::int32_t{}); return;
        case Element::int64: work(std::int64_t{}); return;
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

}  // namespace

void combineInto(Operation operation, Element element, std::span<const std::byte> left, std::span<std::byte> right) {
    withType(element, [&](auto type) {
        using T = decltype(type);
        const auto count = static_cast<Bytes>(right.size() / sizeof(T));
        for (Bytes i = 0; i < count; ++i)
            store<T>(right, i, combine<T>(operation, load<T>(left, i), load<T>(right, i)));
    });
}

std::byte expectedByte(Bytes at) {
    return static_cast<std::byte>((static_cast<std::uint64_t>(at) + 1) * 0x9E3779B97F4A7C15ULL >> 56);
}

Bytes RankBuffers::memoryFor(const Problem& problem, const Facts& facts) {
    return isReduction(problem.collective) ? problem.layout.largest() * facts.slots : problem.layout.total();
}

RankBuffers::RankBuffers(const Problem& problem, const Facts& facts, Rank rank)
    : problem_{&problem},
      facts_{&facts},
      rank_{rank},
      data_(asSize(memoryFor(problem, facts))),
      holdings_{isReduction(problem.collective)
                    ? Holdings{data_, problem.layout.largest(), facts,
                               [operation = problem.operation, element = problem.element](auto left, auto right) {
                                   combineInto(operation, element, left, right);
                               }}
                    : Holdings{data_}} {
    if (!isReduction(problem.collective)) {
        const Range own = Contract{problem}.before(rank);
        for (Bytes at = 0; at < problem.layout.total(); ++at) {
            const bool held = own.begin <= at && at < own.end;
            data_[asSize(at)] = held ? expectedByte(at) : ~expectedByte(at);
        }
        return;
    }
    for (int s = 0; s < facts.slots; ++s) {
        if ((facts.own >> s & 1U) == 0 || rank.value >= problem.ranks()) continue;
        const std::span<std::byte> slot = holdings_.slot(s);
        holdings_.setFilled(s, true);
        withType(problem.element, [&](auto type) {
            using T = decltype(type);
            for (Bytes i = 0; i < static_cast<Bytes>(slot.size() / sizeof(T)); ++i)
                store<T>(slot, i, static_cast<T>(elementOf(rank, i)));
        });
    }
}

void Holdings::read(const Turn& turn, const Message& send, std::vector<std::byte>& out) const {
    out.clear();
    if (send.slots != 0) {
        const int index = std::countr_zero(send.slots);
        // An empty slot travels as no bytes: there is no neutral element for a user's operation.
        if (isFilled(index)) out.assign(slot(index).begin(), slot(index).end());
        return;
    }
    for (const Range range : turn.ranges(send))
        out.insert(out.end(), data_.begin() + range.begin, data_.begin() + range.end);
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
        if (receive.action == Action::keep || (!isFilled(s) && !data.empty())) {
            std::copy(data.begin(), data.end(), slot(s).begin());
            filled_[asSize(s)] = !data.empty();
        } else if (!data.empty()) {
            combineInSlot(s, data, receive.action);
        }
    }
}

void Holdings::combineInSlot(int index, std::span<const std::byte> data, Action action) {
    const auto own = slot(index);
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
    const Range wanted = Contract{*problem_}.after(rank_);
    for (Bytes at = wanted.begin; at < wanted.end; ++at)
        if (data_[asSize(at)] != expectedByte(at)) {
            const std::int32_t block = problem_->layout.blockAt(at);
            return text("rank ", rank_, ": byte ", at - problem_->layout.offset(block), " of block ", block,
                        " is wrong");
        }
    return {};
}

std::string RankBuffers::compareVector() const {
    std::string fault;
    const std::span<const std::byte> result = holdings_.slot(facts_->result);
    if (!result.empty() && !holdings_.isFilled(facts_->result)) return text("rank ", rank_, " has no result");
    withType(problem_->element, [&](auto type) {
        using T = decltype(type);
        for (Bytes i = 0; i < static_cast<Bytes>(result.size() / sizeof(T)) && fault.empty(); ++i) {
            T wanted = static_cast<T>(elementOf(Rank{0}, i));
            for (Rank rank{1}; rank.value < problem_->ranks(); ++rank)
                wanted = combine<T>(problem_->operation, wanted, static_cast<T>(elementOf(rank, i)));
            const T got = load<T>(result, i);
            if (got != wanted) fault = text("rank ", rank_, ": element ", i, " is ", got, ", not ", wanted);
        }
    });
    return fault;
}

}  // namespace engine
