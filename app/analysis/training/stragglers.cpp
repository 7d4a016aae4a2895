// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/stragglers.hpp"

#include "app/analysis/training/step_times.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

/// Steps of one rank.
struct Steps {
    std::vector<Picoseconds> begins;   ///< rising
    std::vector<std::size_t> numbers;  ///< equal for one step on all ranks, which may begin with different steps

    /// Where `time` is in none it counts to the one before, whose work is still being carried out; 0 without steps.
    [[nodiscard]] std::size_t at(Picoseconds time) const {
        if (begins.empty()) return 0;
        const auto next = std::upper_bound(begins.begin(), begins.end(), time);
        return numbers[next == begins.begin() ? 0 : static_cast<std::size_t>(next - begins.begin()) - 1];
    }
};

/// A collective that one rank enters late.
struct Late {
    Rank rank;
    std::size_t step = 0;
    Picoseconds by{};
    Picoseconds waiting{};
    traces::Operation operation = traces::Operation::unknown;
    std::int32_t communicator = 0;
};

class Finder {
public:
    Finder(const Recording& recording, TimeSpan span)
        : recording_{recording}, span_{span}, clocks_{recording}, steps_(engine::asSize(recording.ranks)) {
        std::map<std::string, std::size_t> numbers;
        for (const traces::Marker& marker : recording.markers) {
            if (marker.group != traces::stepGroup || marker.location == traces::noIndex) continue;
            Steps& its = steps_[recording.locations[engine::asSize(marker.location)].rank.index()];
            its.begins.push_back(marker.begin);
            its.numbers.push_back(numbers.try_emplace(marker.text, numbers.size()).first->second);
        }
    }

    Stragglers find() {
        std::vector<Late> all;
        std::set<std::size_t> seen;
        for (const traces::Collective& instance : recording_.collectives.instances)
            if (const auto late = lateIn(instance, seen)) all.push_back(*late);
        // The rank that makes others wait longest in a step.
        std::map<std::size_t, std::map<Rank, Picoseconds>> bySteps;
        for (const Late& one : all) bySteps[one.step][one.rank] += one.waiting;
        std::map<Rank, std::set<std::size_t>> stepsOf;
        for (const auto& [step, ranks] : bySteps)
            stepsOf[std::max_element(ranks.begin(), ranks.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; })
                        ->first]
                .insert(step);
        std::vector<Straggler> stragglers;
        for (const auto& [rank, steps] : stepsOf) {
            Straggler one;
            one.rank = rank;
            one.steps = static_cast<std::int64_t>(steps.size());
            one.ofSteps = static_cast<std::int64_t>(seen.size());
            std::map<std::pair<traces::Operation, std::int32_t>, std::int64_t> kinds;
            std::map<std::size_t, Picoseconds> latest;
            for (const Late& late : all) {
                if (late.rank != rank || steps.count(late.step) == 0) continue;
                one.waiting += late.waiting;
                latest[late.step] = std::max(latest[late.step], late.by);
                ++kinds[{late.operation, late.communicator}];
            }
            for (const auto& [step, by] : latest) one.lateness += by;
            one.lateness /= static_cast<std::int64_t>(latest.size());
            const auto most = std::max_element(kinds.begin(), kinds.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
            std::tie(one.operation, one.communicator) = most->first;
            stragglers.push_back(std::move(one));
        }
        std::stable_sort(stragglers.begin(), stragglers.end(),
                         [](const Straggler& a, const Straggler& b) { return a.waiting > b.waiting; });
        constexpr std::size_t mostExplained = 3;
        for (std::size_t i = 0; i < std::min(mostExplained, stragglers.size()); ++i)
            explain(stragglers[i], stepsOf[stragglers[i].rank]);
        return {std::move(stragglers), unseen_};
    }

private:
    std::optional<Late> lateIn(const traces::Collective& instance, std::set<std::size_t>& seen) {
        const auto parts = recording_.collectives.of(instance);
        if (!traces::joinsAll(instance.operation) || parts.size() < 2) return std::nullopt;
        const traces::Participant* last = &parts[0];
        Picoseconds shortest = Picoseconds::max();
        for (const traces::Participant& part : parts) {
            if (part.begin > last->begin) last = &part;
            shortest = std::min(shortest, part.end - part.begin);
        }
        if (last->begin < span_.begin || last->begin >= span_.end) return std::nullopt;
        Late late{.rank = last->rank,
                  .step = steps_[last->rank.index()].at(last->begin),
                  .operation = instance.operation,
                  .communicator = instance.communicator};
        seen.insert(late.step);
        std::vector<Picoseconds> others;
        Picoseconds uncertainty{}, unseen{};
        for (const traces::Participant& part : parts) {
            if (part.rank == last->rank) continue;
            others.push_back(part.begin);
            const Picoseconds off = clocks_.between(part.rank, last->rank);
            uncertainty = std::max(uncertainty, off);
            unseen += std::min(off, part.end - part.begin);
            late.waiting += std::max(Picoseconds{}, std::min(last->begin, part.end) - part.begin);
        }
        late.by = last->begin - medianOf(std::move(others));
        constexpr Picoseconds little{20'000'000};
        const Picoseconds least = std::max(shortest / 20, little);
        if (late.by > std::max(least, uncertainty)) return late;
        if (uncertainty > least) unseen_ += unseen;
        return std::nullopt;
    }

    /// Time of each rank by region, in the given steps of its own: kernels by the operation that launched them, or
    /// functions of threads without those they call.
    [[nodiscard]] std::vector<std::vector<Picoseconds>> timesBy(const std::set<std::size_t>& steps,
                                                                bool ofStreams) const {
        std::vector<std::vector<Picoseconds>> times(engine::asSize(recording_.ranks));
        for (std::size_t l = 0; l < recording_.locations.size(); ++l) {
            const traces::Location& location = recording_.locations[l];
            const traces::States& states = recording_.states[l];
            if ((location.kind == traces::LocationKind::accelerator) != ofStreams || states.size() == 0) continue;
            std::vector<Picoseconds>& its = times[location.rank.index()];
            its.resize(recording_.regions.size());
            const Steps& known = steps_[location.rank.index()];
            const auto chosen = [&](Picoseconds time) { return steps.count(known.at(time)) != 0; };
            if (ofStreams) addStream(states, chosen, its);
            else addThread(states, chosen, its);
        }
        return times;
    }

    template <class Chosen>
    void addStream(const traces::States& states, Chosen chosen, std::vector<Picoseconds>& its) const {
        std::int32_t around = traces::noIndex;
        for (std::size_t s = 0; s < states.size(); ++s) {
            if (states.depth[s] == 0) around = states.region[s];
            if (recording_.regions[engine::asSize(around)].call != traces::Call::none) continue;
            const bool isKernel = s + 1 == states.size() || states.depth[s + 1] <= states.depth[s];
            if (isKernel && chosen(states.begin[s])) its[engine::asSize(around)] += states.end[s] - states.begin[s];
        }
    }

    template <class Chosen>
    static void addThread(const traces::States& states, Chosen chosen, std::vector<Picoseconds>& its) {
        std::vector<std::size_t> open;
        for (std::size_t s = 0; s < states.size(); ++s) {
            open.resize(std::min<std::size_t>(open.size(), states.depth[s]));
            const Picoseconds time = states.end[s] - states.begin[s];
            const bool counts = chosen(states.begin[s]);
            if (counts) its[engine::asSize(states.region[s])] += time;
            if (counts && !open.empty() && chosen(states.begin[open.back()]))
                its[engine::asSize(states.region[open.back()])] -= time;
            open.push_back(s);
        }
    }

    void explain(Straggler& one, const std::set<std::size_t>& steps) const {
        for (const bool ofStreams : {true, false}) {
            const std::vector<std::vector<Picoseconds>> times = timesBy(steps, ofStreams);
            const std::vector<Picoseconds>& its = times[one.rank.index()];
            Picoseconds most{};
            std::size_t where = 0;
            for (std::size_t region = 0; region < its.size(); ++region) {
                const std::string& name = recording_.regions[region].name;
                if (!ofStreams && name == "ProfilerStep") continue;
                std::vector<Picoseconds> others;
                for (std::size_t rank = 0; rank < times.size(); ++rank)
                    if (rank != one.rank.index() && !times[rank].empty()) others.push_back(times[rank][region]);
                const Picoseconds more = its[region] - medianOf(std::move(others));
                if (more > most) most = more, where = region;
            }
            const Picoseconds perStep = most / static_cast<std::int64_t>(steps.size());
            if (2 * perStep < one.lateness) continue;
            one.excess = ofStreams ? Excess::kernels : Excess::host;
            one.longer = recording_.regions[where].name;
            one.by = perStep;
            return;
        }
    }

    const Recording& recording_;
    TimeSpan span_;
    traces::ClockUncertainty clocks_;
    Picoseconds unseen_{};
    std::vector<Steps> steps_;  ///< by rank
};

}  // namespace

Stragglers stragglersOf(const Recording& recording, TimeSpan span) { return Finder{recording, span}.find(); }

}  // namespace app::analysis
