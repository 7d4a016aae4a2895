// SPDX-License-Identifier: BSD-3-Clause
// The alpha and beta of a machine, from messages that its processes send each other in pairs.
#pragma once

#include "app/session/run/live.hpp"
#include "traces/nccl/benchmark_results.hpp"

#include <set>

namespace app {

/// Where the processes leave what they measured, in the folder of the order.
inline constexpr const char* exchangeFile = "exchanges";
/// Likewise times of the library's collectives (app/session/tune), line by line as they come.
inline constexpr const char* samplesFile = "samples";

void writeExchanges(const std::filesystem::path& file, const std::vector<engine::Bytes>& sizes,
                    const std::vector<engine::Picoseconds>& times);

struct Calibration {
    struct Point {
        engine::Bytes size = 0;
        engine::Picoseconds measured{};
        engine::Picoseconds fitted{};
    };
    std::vector<Point> points{};
    engine::Model model{};
    std::int32_t pairs = 1;
    double error = 0;  ///< largest difference between fitted and measured, as a share of the measured time
    std::string command{};
    Load before{};
};

/// alpha + beta m that fits `times` of messages of `sizes` best: least squares of the relative differences, neither of
/// them below 0. Throws Error for fewer than two sizes.
engine::Model fitted(const std::vector<engine::Bytes>& sizes, const std::vector<engine::Picoseconds>& times);

/// What is measured: messages of `least` bytes, and of four times as many, up to `most`, each `repeats` times, by
/// `pairs` pairs of processes at once.
struct Exchanges {
    engine::Bytes least = 1 << 10;
    engine::Bytes most = 1 << 20;
    std::int32_t repeats = 20;
    std::int32_t pairs = 1;
};

/// Throws Error where nothing could be measured.
Calibration calibrate(const Exchanges& asked, const Launch& launch, const engine::Progress& progress = {});

/// As a file that --model takes.
std::string modelFile(const Calibration& calibration);

/// The parameters that results of nccl-tests come to if each ran as a ring: a run takes steps * alpha + bytes * beta.
struct RingFit {
    struct Point {
        std::string series;  ///< "all_reduce_perf on 8 ranks"
        engine::Bytes size = 0;
        engine::Picoseconds measured{};
        engine::Picoseconds fitted{};
    };
    std::vector<Point> points{};
    engine::Model model{};
    engine::Model low{}, high{};  ///< ends of the 95% intervals of alpha and of beta
    double error = 0;             ///< largest difference between fitted and measured, as a share of the measured time
    std::set<std::string> others{};  ///< series that have no cost as a ring, which are left out
    std::int64_t wrong = 0;          ///< results with wrong data, likewise
};

/// A parameter whose interval includes 0 cannot be estimated.
enum class NearZero : std::uint8_t {
    refused,
    is0  ///< the other one is estimated alone
};

/// Least squares of the relative differences, over sizes from `least` to `most`. Throws Error where no series runs as a
/// ring, fewer than three results remain, all are of one size, or parameters cannot be estimated.
RingFit ringFit(const std::vector<traces::nccl::Series>& all, engine::Bytes least, engine::Bytes most,
                NearZero nearZero = NearZero::refused);

std::string modelFile(const RingFit& fit, const std::string& source);

}  // namespace app
