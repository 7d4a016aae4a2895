// SPDX-License-Identifier: BSD-3-Clause
// A program with known faults, for pictures and answers: halo exchange, assembly, a collective, over and over.
#pragma once

#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <vector>

namespace support {

/// `ranks` ranks exchange with their right neighbours, assemble for 9 ms and reduce, `steps` times. Rank 3 assembles 19
/// ms longer each time; in the tenth step rank 1 assembles 27 ms longer than the others. Times in milliseconds.
inline traces::Recording steppingProgram(int ranks, int steps) {
    using engine::Picoseconds;
    using engine::Rank;
    const auto ms = [](double time) { return Picoseconds{static_cast<std::int64_t>(time * 1e9)}; };
    traces::RecordingBuilder builder{ranks};
    for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, ms(0), "main");
    double begin = 1;
    for (int step = 0; step < steps; ++step) {
        double last = 0;
        std::vector<double> came(static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            builder.enter(rank, ms(begin), "halo");
            builder.enter(rank, ms(begin + 0.25), "MPI_Sendrecv");
            builder.leave(rank, ms(begin + 1));
            builder.leave(rank, ms(begin + 1));
            const int right = (rank + 1) % ranks;
            builder.message({.from = Rank{rank},
                             .to = Rank{right},
                             .bytes = 8192,
                             .sendBegin = ms(begin + 0.25),
                             .sendEnd = ms(begin + 0.75),
                             .receiveBegin = ms(begin + 0.25),
                             .receiveEnd = ms(begin + 1)});
            double& end = came[static_cast<std::size_t>(rank)];
            end = begin + 10 + (rank == 3 ? 19 : 0) + (rank == 1 && step == 9 ? 27 : 0);
            builder.enter(rank, ms(begin + 1), "assemble");
            builder.leave(rank, ms(end));
            last = std::max(last, end);
        }
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            const double from = came[static_cast<std::size_t>(rank)];
            builder.enter(rank, ms(from), "MPI_Allreduce");
            builder.leave(rank, ms(last + 0.5));
            parts.push_back({.rank = Rank{rank}, .begin = ms(from), .end = ms(last + 0.5), .sent = 8, .received = 8});
        }
        builder.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
        begin = last + 0.5;
    }
    for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, ms(begin + 1));
    traces::Recording recording = builder.finish();
    for (std::size_t i = 0; i < recording.locations.size(); ++i)
        recording.locations[i].path = {"machine", i < recording.locations.size() / 2 ? "node 0" : "node 1"};
    return recording;
}

}  // namespace support
