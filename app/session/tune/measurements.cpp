// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/measurements.hpp"

#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <span>

namespace app::tune {
namespace {

using engine::Picoseconds;
using engine::text;

constexpr std::int32_t fewestRounds = 5;      // before anything is clear
constexpr std::size_t roundsOfPromising = 3;  // before slow ones are dropped, or those predicted to be slow begin
constexpr int slowBy = 2;                     // times the shortest predicted time

bool isWorthARule(const Gain& gain) { return gain.rounds >= fewestRounds && gain.low > 1 && gain.median >= leastGain; }

/// Of what is worth a rule.
bool isOnOneSide(const Gain& gain) {
    return gain.rounds >= fewestRounds && (gain.low >= leastGain || gain.high < leastGain);
}

double timeOf(const std::vector<Sample>& round, std::size_t candidate) {
    double sum = 0;
    int count = 0;
    for (const Sample& sample : round)
        if (sample.candidate == candidate && sample.fault.empty()) {
            sum += static_cast<double>(sample.time.count());
            ++count;
        }
    return count == 0 ? 0 : sum / count;
}

}  // namespace

std::string toText(const Candidate& candidate) {
    if (candidate.isOfCatalogue()) return candidate.name;
    if (candidate.number == 0) return "the library's choice";
    return text(candidate.number, " (", candidate.name, ")",
                candidate.segment > 0 ? text(", segments of ", engine::showBytes(candidate.segment)) : "");
}

std::string toText(const Cell& cell) {
    std::string words = text(name(cell.called), ' ', cell.ranks, ' ', cell.bytes, ' ', cell.calls);
    for (const std::int64_t arrival : cell.arrivals) words += text(' ', arrival);
    for (const Candidate& one : cell.candidates) {
        words += text(" | ", one.number, ' ', one.name, ' ', one.segment, ' ', one.fanOut, ' ', one.predicted.count());
        for (const auto& [variable, value] : one.variables) words += text(' ', variable, '=', value);
    }
    return words;
}

Cell cellFrom(const std::string& line) {
    const std::vector<std::string> parts = engine::split(line, '|');
    std::istringstream head{parts[0]};
    std::string called;
    Cell cell;
    head >> called >> cell.ranks >> cell.bytes >> cell.calls;
    const auto found = std::ranges::find(engine::live::everyCalled, called, [](auto one) { return name(one); });
    bool right = head && found != engine::live::everyCalled.end();
    if (right) cell.called = *found;
    for (std::int64_t arrival = 0; head >> arrival;) cell.arrivals.push_back(arrival);
    right = right && (cell.arrivals.empty() || static_cast<std::int64_t>(cell.arrivals.size()) == cell.ranks);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        std::istringstream words{parts[i]};
        Candidate one;
        std::int64_t predicted = 0;
        words >> one.number >> one.name >> one.segment >> one.fanOut >> predicted;
        one.predicted = Picoseconds{predicted};
        right = right && words;
        for (std::string variable; words >> variable;) {
            const std::size_t equals = std::min(variable.find('='), variable.size() - 1);
            const std::int64_t value = engine::readInteger(variable.substr(equals + 1), "a variable", 0, 1 << 30);
            one.variables.emplace_back(variable.substr(0, equals), static_cast<std::int32_t>(value));
        }
        cell.candidates.push_back(std::move(one));
    }
    if (!right) throw engine::Error{text("'", line, "' is no cell of measurements")};
    return cell;
}

std::string toText(const Sample& sample) {
    return text(sample.cell, '\t', sample.candidate, '\t', sample.round, '\t', sample.time.count(), '\t', sample.fault,
                "\t.");
}

std::optional<Sample> sampleFrom(const std::string& line) {
    const std::vector<std::string> parts = engine::split(line, '\t');
    if (parts.size() != 6 || parts[5] != ".") return std::nullopt;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto number = [&](std::size_t i) { return engine::readInteger(parts[i], "a measurement", 0, most); };
    return Sample{static_cast<std::size_t>(number(0)), static_cast<std::size_t>(number(1)),
                  static_cast<std::int32_t>(number(2)), Picoseconds{number(3)}, parts[4]};
}

bool lacksElements(engine::live::Called called, std::int64_t ranks, engine::Bytes bytes) {
    using engine::live::Called;
    return (called == Called::reduceScatter || called == Called::reduceScatterBlock) && bytes < 4 * ranks;
}

std::vector<Cell> cellsOf(const std::vector<engine::live::Called>& calls, const std::vector<std::int64_t>& ranks,
                          const std::vector<engine::Bytes>& sizes) {
    std::vector<Cell> all;
    for (const std::int64_t count : ranks)
        for (const engine::live::Called called : calls) {
            const bool sized = called != engine::live::Called::barrier;
            for (const engine::Bytes bytes : sized ? sizes : std::vector<engine::Bytes>{0})
                if (!lacksElements(called, count, bytes))
                    all.push_back({.called = called, .ranks = count, .bytes = bytes});
        }
    return all;
}

Gain gainOf(const std::vector<double>& ratios) {
    constexpr int resamples = 1000;
    constexpr std::size_t tail = 25;  // of the resamples on each side
    Gain gain{.median = engine::median(ratios), .rounds = static_cast<std::int32_t>(ratios.size())};
    std::minstd_rand random{46};
    std::vector<double> medians;
    std::vector<double> drawn(ratios.size());
    for (int i = 0; i < resamples; ++i) {
        for (double& one : drawn) one = ratios[random() % ratios.size()];
        medians.push_back(engine::median(drawn));
    }
    std::ranges::sort(medians);
    gain.low = medians[tail];
    gain.high = medians[medians.size() - 1 - tail];
    return gain;
}

Measurements::Measurements(std::vector<Cell> cells) : cells_{std::move(cells)}, states_(cells_.size()) {
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        states_[c].faults.resize(cells_[c].candidates.size());
        states_[c].dropped.resize(cells_[c].candidates.size());
        Picoseconds least{};
        for (const Candidate& one : cells_[c].candidates)
            if (one.predicted.count() > 0 && (least.count() == 0 || one.predicted < least)) least = one.predicted;
        for (const Candidate& one : cells_[c].candidates)
            states_[c].late.push_back(one.predicted.count() > slowBy * least.count());
    }
}

void Measurements::add(const Sample& sample) {
    if (sample.cell >= cells_.size() || sample.candidate >= cells_[sample.cell].candidates.size()) return;
    State& state = states_[sample.cell];
    const auto round = static_cast<std::size_t>(sample.round);
    if (round > state.rounds.size()) return;  // rounds before it are missing
    if (round == state.rounds.size()) state.rounds.emplace_back();
    state.rounds[round].push_back(sample);
    if (!sample.fault.empty()) state.faults[sample.candidate] = sample.fault;
    if (!state.queue.empty() && state.queue.front() == sample.candidate) state.queue.erase(state.queue.begin());
    // Where nothing is queued, the samples are those of another process or of an earlier measurement.
    const auto usual = std::ranges::count(state.rounds[round], std::size_t{0}, &Sample::candidate);
    if (state.queue.empty() && usual == (state.dropped.size() > 1 ? 2 : 1)) {
        if (open_ == sample.cell) open_.reset();
        judge(sample.cell);
    }
}

std::vector<double> Measurements::ratios(const State& state, std::size_t candidate) const {
    std::vector<double> all;
    for (const std::vector<Sample>& round : state.rounds) {
        const double usual = timeOf(round, 0);
        const double time = timeOf(round, candidate);
        if (usual > 0 && time > 0) all.push_back(usual / time);
    }
    return all;
}

/// Drops candidates whose median gain is less than 80% of the best one's, after three rounds. One noisy time of a
/// candidate that came late drops none.
void Measurements::judge(std::size_t cell) {
    State& state = states_[cell];
    const std::vector<Candidate>& candidates = cells_[cell].candidates;
    // The library's best decides its rules, however much faster the catalogue's is.
    for (const bool isOfCatalogue : {false, true}) {
        double best = 0;
        std::vector<double> medians(state.dropped.size());
        for (std::size_t k = 1; k < state.dropped.size(); ++k) {
            const std::vector<double> all = ratios(state, k);
            if (candidates[k].isOfCatalogue() != isOfCatalogue || all.empty() || state.dropped[k]) continue;
            medians[k] = engine::median(all);
            if (all.size() >= roundsOfPromising) best = std::max(best, medians[k]);
        }
        const double least = (isOfCatalogue ? best : std::max(best, 1.0)) * 0.8;
        for (std::size_t k = 1; k < state.dropped.size(); ++k)
            if (state.rounds.size() >= roundsOfPromising && medians[k] > 0 && medians[k] < least)
                state.dropped[k] = true;
    }
    state.verdict = verdictOf(cell);
}

std::optional<Sample> Measurements::next(std::int32_t rounds) {
    if (!open_) {
        std::size_t fewest = static_cast<std::size_t>(rounds);
        for (std::size_t c = 0; c < cells_.size(); ++c)
            if (states_[c].rounds.size() < fewest && !verdict(c).clear) {
                fewest = states_[c].rounds.size();
                open_ = c;
            }
        if (!open_) return std::nullopt;
        State& state = states_[*open_];
        state.queue = {0};
        for (std::size_t k = 1; k < state.dropped.size(); ++k)
            if (!state.dropped[k] && state.faults[k].empty() &&
                (!state.late[k] || state.rounds.size() >= roundsOfPromising))
                state.queue.push_back(k);
        std::ranges::stable_sort(std::span{state.queue}.subspan(1), {},
                                 [&](std::size_t k) { return cells_[*open_].candidates[k].predicted; });
        if (state.dropped.size() > 1) state.queue.push_back(0);  // again, against drift
        state.rounds.emplace_back();
    }
    const State& state = states_[*open_];
    return Sample{
        .cell = *open_, .candidate = state.queue.front(), .round = static_cast<std::int32_t>(state.rounds.size()) - 1};
}

Verdict Measurements::verdictOf(std::size_t cell) const {
    const State& state = states_[cell];
    Verdict verdict;
    std::vector<Picoseconds> usual;
    for (const auto& round : state.rounds)
        if (const double time = timeOf(round, 0); time > 0) usual.emplace_back(static_cast<std::int64_t>(time));
    if (usual.empty()) return verdict;
    verdict.usual = engine::median(usual);
    bool left = false;
    for (std::size_t k = 1; k < state.dropped.size(); ++k) {
        if (!state.faults[k].empty()) continue;
        left = left || !state.dropped[k];
        const std::vector<double> all = ratios(state, k);
        // One that was dropped early cannot be the fastest of those with more rounds.
        if (all.empty() || state.dropped[k]) continue;
        const Gain gain = gainOf(all);
        if (cells_[cell].candidates[k].isOfCatalogue()) {
            if (verdict.catalogue != 0 && gain.median <= verdict.catalogueGain.median) continue;
            verdict.catalogueGain = gain;
            verdict.catalogue = k;
            continue;
        }
        if (verdict.fastest != 0 && gain.median <= verdict.gain.median) continue;
        verdict.gain = gain;
        verdict.fastest = k;
        verdict.time = Picoseconds{static_cast<std::int64_t>(static_cast<double>(verdict.usual.count()) / gain.median)};
    }
    if (verdict.fastest != 0 && isWorthARule(verdict.gain)) verdict.best = verdict.fastest;
    // Nothing else is left, or the interval lies on one side of what is worth a rule.
    verdict.clear = !left ? state.dropped.size() > 1 && !state.rounds.empty()
                          : (verdict.fastest == 0 || isOnOneSide(verdict.gain)) &&
                                (verdict.catalogue == 0 || isOnOneSide(verdict.catalogueGain)) &&
                                (verdict.fastest != 0 || verdict.catalogue != 0);
    return verdict;
}

bool Verdict::catalogueHelps() const { return catalogue != 0 && isWorthARule(catalogueGain); }

Tried Measurements::tried(std::size_t cell, std::size_t candidate) const {
    const State& state = states_[cell];
    Tried tried{.dropped = state.dropped[candidate]};
    std::vector<Picoseconds> times;
    for (const auto& round : state.rounds)
        if (const double time = timeOf(round, candidate); time > 0) times.emplace_back(static_cast<std::int64_t>(time));
    if (!times.empty()) tried.time = engine::median(times);
    if (const std::vector<double> all = ratios(state, candidate); candidate != 0 && !all.empty())
        tried.gain = gainOf(all);
    return tried;
}

std::string Measurements::fault(std::size_t cell, std::size_t candidate) const {
    return states_[cell].faults[candidate];
}

double Measurements::done(std::int32_t rounds) const {
    double sum = 0;
    for (std::size_t c = 0; c < cells_.size(); ++c)
        sum += verdict(c).clear ? 1
                                : static_cast<double>(std::min<std::size_t>(states_[c].rounds.size(),
                                                                            static_cast<std::size_t>(rounds))) /
                                      rounds;
    return cells_.empty() ? 1 : sum / static_cast<double>(cells_.size());
}

}  // namespace app::tune
