// SPDX-License-Identifier: BSD-3-Clause
// The archive's own clock measurement: taken into account where it can be one.
#include "tests/traces/samples.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"

namespace {

using traces::Picoseconds;
using traces::Rank;
using traces::samples::put;
using traces::samples::Scratch;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// The local definitions of a location, which hold one offset.
std::string definitions(std::int64_t offset) {
    std::string bytes("\x03\x42\x01", 3);
    bytes.append(15, '\0');
    bytes += "\x06\x19";
    bytes.append(8, '\0');
    bytes += '\x08';
    for (int byte = 0; byte < 8; ++byte)
        bytes += static_cast<char>(static_cast<std::uint64_t>(offset) >> static_cast<unsigned>(8 * byte));
    bytes.append(8, '\0');
    return bytes + "\x02\x01";
}

class ClockOffsets : public testing::Test {
protected:
    /// Two ranks, one message; the archive says this offset for the clock of rank 1.
    traces::RecordingPtr with(std::optional<std::int64_t> offset) {
        traces::RecordingBuilder b{2};
        b.message({.from = Rank{0},
                   .to = Rank{1},
                   .bytes = 8,
                   .sendBegin = us(10),
                   .sendEnd = us(12),
                   .receiveBegin = us(10),
                   .receiveEnd = us(14)});
        const std::string name = "trace" + std::to_string(++archives_);
        traces::writeCopy(b.finish(), scratch / name);
        if (offset) put(scratch / name / "traces" / "1.def", definitions(*offset));
        return traces::readRecording(scratch / name);
    }
    static Picoseconds received(const traces::RecordingPtr& recording) {
        return recording->messages.receiveEnd[0] - recording->messages.sendBegin[0];
    }

    Scratch scratch;
    int archives_ = 0;
};

TEST_F(ClockOffsets, areInTheTimes) {
    const auto plain = with(std::nullopt);
    EXPECT_EQ(received(plain), us(4));
    const auto ticks = static_cast<std::int64_t>(plain->clock.ticksPerSecond / 1'000'000) * 30;
    EXPECT_EQ(received(with(ticks)), us(34));
    EXPECT_EQ(with(ticks)->clockOffsets.size(), 1U);
    EXPECT_TRUE(with(ticks)->remarks.empty());
}

TEST_F(ClockOffsets, thatCannotBeAreLeftOut) {
    for (const std::int64_t offset : {std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
        const auto recording = with(offset);
        EXPECT_EQ(received(recording), us(4)) << offset;
        EXPECT_LT(recording->duration, us(100)) << offset;
        ASSERT_EQ(recording->remarks.size(), 1U);
        EXPECT_NE(recording->remarks[0].find("clock offsets cannot be right"), std::string::npos);
    }
}

}  // namespace
