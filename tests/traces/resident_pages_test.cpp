// SPDX-License-Identifier: BSD-3-Clause
// Pages of mapped files are given back before the program holds more than its budget, and nothing is lost by it.
#include "traces/storage/resident_pages.hpp"
#include "tests/traces/samples.hpp"
#include "traces/storage/blocks.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace {

using traces::reading::Growing;
using traces::reading::resident;
using traces::reading::Storage;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t window = 48 * mebibyte;
constexpr std::size_t count = 32 * mebibyte;  // 128 MiB of 32 bits each

/// The most that lies in mapped files beyond what did before, while `look(i)` is called for every i below `count`.
template <class Look>
std::uint64_t mostInFiles(Look look) {
    const std::uint64_t before = resident().inFiles;
    std::uint64_t most = before;
    for (std::size_t i = 0; i < count; ++i) {
        look(i);
        if (i % (count / 512) == 0) most = std::max(most, resident().inFiles);
    }
    return most - before;
}

TEST(Residence, boundsWhatIsWrittenAndReadInFiles) {
    const traces::samples::Scratch scratch;
    Storage storage{resident().all + window, scratch.path()};
    // Whatever is allowed in memory is taken: what follows lies in a file.
    std::vector<std::shared_ptr<void>> taken;
    while (!storage.spilt()) taken.push_back(storage.room(8 * mebibyte));
    Growing<std::uint32_t> growing{&storage};
    EXPECT_LT(mostInFiles([&](std::size_t i) { growing.push_back(static_cast<std::uint32_t>(i * 2654435761U)); }),
              2 * window);
    const traces::Column<std::uint32_t> column = growing.column();
    ASSERT_EQ(column.size(), count);
    std::size_t wrong = 0;
    EXPECT_LT(mostInFiles(
                  [&](std::size_t i) { wrong += column[i] != static_cast<std::uint32_t>(i * 2654435761U) ? 1U : 0U; }),
              2 * window);
    EXPECT_EQ(wrong, 0U);
}

TEST(Residence, knowsWhatThisProgramHolds) {
    const auto before = resident();
    ASSERT_GT(before.all, mebibyte);
    ASSERT_LE(before.inFiles, before.all);
    std::vector<char> held(64 * mebibyte, 'x');
    EXPECT_GE(resident().all, before.all + 60 * mebibyte) << held.back();
}

TEST(Residence, doesNotHoldValuesThatAreForgotten) {
    using Value = std::array<std::uint64_t, 32>;
    traces::reading::Blocks<Value> blocks;
    const std::size_t all = 128 * mebibyte / sizeof(Value), forgotten = all / 16 * 15;  // within the last room
    for (std::uint64_t i = 0; i < all; ++i) blocks.push_back({i});
    const std::uint64_t before = resident().all;
    for (std::size_t i = 0; i < forgotten; ++i) blocks.forgetBefore(i);
    EXPECT_LT(resident().all + 112 * mebibyte, before);
    for (std::size_t i = forgotten; i < all; ++i) ASSERT_EQ(blocks[i].front(), i);
}

}  // namespace
