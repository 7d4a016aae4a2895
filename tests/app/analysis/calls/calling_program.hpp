// SPDX-License-Identifier: BSD-3-Clause
// Traces of programs written call by call, in microseconds.
#pragma once

#include "app/analysis/trace/trace.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace app::analysis::calling {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

class Program {
public:
    explicit Program(int ranks) : builder_{ranks} {}

    /// `rank` is in an MPI call.
    Program& call(int rank, std::int64_t begin, std::int64_t end, const char* name) {
        return enter(rank, begin, name).leave(rank, end);
    }
    Program& enter(int rank, std::int64_t time, const char* name) {
        builder_.enter(rank, us(time), name);
        return *this;
    }
    Program& leave(int rank, std::int64_t time) {
        builder_.leave(rank, us(time));
        return *this;
    }
    Program& message(int from, int to, std::int64_t sendBegin, std::int64_t sendEnd, std::int64_t receiveBegin,
                     std::int64_t receiveEnd, traces::MessageFlags flags = 0) {
        builder_.message({.from = Rank{from},
                          .to = Rank{to},
                          .bytes = 8,
                          .sendBegin = us(sendBegin),
                          .sendEnd = us(sendEnd),
                          .receiveBegin = us(receiveBegin),
                          .receiveEnd = us(receiveEnd),
                          .flags = flags});
        return *this;
    }
    Program& collective(traces::Operation operation, std::vector<traces::Participant> parts,
                        Rank root = traces::noRank) {
        builder_.collective(operation, 0, root, std::move(parts));
        return *this;
    }
    Trace trace() {
        auto recording = std::make_shared<const traces::Recording>(builder_.finish());
        return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                .recording = recording};
    }

private:
    traces::RecordingBuilder builder_;
};

inline traces::Participant part(int rank, std::int64_t begin, std::int64_t end, bool nonBlocking = false) {
    return {.rank = Rank{rank}, .begin = us(begin), .end = us(end), .nonBlocking = nonBlocking};
}

/// Many begin and end together, some overlap, collectives of two communicators lie among them.
inline Trace randomTrace(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(6);
    Program program{ranks};
    for (int i = 0; i < 60; ++i) {
        const int from = below(ranks);
        const int to = (from + 1 + below(ranks - 1)) % ranks;
        const int sent = below(40), came = below(40);
        const int over = std::max(sent, came) + 1 + below(4);
        program.message(from, to, sent, below(2) == 0 ? over : sent + 1, came, over);
    }
    for (int i = 0; i < 6; ++i) {
        std::vector<traces::Participant> parts;
        const int over = 12 + below(30);
        for (int rank = 0; rank < ranks; ++rank) parts.push_back(part(rank, over - 1 - below(11), over));
        program.collective(i % 3 == 0 ? traces::Operation::scan : traces::Operation::barrier, std::move(parts));
    }
    return program.trace();
}

}  // namespace app::analysis::calling
