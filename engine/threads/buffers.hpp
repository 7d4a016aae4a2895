// SPDX-License-Identifier: BSD-3-Clause
// The data of a live run: contents that can be recognised, and the comparison with what must come out. Shared by all
// executors that move real bytes.
#pragma once

#include "engine/problem.hpp"
#include "engine/schedule.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// The byte that belongs at place `at` of the byte line: differs between neighbours and between blocks.
std::byte expectedByte(Bytes at);

/// The buffers of one rank. Gather-like: one byte line. Reductions: one vector per slot.
class RankBuffers {
public:
    /// Fills what the rank brings; every other byte is wrong on purpose, so that nothing is right by chance.
    RankBuffers(const Problem& problem, const Facts& facts, Rank rank);

    /// Bytes that `problem` takes on one rank.
    static Bytes memoryFor(const Problem& problem, const Facts& facts);

    /// Copies what a send carries, in the order of its ranges.
    void read(const Turn& turn, const Message& send, std::vector<std::byte>& out) const;
    /// Stores or combines what a receive brings.
    void apply(const Turn& turn, const Message& receive, std::span<const std::byte> data);
    /// The first difference from what the contract demands, as a sentence; empty when there is none.
    [[nodiscard]] std::string compare() const;

private:
    [[nodiscard]] std::span<std::byte> slot(int index);
    [[nodiscard]] std::span<const std::byte> slot(int index) const;
    [[nodiscard]] std::string compareBytes() const;
    [[nodiscard]] std::string compareVector() const;

    const Problem* problem_;
    const Facts* facts_;
    Rank rank_;
    Bytes vector_ = 0;  // bytes of one slot
    std::vector<std::byte> data_;
    std::vector<bool> filled_;  // per slot: holds at least one contribution
};

}  // namespace engine
