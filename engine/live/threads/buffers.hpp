// SPDX-License-Identifier: BSD-3-Clause
// The data of a live run: contents that can be recognised, and the comparison with what must come out. Shared by all
// executors that move real bytes.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// The byte that belongs at place `at` of the byte line: differs between neighbours and between blocks.
std::byte expectedByte(Bytes at);

/// right := left o right, element by element; the operation `user` takes of two numbers the one farther from zero,
/// `ordered` multiplies 2 x 2 matrices, four elements each, row by row, modulo the range of the type.
void combineInto(Operation operation, Element element, std::span<const std::byte> left, std::span<std::byte> right);

/// right := left o right: an operation of the user.
using Combine = std::function<void(std::span<const std::byte> left, std::span<std::byte> right)>;

/// Whether a o b may be computed as b o a.
enum class Operands : std::uint8_t { mayChangePlaces, keepPlaces };

/// What one rank holds while a schedule runs, wherever it lies. Gather-like: the byte line. Reductions: one vector per
/// slot.
class Holdings {
public:
    /// Over the byte line `line`.
    explicit Holdings(std::span<std::byte> line) : data_{line} {}
    /// Over the slots of `facts`, `vector` bytes each, one after the other in `memory`; all are empty.
    Holdings(std::span<std::byte> memory, Bytes vector, const Facts& facts, Combine combine,
             Operands operands = Operands::keepPlaces)
        : data_{memory},
          vector_{vector},
          combine_{std::move(combine)},
          operands_{operands},
          filled_(asSize(facts.slots)) {}

    /// Copies what a send carries, in the order of its ranges.
    void read(const Turn& turn, const Message& send, std::vector<std::byte>& out) const;
    /// Stores or combines what a receive brings.
    void apply(const Turn& turn, const Message& receive, std::span<const std::byte> data);
    /// Bytes of the line where they lie, for executors that need no copy; gather-like only.
    [[nodiscard]] std::span<std::byte> line(Range range) const {
        return data_.subspan(asSize(range.begin), asSize(range.size()));
    }
    /// One partial result where it lies; reductions only.
    [[nodiscard]] std::span<std::byte> slot(int index) const {
        return data_.subspan(asSize(index * vector_), asSize(vector_));
    }
    /// Whether the slot holds at least one contribution, of any part of the vector.
    [[nodiscard]] bool isFilled(int index) const { return !filled_[asSize(index)].intervals().empty(); }
    /// Says that it does, all over, or does not.
    void setFilled(int index, bool filled);
    /// The first byte of `range` of the slot's vector that holds no contribution.
    [[nodiscard]] std::optional<Bytes> missing(int index, Range range) const {
        return filled_[asSize(index)].missing(range);
    }
    /// What a send of a whole vector carries, where it lies; nothing when its slot is empty.
    [[nodiscard]] std::span<const std::byte> carried(const Message& send) const;
    void combineWith(Combine combine, Operands operands) {
        combine_ = std::move(combine);
        operands_ = operands;
    }

private:
    /// A vector without bytes is identified by a place of its own.
    [[nodiscard]] Range all() const { return {0, std::max(vector_, Bytes{1})}; }
    void receiveInSlot(int index, Range range, std::span<const std::byte> data, Action action);
    void combineInSlot(int index, Range range, std::span<const std::byte> data, Action action);

    std::span<std::byte> data_;
    Bytes vector_ = 0;  // bytes of one slot
    Combine combine_;
    Operands operands_ = Operands::keepPlaces;
    std::vector<ByteSet> filled_;  // per slot
    std::vector<std::byte> scratch_;
};

/// The buffers of one rank with recognisable data.
class RankBuffers {
public:
    /// Fills what the rank brings; every byte that it needs is wrong on purpose, so that nothing is right by chance.
    /// The rest of a long line is not touched, and costs no memory until something comes: of an alltoall it is p^2
    /// blocks.
    RankBuffers(const Problem& problem, const Facts& facts, Rank rank);
    RankBuffers(RankBuffers&&) = default;
    RankBuffers& operator=(RankBuffers&&) = default;
    RankBuffers(const RankBuffers&) = delete;
    RankBuffers& operator=(const RankBuffers&) = delete;
    ~RankBuffers() = default;

    /// Bytes that all ranks of `problem` bring and need, together.
    static __int128 memoryFor(const Problem& problem);
    /// The same with what they relay for others, found from the turns of all ranks.
    static __int128 memoryFor(const Plan& plan);

    [[nodiscard]] Holdings& holdings() { return holdings_; }
    void read(const Turn& turn, const Message& send, std::vector<std::byte>& out) const {
        holdings_.read(turn, send, out);
    }
    void apply(const Turn& turn, const Message& receive, std::span<const std::byte> data) {
        holdings_.apply(turn, receive, data);
    }
    [[nodiscard]] std::span<std::byte> line(Range range) { return holdings_.line(range); }
    [[nodiscard]] std::span<std::byte> slot(int index) { return holdings_.slot(index); }
    /// Back to before the first round, with `vector` as what the rank brings; reductions only.
    void bring(std::span<const std::byte> vector);
    [[nodiscard]] std::span<const std::byte> carried(const Message& send) const { return holdings_.carried(send); }
    /// Lets `combine` do the work of combineInto.
    void combineWith(Combine combine, Operands operands = Operands::mayChangePlaces) {
        holdings_.combineWith(std::move(combine), operands);
    }
    /// The first difference from what the contract demands, as a sentence; empty when there is none.
    [[nodiscard]] std::string compare() const;

private:
    [[nodiscard]] std::string compareBytes() const;
    [[nodiscard]] std::string compareVector() const;

    const Problem* problem_;
    const Facts* facts_;
    Rank rank_;
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };
    std::unique_ptr<std::byte, Free> data_;  // of zeros that are no memory yet
    Holdings holdings_;
};

}  // namespace engine
