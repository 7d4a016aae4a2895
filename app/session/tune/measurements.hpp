// SPDX-License-Identifier: BSD-3-Clause
// Measured times of the library's algorithms: the order of measurements, and the decision for each case.
#pragma once

#include "engine/base/types.hpp"
#include "engine/live/records/collective_records.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace app::tune {

/// An algorithm of the library, and how it is forced; or one of the catalogue.
struct Candidate {
    static constexpr std::int64_t ofCatalogue = -1;

    std::int64_t number = 0;   ///< the library's; 0: the library chooses; `ofCatalogue`
    std::string name{};        ///< "pipeline", or as rules of the drop-in library name it: "bcast/chain:segments=8"
    std::int64_t segment = 0;  ///< bytes
    std::int64_t fanOut = 0;
    std::vector<std::pair<std::string, std::int32_t>> variables{};  ///< of MPI_T
    engine::Picoseconds predicted{};                                ///< by a model; 0: unknown

    [[nodiscard]] bool isOfCatalogue() const { return number == ofCatalogue; }
    friend bool operator==(const Candidate&, const Candidate&) = default;
};
/// "3 (pipeline), segments of 8 KiB", "the library's choice", or the name in the catalogue.
std::string toText(const Candidate& candidate);

/// One call, size and number of ranks, with every algorithm that may run it: the first is the library's own choice.
struct Cell {
    engine::live::Called called = engine::live::Called::bcast;
    std::int64_t ranks = 0;
    engine::Bytes bytes = 0;
    std::vector<Candidate> candidates{};
    std::int64_t calls = 0;                ///< of the program that is tuned for; 0: there is none
    std::vector<std::int64_t> arrivals{};  ///< when each rank enters, in nanoseconds; empty: all at once
};

/// As a line, and back; throws Error where it is none.
std::string toText(const Cell& cell);
Cell cellFrom(const std::string& line);

/// Whether a call scatters a vector that has less than an element of 4 bytes for each rank.
bool lacksElements(engine::live::Called called, std::int64_t ranks, engine::Bytes bytes);
/// All calls with all ranks and sizes, without candidates: a barrier once, with 0 bytes; none that lacks elements.
std::vector<Cell> cellsOf(const std::vector<engine::live::Called>& calls, const std::vector<std::int64_t>& ranks,
                          const std::vector<engine::Bytes>& sizes);

/// One measurement. In each round the library's own choice comes first and last, and all others in turn between.
struct Sample {
    std::size_t cell = 0;
    std::size_t candidate = 0;
    std::int32_t round = 0;
    engine::Picoseconds time{};
    std::string fault{};  ///< instead of a time

    friend bool operator==(const Sample&, const Sample&) = default;
};
std::string toText(const Sample& sample);
/// Nothing for a line that is not whole.
std::optional<Sample> sampleFrom(const std::string& line);

/// Time of the library's own choice over that of another: above 1 the other is faster.
struct Gain {
    double median = 1;
    double low = 1;  ///< 95% bootstrap interval of the median
    double high = 1;
    std::int32_t rounds = 0;
};
/// Of paired ratios, which are not empty. Resampled 1000 times from a fixed seed.
Gain gainOf(const std::vector<double>& ratios);

/// Least gain that is worth a rule.
inline constexpr double leastGain = 1.05;

/// All times of a candidate.
struct Tried {
    std::optional<engine::Picoseconds> time{};  ///< their median; nothing: it was not measured
    std::optional<Gain> gain{};                 ///< over the library's own choice
    bool dropped = false;                       ///< left out: at some time 25% slower than the fastest so far
};

/// The decision for a case after the rounds so far.
struct Verdict {
    std::size_t best = 0;         ///< of the candidates; 0 as long as no other is faster by `leastGain` beyond noise
    Gain gain{};                  ///< of `fastest`
    std::size_t fastest = 0;      ///< of the library, apart from its choice; 0: none was measured
    engine::Picoseconds usual{};  ///< median time of the library's choice
    engine::Picoseconds time{};   ///< of `fastest`
    std::size_t catalogue = 0;    ///< the fastest of the catalogue; 0: none was measured
    Gain catalogueGain{};         ///< of it
    bool clear = false;           ///< further rounds would change nothing

    /// Whether an algorithm of the catalogue is worth a rule of the drop-in library.
    [[nodiscard]] bool catalogueHelps() const;
};

/// The times of all cells, and which to measure next.
class Measurements {
public:
    explicit Measurements(std::vector<Cell> cells);

    void add(const Sample& sample);
    /// What to measure next; nothing when all is clear, or `rounds` were measured of everything.
    std::optional<Sample> next(std::int32_t rounds);

    [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
    /// As of the last whole round.
    [[nodiscard]] const Verdict& verdict(std::size_t cell) const { return states_[cell].verdict; }
    [[nodiscard]] Tried tried(std::size_t cell, std::size_t candidate) const;
    /// Why a candidate of a cell gives wrong results; empty where it does not.
    [[nodiscard]] std::string fault(std::size_t cell, std::size_t candidate) const;
    /// Share of the rounds that are measured or not needed.
    [[nodiscard]] double done(std::int32_t rounds) const;

private:
    struct State {
        std::vector<std::vector<Sample>> rounds;
        std::vector<std::string> faults;  ///< by candidate
        std::vector<bool> dropped;        ///< by candidate: much slower than the best
        std::vector<bool> late;           ///< by candidate: measured after others, since the model predicts a long time
        std::vector<std::size_t> queue;   ///< left of the round in progress
        Verdict verdict;                  ///< after the last whole round
    };
    [[nodiscard]] std::vector<double> ratios(const State& state, std::size_t candidate) const;
    [[nodiscard]] Verdict verdictOf(std::size_t cell) const;
    void judge(std::size_t cell);

    std::vector<Cell> cells_;
    std::vector<State> states_;
    std::optional<std::size_t> open_;  ///< the cell whose round is in progress
};

}  // namespace app::tune
