// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/text.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

std::string errorOf(auto work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Text, readsQuantitiesWithTheirUnits) {
    EXPECT_EQ(readBytes("64KiB", "--size"), 65536);
    EXPECT_EQ(readBytes("1.5 MB", "--size"), 1'500'000);
    EXPECT_EQ(readBytes("0", "--size"), 0);
    EXPECT_EQ(readTime("1us", "--alpha").count(), 1'000'000);
    EXPECT_EQ(readTime("2.5 ms", "--alpha").count(), 2'500'000'000);
    EXPECT_EQ(readRate("0.4ns/B", "--beta").femtosecondsPerByte, 400'000);
    EXPECT_EQ(readBandwidth("2.5GB/s", "--bandwidth").femtosecondsPerByte, 400'000);
    EXPECT_EQ(readBandwidth("100Mbit/s", "--bandwidth").femtosecondsPerByte, 80'000'000);
    EXPECT_EQ(readDimensions("16x8x8", "--topology"), (std::vector<int>{16, 8, 8}));
}

TEST(Text, readsEveryWholeNumberUpToTheLargest) {
    EXPECT_EQ(readBytes("9007199254740993", "--size"), 9'007'199'254'740'993);  // 2^53 + 1
    EXPECT_EQ(readBytes("4611686018427387903", "--size"), (Bytes{1} << 62) - 1);
    EXPECT_EQ(readBytes("4611686018427387904", "--size"), Bytes{1} << 62);
    EXPECT_EQ(readBytes("9007199254740.993kB", "--size"), 9'007'199'254'740'993);
    EXPECT_EQ(readTime("4611686018427387903ps", "--alpha").count(), (std::int64_t{1} << 62) - 1);
    EXPECT_EQ(errorOf([] { readBytes("4611686018427387905", "--size"); }),
              "--size: 4611686018427387905 is too large; the largest value is 2^62B");
}

TEST(Text, saysWhatIsWrongWithAQuantity) {
    EXPECT_EQ(errorOf([] { readBytes("64 KB", "--size"); }),
              "--size: '64 KB' has the unknown unit 'KB'; choose one of B, kB, KiB, MB, MiB, GB, GiB, TB, TiB");
    EXPECT_EQ(errorOf([] { readBytes("many", "--size"); }),
              "--size: 'many' is not a quantity; write for example 64KiB or 1000");
    EXPECT_EQ(readTime("0", "--alpha"), Picoseconds{});
    EXPECT_EQ(errorOf([] { readTime("3", "--alpha"); }), "--alpha: '3' has no unit; choose one of ps, ns, us, ms, s");
    EXPECT_EQ(errorOf([] { readBytes("-1", "--size"); }), "--size: -1 is negative; it must be 0 or more");
    EXPECT_EQ(errorOf([] { readBytes("99999999999GiB", "--size"); }),
              "--size: 99999999999GiB is too large; the largest value is 2^62B");
    EXPECT_EQ(errorOf([] { readInteger("7x", "--ranks", 1, 10); }), "--ranks: '7x' is not a whole number");
    EXPECT_EQ(errorOf([] { readInteger("7x", "--ranks", 1, 10, "8"); }),
              "--ranks: '7x' is not a whole number; write for example 8");
    EXPECT_EQ(errorOf([] { readInteger("0", "--ranks", 1, 10); }), "--ranks: 0 is too small; it must be at least 1");
    EXPECT_EQ(errorOf([] { readInteger("11", "--ranks", 1, 10); }),
              "--ranks: 11 is too large; the largest value is 10");
    EXPECT_EQ(errorOf([] { readDimensions("4x0", "--topology"); }),
              "--topology: 0 is too small; it must be at least 1");
    for (const char* words : {"3x", "x3", "", "4xx4", "ax3", "1.5x4", "4X4", "4 x4"})
        EXPECT_EQ(errorOf([&] { readDimensions(words, "--topology"); }),
                  text("--topology: '", words,
                       "' is not a list of sizes; write whole numbers with x between them, such as 4x4"));
    EXPECT_EQ(errorOf([] { readDimensions("65536x65536", "--topology"); }),
              "--topology: 65536x65536 has more than 2^31-1 ranks");
    EXPECT_EQ(errorOf([] { readBandwidth("0GB/s", "--bandwidth"); }),
              "--bandwidth: a bandwidth of 0GB/s moves nothing; it must be above 0");
}

TEST(Text, showsQuantitiesForPeople) {
    EXPECT_EQ(showBytes(0), "0 B");
    EXPECT_EQ(showBytes(1023), "1023 B");
    EXPECT_EQ(showBytes(65536), "64 KiB");
    EXPECT_EQ(showBytes(1'572'864), "1.5 MiB");
    EXPECT_EQ(showTime(Picoseconds{0}), "0 s");
    EXPECT_EQ(showTime(Picoseconds{999}), "999 ps");
    EXPECT_EQ(showTime(Picoseconds{27'214'400}), "27.2 us");
    EXPECT_EQ(showTime(Picoseconds{27'214'400}, ofPoints), "27.2144 us");
    EXPECT_EQ(showRate(Rate{400'000}), "0.4 ns/B");
}

TEST(Text, namesTheNearestWord) {
    const std::vector<std::string> words{"halfduplex-allgather/ring-belts", "ring", "torus"};
    EXPECT_EQ(nearest("tours", words), "torus");
    EXPECT_EQ(nearest("ring-belts", words), "halfduplex-allgather/ring-belts");
    EXPECT_EQ(nearest("belts", words), "halfduplex-allgather/ring-belts");
    EXPECT_EQ(nearest("duplex", words), "") << "letters amidst a word are no part of the name";
    EXPECT_EQ(nearest("xyzzy", words), "");
    EXPECT_EQ(nearest("ringbelts", words), "halfduplex-allgather/ring-belts") << "an id without its collective";
    EXPECT_EQ(nearest("halfduplex-allgather/nothing", words), "") << "a collective alone is no likeness";
    EXPECT_EQ(nearest("halfduplex-allgatherv/ring-bels", words), "halfduplex-allgather/ring-belts");
    EXPECT_EQ(didYouMean("rng", words), "; did you mean ring?");
}

TEST(Types, ratesRoundToTheNearestPicosecondWithoutOverflow) {
    EXPECT_EQ((Rate{1} * 499).count(), 0);
    EXPECT_EQ((Rate{1} * 500).count(), 1);
    EXPECT_EQ((Rate{400'000} * (Bytes{1} << 50)).count(), (std::int64_t{1} << 50) * 400);
}

}  // namespace
}  // namespace engine
