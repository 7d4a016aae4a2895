// SPDX-License-Identifier: BSD-3-Clause
// Every unit that can be read, and every limit from both sides.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace engine {
namespace {

/// "" where `work` finds nothing wrong.
std::string errorOf(auto work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

struct Reading {
    std::string words;
    std::int64_t value;
};

TEST(TextUnits, ofBytesAreDecimalOrBinaryAsTheirNamesSay) {
    const std::vector<Reading> readings{
        {"3", 3},           {"3B", 3},           {"3kB", 3'000},         {"3KiB", 3'072},
        {"3MB", 3'000'000}, {"3MiB", 3'145'728}, {"3GB", 3'000'000'000}, {"3GiB", 3'221'225'472},
        {"0.5KiB", 512},    {"1e3", 1000}};
    for (const auto& [words, value] : readings) EXPECT_EQ(readBytes(words, "--size"), value) << words;
}

TEST(TextUnits, ofTimeArePicoseconds) {
    const std::vector<Reading> readings{{"3ps", 3},
                                        {"3ns", 3'000},
                                        {"3us", 3'000'000},
                                        {"3µs", 3'000'000},
                                        {"3ms", 3'000'000'000},
                                        {"3s", 3'000'000'000'000},
                                        {"0.25 ns", 250},
                                        {"0s", 0}};
    for (const auto& [words, value] : readings) EXPECT_EQ(readTime(words, "--alpha").count(), value) << words;
}

TEST(TextUnits, ofRatesAreFemtosecondsPerByte) {
    const std::vector<Reading> readings{
        {"3fs/B", 3}, {"3ps/B", 3'000}, {"3ns/B", 3'000'000}, {"3us/B", 3'000'000'000}, {"0.4ns/B", 400'000}};
    for (const auto& [words, value] : readings)
        EXPECT_EQ(readRate(words, "--beta").femtosecondsPerByte, value) << words;
}

TEST(TextUnits, ofBandwidthsCountBytesOrBitsPerSecond) {
    const std::vector<Reading> readings{{"4B/s", 250'000'000'000'000}, {"4kB/s", 250'000'000'000},
                                        {"4KiB/s", 244'140'625'000},   {"4MB/s", 250'000'000},
                                        {"4MiB/s", 238'418'579},       {"4GB/s", 250'000},
                                        {"4GiB/s", 232'831},           {"32bit/s", 250'000'000'000'000},
                                        {"32kbit/s", 250'000'000'000}, {"32Mbit/s", 250'000'000},
                                        {"32Gbit/s", 250'000}};
    for (const auto& [words, value] : readings)
        EXPECT_EQ(readBandwidth(words, "--bandwidth").femtosecondsPerByte, value) << words;
}

TEST(TextUnits, oneKindOfQuantityIsNotReadAsAnother) {
    const std::string bytes = "B, kB, KiB, MB, MiB, GB, GiB, TB, TiB";
    const std::string bandwidths = "B/s, kB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s, kbit/s, Mbit/s, Gbit/s, bit/s";
    const auto unknown = [](const char* words, const std::string& units) {
        const std::string unit = std::string{words}.substr(std::string{words}.find_first_not_of("0123456789 "));
        return text(": '", words, "' has the unknown unit '", unit, "'; choose one of ", units);
    };
    const auto none = [](const char* words, const std::string& units) {
        return text(": '", words, "' has no unit; choose one of ", units);
    };
    for (const char* words : {"", "KiB", "nan", "inf"})
        EXPECT_EQ(errorOf([&] { readBytes(words, "--size"); }),
                  text("--size: '", words, "' is not a quantity; write for example 64KiB or 1000"));
    for (const char* words : {"3 k", "3kb", "512KB", "1PiB", "3us", "3 B/s", "0x10"})
        EXPECT_EQ(errorOf([&] { readBytes(words, "--size"); }), "--size" + unknown(words, bytes));
    for (const char* words : {"3B", "3m", "3ns/B", "1us1"})
        EXPECT_EQ(errorOf([&] { readTime(words, "--alpha"); }), "--alpha" + unknown(words, "ps, ns, us, ms, s"));
    for (const char* words : {"3ns", "3s/B", "3B/s"})
        EXPECT_EQ(errorOf([&] { readRate(words, "--beta"); }), "--beta" + unknown(words, "fs/B, ps/B, ns/B, us/B"));
    for (const char* words : {"3GB", "3ns/B", "3Gb/s"})
        EXPECT_EQ(errorOf([&] { readBandwidth(words, "--bandwidth"); }), "--bandwidth" + unknown(words, bandwidths));
    EXPECT_EQ(errorOf([&] { readTime("3", "--alpha"); }), "--alpha" + none("3", "ps, ns, us, ms, s"));
    EXPECT_EQ(errorOf([&] { readRate("3", "--beta"); }), "--beta" + none("3", "fs/B, ps/B, ns/B, us/B"));
    EXPECT_EQ(errorOf([&] { readBandwidth("3", "--bandwidth"); }), "--bandwidth" + none("3", bandwidths));
}

TEST(TextUnits, whatIsMoreThanNothingNeverBecomesNothing) {
    for (const char* words : {"0.1B", "0.1", "1.5B", "2.5"})
        EXPECT_EQ(errorOf([&] { readBytes(words, "--size"); }),
                  text("--size: ", words, " is not a whole number of bytes"));
    EXPECT_EQ(errorOf([] { readBytes("0.0001KiB", "--size"); }),
              "--size: 0.0001KiB is too small; the smallest value above 0 is 1B");
    EXPECT_EQ(errorOf([] { readTime("0.1ps", "--alpha"); }),
              "--alpha: 0.1ps is too small; the smallest value above 0 is 1ps");
    EXPECT_EQ(errorOf([] { readRate("0.0001ps/B", "--beta"); }),
              "--beta: 0.0001ps/B is too small; the smallest value above 0 is 1fs/B");
    EXPECT_EQ(errorOf([] { readBandwidth("3e6GB/s", "--bandwidth"); }),
              "--bandwidth: 3e6GB/s is too large; the largest value is 2e6GB/s");
    EXPECT_EQ(readBandwidth("2e6GB/s", "--bandwidth").femtosecondsPerByte, 1);
    EXPECT_EQ(readBytes("0KiB", "--size"), 0);
    EXPECT_EQ(readBytes("0.5KiB", "--size"), 512);
}

constexpr std::int64_t largest = std::int64_t{1} << 62;

TEST(TextLimits, quantitiesReachTwoToTheSixtyTwo) {
    EXPECT_EQ(readBytes("4611686018427387904", "--size"), largest);
    EXPECT_EQ(readBytes("4611686018427387903", "--size"), largest - 1);
    EXPECT_EQ(readBytes("4294967296GiB", "--size"), largest);
    EXPECT_EQ(readTime("4611686018427387904ps", "--alpha").count(), largest);
    EXPECT_EQ(readTime("4611686.0184s", "--alpha").count(), 4'611'686'018'400'000'000);
    EXPECT_EQ(readRate("4611686018427387904fs/B", "--beta").femtosecondsPerByte, largest);
    EXPECT_EQ(readBandwidth("0.001B/s", "--bandwidth").femtosecondsPerByte, 1'000'000'000'000'000'000);

    for (const char* words : {"4611686018427387905", "4294967297GiB", "9223372036854775807", "9223372036854775808",
                              "18446744073709551616", "1e300"})
        EXPECT_EQ(errorOf([&] { readBytes(words, "--size"); }),
                  text("--size: ", words, " is too large; the largest value is 2^62B"));
    for (const char* words : {"4611686018427387905ps", "4611687s", "1e10s"})
        EXPECT_EQ(errorOf([&] { readTime(words, "--alpha"); }),
                  text("--alpha: ", words, " is too large; the largest value is 2^62ps"));
    EXPECT_EQ(errorOf([] { readRate("4611686019us/B", "--beta"); }),
              "--beta: 4611686019us/B is too large; the largest value is 2^62fs/B");
    for (const char* words : {"0.0002B/s", "1e-30GB/s", "0.001bit/s"})
        EXPECT_EQ(errorOf([&] { readBandwidth(words, "--bandwidth"); }),
                  text("--bandwidth: ", words, " is too small; it must be at least 2.2e-4B/s"));
    EXPECT_GT(readBandwidth("2.2e-4B/s", "--bandwidth").femtosecondsPerByte, 4'000'000'000'000'000'000);
}

TEST(TextLimits, wholeNumbersAreReadToTheLastDigit) {
    for (const std::int64_t number : {(std::int64_t{1} << 53) - 1, (std::int64_t{1} << 53) + 1, largest - 3})
        EXPECT_EQ(readBytes(std::to_string(number), "--size"), number);
}

TEST(TextLimits, integersAreHeldToBothEnds) {
    EXPECT_EQ(readInteger("-3", "--n", -3, 5), -3);
    EXPECT_EQ(readInteger("5", "--n", -3, 5), 5);
    EXPECT_EQ(errorOf([] { readInteger("-4", "--n", -3, 5); }), "--n: -4 is too small; it must be at least -3");
    EXPECT_EQ(errorOf([] { readInteger("6", "--n", -3, 5); }), "--n: 6 is too large; the largest value is 5");
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(readInteger(std::to_string(high), "--n", low, high), high);
    EXPECT_EQ(errorOf([] { readInteger("9223372036854775808", "--n", low, high); }),
              "--n: 9223372036854775808 is too large; the largest value is 9223372036854775807");
    for (const char* words : {"", " 3", "3 ", "+3", "3.0", "0x3"})
        EXPECT_EQ(errorOf([&] { readInteger(words, "--n", 0, 5); }), text("--n: '", words, "' is not a whole number"));
}

TEST(TextLimits, gridsReachTheLargestRank) {
    EXPECT_EQ(readDimensions("2147483647", "--topology"), (std::vector<int>{2147483647}));
    EXPECT_EQ(readDimensions("46341x46340", "--topology"), (std::vector<int>{46341, 46340}));
    for (const char* words : {"65536x32768", "46341x46341", "2147483647x2147483647", "2147483647x2147483647x4"})
        EXPECT_EQ(errorOf([&] { readDimensions(words, "--topology"); }),
                  text("--topology: ", words, " has more than 2^31-1 ranks"));
    EXPECT_EQ(errorOf([] { readDimensions("2147483648", "--topology"); }),
              "--topology: 2147483648 is too large; the largest value is 2147483647");
}

TEST(TextUnits, areChosenSoThatAtLeastOneIsShown) {
    const std::vector<std::pair<Bytes, std::string>> bytes{{1, "1 B"},
                                                           {1023, "1023 B"},
                                                           {1024, "1 KiB"},
                                                           {1034, "1.01 KiB"},
                                                           {(1 << 20) - 1, "1 MiB"},
                                                           {1023 << 10, "1023 KiB"},
                                                           {1 << 20, "1 MiB"},
                                                           {Bytes{1} << 30, "1 GiB"},
                                                           {Bytes{1} << 40, "1 TiB"},
                                                           {Bytes{1} << 50, "1024 TiB"},
                                                           {-2048, "-2 KiB"}};
    for (const auto& [value, words] : bytes) EXPECT_EQ(showBytes(value), words);
    const std::vector<std::pair<std::int64_t, std::string>> times{{1, "1 ps"},
                                                                  {999, "999 ps"},
                                                                  {1000, "1 ns"},
                                                                  {999'499, "999 ns"},
                                                                  {999'999, "1 us"},
                                                                  {999'970'000, "1 ms"},
                                                                  {1'000'000, "1 us"},
                                                                  {1'000'000'000, "1 ms"},
                                                                  {1'234'567'000'000, "1.23 s"},
                                                                  {12'345'600'000'000'000, "12346 s"},
                                                                  {-1500, "-1.5 ns"}};
    for (const auto& [value, words] : times) EXPECT_EQ(showTime(Picoseconds{value}), words);
}

}  // namespace
}  // namespace engine
