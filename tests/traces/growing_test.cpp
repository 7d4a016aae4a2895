// SPDX-License-Identifier: BSD-3-Clause
// What grows while a trace is read keeps its values, whatever room is given back, moves, or goes into a file.
#include "tests/traces/samples.hpp"
#include "traces/storage/blocks.hpp"
#include "traces/storage/storage.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace {

using traces::reading::Blocks;
using traces::reading::Growing;
using traces::reading::Storage;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t few = 8 * mebibyte, many = 4096 * mebibyte;

/// About where rooms become larger, or others begin.
std::vector<std::size_t> sizes() {
    std::vector<std::size_t> all{1, 63};
    for (const std::size_t edge : {64, 512, 4096, 1 << 15, 3 << 15, 8 << 15, 9 << 15, 16 << 15})
        for (const std::size_t by : {0, 1}) all.insert(all.end(), {edge - by, edge + by});
    return all;
}

std::uint64_t valueAt(std::size_t i) { return i * 0x9e3779b97f4a7c15; }

TEST(Blocks, keepValuesWhenTheyAreFit) {
    for (const std::uint64_t budget : {few, many})
        for (const std::size_t size : sizes()) {
            const traces::samples::Scratch scratch;
            Storage storage{budget, scratch.path()};
            Blocks<std::uint64_t> blocks{&storage};
            for (std::size_t i = 0; i < size; ++i) blocks.push_back(valueAt(i));
            blocks.fit();
            blocks.setAside();
            ASSERT_EQ(blocks.size(), size);
            for (std::size_t at = 0; at < size; at += blocks.blockAt(at).size())
                for (std::size_t k = 0; k < blocks.blockAt(at).size(); ++k)
                    ASSERT_EQ(blocks.blockAt(at)[k], valueAt(at + k)) << budget << ' ' << size;
            for (std::size_t i = 0; i < size; ++i) blocks.forgetBefore(i);
            EXPECT_EQ(blocks.back(), valueAt(size - 1));
        }
}

TEST(Growing, goesOnAfterItWasFit) {
    for (const std::uint64_t budget : {few, many})
        for (const std::size_t size : sizes()) {
            const traces::samples::Scratch scratch;
            Storage storage{budget, scratch.path()};
            Growing<std::uint64_t> growing{&storage};
            for (std::size_t i = 0; i < 2 * size; ++i) {
                if (i == size) growing.fit();
                growing.push_back(valueAt(i));
            }
            growing.fit();
            growing.fit();
            const traces::Column<std::uint64_t> column = growing.column();
            ASSERT_EQ(column.size(), 2 * size);
            for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], valueAt(i)) << budget << ' ' << size;
        }
}

/// What comes in runs of many, whose bytes lie anywhere, lies as what came one by one.
template <class Sequence>
void addInRuns(Sequence& sequence, std::size_t size) {
    std::vector<char> bytes(1 + size * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t value = valueAt(i);
        std::memcpy(&bytes[1 + i * sizeof value], &value, sizeof value);
    }
    for (std::size_t at = 0, run = 0; at < size; at += run) {
        run = std::min(size - at, 3 * run + at % 5);
        sequence.append(bytes.data() + 1 + at * sizeof(std::uint64_t), run);
        if (at + run < size) sequence.push_back(valueAt(at + run)), ++at;
    }
}

TEST(Growing, takesRunsOfValues) {
    for (const std::uint64_t budget : {few, many})
        for (const std::size_t size : sizes()) {
            const traces::samples::Scratch scratch;
            Storage storage{budget, scratch.path()};
            Growing<std::uint64_t> growing{&storage};
            Blocks<std::uint64_t> blocks{&storage};
            addInRuns(growing, size);
            addInRuns(blocks, size);
            blocks.fit();
            ASSERT_EQ(growing.size(), size);
            ASSERT_EQ(blocks.size(), size);
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(growing[i], valueAt(i)) << budget << ' ' << size;
                ASSERT_EQ(blocks[i], valueAt(i)) << budget << ' ' << size;
            }
        }
}

/// Many that were fit take no more of the budget than what they hold.
TEST(Growing, givesBackWhatItDoesNotNeed) {
    const traces::samples::Scratch scratch;
    Storage storage{64 * mebibyte, scratch.path()};  // of which 24 MiB are for what is in memory
    std::vector<Growing<std::uint64_t>> all;
    for (int i = 0; i < 20; ++i) {
        all.emplace_back(&storage);
        for (std::size_t k = 0; k < 140'000; ++k) all.back().push_back(k);  // a little more than 1 MiB
        all.back().fit();
    }
    EXPECT_FALSE(storage.spilt());
    using Value = std::array<std::uint64_t, 5>;
    Blocks<Value> blocks{&storage};
    while (!storage.spilt() && blocks.size() < mebibyte) blocks.push_back({});
    EXPECT_TRUE(storage.spilt());
    EXPECT_GT(blocks.size(), 30'000U);
}

}  // namespace
