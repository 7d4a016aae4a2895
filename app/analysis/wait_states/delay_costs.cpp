// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/delay_costs.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/wait_states/call_path_intervals.hpp"
#include "app/analysis/wait_states/last_in_step.hpp"
#include "app/analysis/wait_states/wait_call_path.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// Time by place, over some of them.
class Times {
public:
    explicit Times(std::size_t places) : time_(places) {}

    void add(PlaceNumber place, Picoseconds time) {
        if (time_[place].count() == 0) touched_.push_back(place);
        time_[place] += time;
    }
    [[nodiscard]] Picoseconds of(PlaceNumber place) const { return time_[place]; }
    /// Rising, each once.
    [[nodiscard]] const std::vector<PlaceNumber>& touched() {
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        return touched_;
    }
    void clear() {
        for (const PlaceNumber place : touched_) time_[place] = {};
        touched_.clear();
    }

private:
    std::vector<Picoseconds> time_;
    std::vector<PlaceNumber> touched_;
};

/// What of a wait follows from a delay.
struct OfWait {
    std::uint32_t wait = 0;
    Picoseconds time{};
};

/// What is known of all delays.
struct Known {
    const TracedWaits& waits;
    std::span<const Delay> delays;
    const CallPaths& paths;
    const CallPlaces& places;
    std::vector<InStep> steps;                       ///< by delay: when its two threads had last been in step
    std::vector<std::unique_ptr<PathTimes>> timeOf;  ///< by place; null where it has none, or nobody asks
    /// By delay, of its parts of waits in `ofDelay`; and behind the last one. Of hidden delays there are none.
    std::vector<std::uint32_t> first{};
    std::vector<OfWait> ofDelay{};
};

/// What threads that were late, and those that waited for them, spent when.
std::vector<std::unique_ptr<PathTimes>> timesOf(std::span<const Delay> delays, const TracedWaits& waits,
                                                const CallPaths& paths, const CallPlaces& places) {
    const Threads& threads = waits.threads;
    std::vector<std::unique_ptr<PathTimes>> times(engine::asSize(threads.count()));
    std::vector<bool> asked(times.size());
    for (const Delay& delay : delays) {
        asked[engine::asSize(threads.placeOf(delay.rank, delay.thread))] = true;
        asked[engine::asSize(threads.placeOf(delay.waiter, delay.waiterThread))] = true;
    }
    std::vector<Rank> who(waits.all.size());
    std::transform(waits.all.begin(), waits.all.end(), who.begin(),
                   [&](const Wait& wait) { return Rank{threads.placeOf(wait.rank, wait.thread)}; });
    traces::Grouped ofThread{who, threads.count()};
    engine::parallelFor(times.size(), [&](std::size_t place) {
        const Rank at{static_cast<std::int32_t>(place)};
        const auto [rank, thread] = threads.at(at.value);
        const std::int32_t location = threads.locationOf(rank, thread);
        if (!asked[place] || location == traces::noIndex) return;
        const std::span<std::uint32_t> its = ofThread.of(at);
        sortMostlySorted(its,
                         [&](std::uint32_t a, std::uint32_t b) { return waits.all[a].begin < waits.all[b].begin; });
        std::vector<WaitOnPath> waited;
        waited.reserve(its.size());
        PathOfWaits path{paths, threads};
        for (const std::uint32_t i : its)
            waited.push_back({waits.all[i].begin, waits.all[i].end(), path.in(waits.all[i])});
        times[place] = std::make_unique<PathTimes>(paths, places, engine::asSize(location), std::move(waited));
    });
    return times;
}

Known knownOf(std::span<const Delay> delays, const TracedWaits& waits, const CallPaths& paths,
              const CallPlaces& places) {
    Known known{.waits = waits,
                .delays = delays,
                .paths = paths,
                .places = places,
                .steps = stepsOf(delays, waits, paths.recording()),
                .timeOf = timesOf(delays, waits, paths, places)};
    if (delays.data() != waits.delays.data()) return known;
    known.first.resize(waits.delays.size() + 2);
    known.ofDelay.resize(waits.all.size() + waits.shares.size() + waits.earlier.size());
    for (const Wait& wait : waits.all) ++known.first[wait.wave + 2];
    for (const WaitShare& share : waits.shares) ++known.first[share.wave + 2];
    for (const EarlierPart& part : waits.earlier) ++known.first[part.wave + 2];
    std::partial_sum(known.first.begin(), known.first.end(), known.first.begin());
    std::vector<std::uint32_t> ofWait(waits.all.size());
    const auto add = [&](std::uint32_t wave, OfWait part) {
        const std::uint32_t place = known.first[wave + 1]++;
        known.ofDelay[place] = part;
        return place;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ofShare;  // by wait and wave
    for (std::uint32_t i = 0; i < ofWait.size(); ++i) ofWait[i] = add(waits.all[i].wave, {i, waits.all[i].time});
    for (const WaitShare& share : waits.shares) {
        known.ofDelay[ofWait[share.wait]].time -= share.time;
        const std::uint32_t place = add(share.wave, {share.wait, share.time});
        if (!waits.earlier.empty()) ofShare[{share.wait, share.wave}] = place;
    }
    for (const EarlierPart& part : waits.earlier) {
        const bool isOfWait = waits.all[part.wait].wave == part.last;
        known.ofDelay[isOfWait ? ofWait[part.wait] : ofShare.at({part.wait, part.last})].time -= part.time;
        add(part.wave, {part.wait, part.time});
    }
    return known;
}

/// Delays one after the other.
class Explaining {
public:
    explicit Explaining(const Known& known)
        : known_{known},
          late_{known.places.size()},
          waiter_{known.places.size()},
          meanwhile_{known.places.size()},
          stretches_(known.places.size()),
          pathOf_{known.paths, known.waits.threads} {}

    void explain(std::size_t number) {
        const Delay& delay = known_.delays[number];
        std::array<Picoseconds, waitKinds> costs{};
        inferred_.reset();
        const bool isHidden = known_.first.empty();
        if (isHidden) costs[static_cast<std::size_t>(delay.kind)] = delay.until - delay.since;
        for (std::uint32_t i = isHidden ? 0 : known_.first[number]; !isHidden && i < known_.first[number + 1]; ++i) {
            const Wait& wait = known_.waits.all[known_.ofDelay[i].wait];
            costs[static_cast<std::size_t>(wait.kind)] += known_.ofDelay[i].time;
            if (wait.isInferred()) inferred_.set(static_cast<std::size_t>(wait.kind));
        }
        if (std::all_of(costs.begin(), costs.end(), [](Picoseconds cost) { return cost.count() == 0; })) return;
        late_.clear();
        waiter_.clear();
        meanwhile_.clear();
        findStretches(delay);
        const Threads& threads = known_.waits.threads;
        const std::int32_t behind = threads.placeOf(delay.rank, delay.thread);
        const std::int32_t waiter = threads.placeOf(delay.waiter, delay.waiterThread);
        look(behind, known_.steps[number].late, delay.until, late_);
        lookBeforeFirst(behind, known_.steps[number].late, delay.until, late_);
        look(waiter, known_.steps[number].waiter, delay.since, waiter_);
        lookBeforeFirst(waiter, known_.steps[number].waiter, delay.since, waiter_);
        look(behind, delay.since, delay.until, meanwhile_);
        Picoseconds sum = exceedingWaiter();
        // Where both did as much of the same, one after the other, as in a wavefront: what it did while it was waited
        // for. A lock is only held meanwhile.
        const bool held = delay.kind == WaitKind::criticalContention || delay.kind == WaitKind::lockContention;
        // What they left together they may have left one after the other.
        const InStep& step = known_.steps[number];
        if (step.joined && step.late > step.waiter) {
            late_.add(pathOf_.of(delay.rank, delay.thread, delay.kind).before(step.late), step.late - step.waiter);
            sum = exceedingWaiter();
        }
        const Excess beside = excess_;
        const Picoseconds busy = exceeding(meanwhile_, [](PlaceNumber) { return Picoseconds{}; });
        if (held || 2 * sum < busy) sum = busy;
        else excess_ = beside;
        const Picoseconds late = busy + unseen(delay);
        if (excess_.empty()) excess_.emplace_back(outsideOfCalls, Picoseconds{1}), sum = Picoseconds{1};
        for (const auto& [place, more] : excess_) add(delay, late, place, ratio(more, sum), costs);
    }

    [[nodiscard]] DelayCosts& rows() { return rows_; }
    /// Of the delays explained from now on, those that belong to `cause`.
    void collect(const Cause& cause, std::vector<DelayOfCause>& collected) {
        cause_ = &cause;
        collected_ = &collected;
    }

private:
    using Excess = std::vector<std::pair<PlaceNumber, Picoseconds>>;

    /// What `times` have beyond those of `other`, place by place; returns the sum.
    template <class Other>
    Picoseconds exceeding(Times& times, Other other) {
        excess_.clear();
        Picoseconds sum{};
        for (const PlaceNumber place : times.touched())
            if (const Picoseconds more = times.of(place) - other(place); more > Picoseconds{})
                excess_.emplace_back(place, more), sum += more;
        return sum;
    }

    /// The late rank's times beyond those of the one that waited. Outside of calls both compute: where another call
    /// follows at one of them, it is another place, and only what one computes more than the other makes it late.
    Picoseconds exceedingWaiter() {
        exceeding(late_, [&](PlaceNumber place) { return waiter_.of(place); });
        const auto isOutside = [&](PlaceNumber place) { return known_.places.pathOf(place) == outsideOfCalls; };
        Picoseconds more{}, net{};
        for (const auto& [place, time] : excess_)
            if (isOutside(place)) more += time;
        for (const PlaceNumber place : late_.touched())
            if (isOutside(place)) net += late_.of(place);
        for (const PlaceNumber place : waiter_.touched())
            if (isOutside(place)) net -= waiter_.of(place);
        const double share = std::clamp(ratio(net, more), 0.0, 1.0);
        Picoseconds sum{};
        for (auto& [place, time] : excess_) {
            if (isOutside(place)) time = Picoseconds{std::llround(share * static_cast<double>(time.count()))};
            sum += time;
        }
        std::erase_if(excess_, [](const auto& one) { return one.second == Picoseconds{}; });
        return sum;
    }

    /// How much of a delay lies before the first event of the rank, or behind its last.
    [[nodiscard]] Picoseconds unseen(const Delay& delay) const {
        const Recording& recording = known_.paths.recording();
        const std::int32_t location = known_.waits.threads.locationOf(delay.rank, delay.thread);
        if (location == traces::noIndex) return delay.until - delay.since;
        const traces::Location& its = recording.locations[engine::asSize(location)];
        return delay.until - delay.since -
               std::max(Picoseconds{}, std::min(delay.until, its.last) - std::max(delay.since, its.first));
    }

    /// What a thread spent in [begin, end) by place, without its waits.
    void look(std::int32_t thread, Picoseconds begin, Picoseconds end, Times& times) const {
        if (const auto& known = known_.timeOf[engine::asSize(thread)])
            known->each(begin, end, [&](PlaceNumber place, Picoseconds time) { times.add(place, time); });
    }

    /// What of [begin, end) lies before the first event of a thread: it was outside of calls then.
    [[nodiscard]] std::optional<std::pair<PlaceNumber, traces::TimeSpan>> beforeFirst(std::int32_t location,
                                                                                      Picoseconds begin,
                                                                                      Picoseconds end) const {
        if (location == traces::noIndex) return std::nullopt;
        const Picoseconds first = known_.paths.recording().locations[engine::asSize(location)].first;
        if (begin >= std::min(first, end)) return std::nullopt;
        std::uint32_t hint = 0;
        return std::pair{known_.places.outside(engine::asSize(location), begin, hint),
                         traces::TimeSpan{begin, std::min(first, end)}};
    }
    void lookBeforeFirst(std::int32_t thread, Picoseconds begin, Picoseconds end, Times& times) const {
        const auto [rank, number] = known_.waits.threads.at(thread);
        if (const auto its = beforeFirst(known_.waits.threads.locationOf(rank, number), begin, end))
            times.add(its->first, its->second.end - its->second.begin);
    }

    /// `part` of a delay, for `late` of which the rank did not wait itself, was spent in `place`.
    void add(const Delay& delay, Picoseconds late, PlaceNumber place, double part,
             const std::array<Picoseconds, waitKinds>& costs) {
        const Picoseconds later{static_cast<std::int64_t>(part * static_cast<double>(late.count()) + 0.5)};
        const PathId path = known_.places.pathOf(place);
        const PathId before = path == outsideOfCalls ? lateFor(delay, place) : outsideOfCalls;
        if (cause_ != nullptr && cause_->path == path && cause_->before == before) collect(delay, place, later);
        const Picoseconds until = part >= 0.1 ? endOfStretch(place, delay) : Picoseconds{};
        for (std::size_t kind = 0; kind < waitKinds; ++kind) {
            if (costs[kind].count() == 0) continue;
            DelayCost& row = rows_[{static_cast<WaitKind>(kind), delay.rank, delay.thread, path, before}];
            row.time += part * static_cast<double>(costs[kind].count());
            row.isInferred = row.isInferred || inferred_[kind];
            if (part >= 0.1) row.late.push_back({until, later, delay.since});
        }
    }

    /// What the rank spent last is taken first: the time in which it was waited for, then since both were in step.
    void collect(const Delay& delay, PlaceNumber place, Picoseconds later) {
        const Picoseconds meanwhile = meanwhile_.of(place), all = late_.of(place);
        const bool isEnough = meanwhile >= later || all <= meanwhile;
        const auto number = static_cast<std::uint32_t>(&delay - known_.delays.data());
        DelayOfCause one{.number = number,
                         .span = {isEnough ? delay.since : known_.steps[number].late, delay.until},
                         .later = later,
                         .computed = isEnough ? meanwhile : all};
        // The path does not tell what is before this call from what is before others.
        constexpr std::size_t most = 64;
        std::vector<traces::TimeSpan> spans;
        const std::int32_t location = known_.waits.threads.locationOf(delay.rank, delay.thread);
        if (const auto its = beforeFirst(location, one.span.begin, one.span.end); its && its->first == place)
            spans.push_back(its->second);
        if (known_.places.pathOf(place) == outsideOfCalls && location != traces::noIndex)
            known_.places.eachStretch(engine::asSize(location), one.span.begin, one.span.end,
                                      [&](PlaceNumber in, Picoseconds from, Picoseconds to) {
                                          if (in == place) spans.push_back({from, to});
                                      });
        if (spans.empty()) return collected_->push_back(one);
        if (spans.size() > most) spans.erase(spans.begin(), spans.end() - most);
        Picoseconds computed{};
        for (const traces::TimeSpan& span : spans) computed += span.end - span.begin;
        for (const traces::TimeSpan& span : spans) {
            const double part = ratio(span.end - span.begin, computed);
            collected_->push_back({.number = number,
                                   .span = span,
                                   .later = Picoseconds{std::llround(part * static_cast<double>(later.count()))},
                                   .computed = span.end - span.begin});
        }
    }

    /// The longest stretch of each place that the late rank was in while it was waited for.
    void findStretches(const Delay& delay) {
        for (const PlaceNumber place : inStretches_) stretches_[place] = {};
        inStretches_.clear();
        cameElsewhere_.reset();
        const std::int32_t location = known_.waits.threads.locationOf(delay.rank, delay.thread);
        if (location == traces::noIndex) return;
        PlaceNumber last = outsideOfCalls;
        const auto take = [&](PlaceNumber place, Picoseconds from, Picoseconds to) {
            Stretch& its = stretches_[place];
            if (its.length == Picoseconds{}) inStretches_.push_back(place);
            if (to - from > its.length) its = {to - from, to};
            last = place;
        };
        if (const auto its = beforeFirst(location, delay.since, delay.until))
            take(its->first, its->second.begin, its->second.end);
        known_.places.eachStretch(engine::asSize(location), delay.since, delay.until, take);
        const std::uint32_t next = known_.paths.nextCall(engine::asSize(location), delay.until - Picoseconds{1});
        const bool goesOn = next == CallPaths::none ||
                            known_.paths.recording().states[engine::asSize(location)].begin[next] > delay.until;
        if (goesOn && known_.places.pathOf(last) == outsideOfCalls) cameElsewhere_ = last;
    }
    /// When that stretch of the place ended, or the rank came before its end; without any, when the rank came.
    [[nodiscard]] Picoseconds untilIn(PlaceNumber place, const Delay& delay) const {
        return stretches_[place].length > Picoseconds{} ? stretches_[place].end : delay.until;
    }
    /// LateOnce::until: the same for all delays of one call, or of one stretch of computation. Without a stretch while
    /// the rank was waited for, the last one before.
    [[nodiscard]] Picoseconds endOfStretch(PlaceNumber place, const Delay& delay) {
        const std::int32_t location = known_.waits.threads.locationOf(delay.rank, delay.thread);
        if (location == traces::noIndex || cameIn(delay, place) != outsideOfCalls) return untilIn(place, delay);
        std::optional<Picoseconds> within;
        if (stretches_[place].length > Picoseconds{}) within = stretches_[place].end - Picoseconds{1};
        else if (const auto& its =
                     known_.timeOf[engine::asSize(known_.waits.threads.placeOf(delay.rank, delay.thread))])
            within = its->lastBegin(place, delay.since);
        if (within) return known_.paths.endOfStretch(engine::asSize(location), *within);
        // What lies before the first event of the rank is no stretch, but computation before one call, too.
        return known_.places.pathOf(place) == outsideOfCalls
                   ? known_.paths.recording().locations[engine::asSize(location)].first
                   : delay.until;
    }

    /// The call in which the rank came on another thread while its own one was in a place outside of calls.
    [[nodiscard]] PathId cameIn(const Delay& delay, PlaceNumber place) {
        const bool isOutside = known_.places.pathOf(place) == outsideOfCalls;
        if (!isOutside || (known_.places.beforeOf(place) != outsideOfCalls && cameElsewhere_ != place))
            return outsideOfCalls;
        return pathOf_.of(delay.rank, delay.thread, delay.kind).after(untilIn(place, delay));
    }
    /// The call that follows in a place outside of calls. If the rank came on another thread, that in which it came.
    [[nodiscard]] PathId lateFor(const Delay& delay, PlaceNumber place) {
        const PathId came = cameIn(delay, place);
        return came != outsideOfCalls ? came : known_.places.beforeOf(place);
    }

    struct Stretch {
        Picoseconds length{}, end{};
    };

    const Known& known_;
    Times late_, waiter_, meanwhile_;
    Excess excess_;
    std::vector<Stretch> stretches_;            ///< by place
    std::vector<PlaceNumber> inStretches_;      ///< those that have any
    std::optional<PlaceNumber> cameElsewhere_;  ///< where its own thread was when the rank came on another one
    PathOfWaits pathOf_;
    std::bitset<waitKinds> inferred_;  ///< kinds of which some of the waits of a delay are
    DelayCosts rows_;
    const Cause* cause_ = nullptr;  ///< whose delays are collected, in
    std::vector<DelayOfCause>* collected_ = nullptr;
};

}  // namespace

namespace {

DelayCosts costsOf(const Known& known, const engine::Progress& progress) {
    // Some thousand delays at a time side by side; the pieces are put together in their order, so that the result does
    // not depend on which was first.
    constexpr std::size_t together = 8192;
    const std::size_t count = known.delays.size();
    std::vector<DelayCosts> pieces((count + together - 1) / together);
    engine::parallelFor(
        pieces.size(),
        [&](std::size_t piece) {
            Explaining explaining{known};
            for (std::size_t i = piece * together; i < std::min(count, (piece + 1) * together); ++i)
                explaining.explain(i);
            pieces[piece] = std::move(explaining.rows());
        },
        [&] { progress.at(0); });
    DelayCosts rows;
    for (DelayCosts& piece : pieces)
        for (auto& [key, row] : piece) rows[key].add(std::move(row));
    return rows;
}

/// Whether each rank that comes late to such a call keeps the one that waits for the last.
bool waitsForEach(WaitKind kind) {
    using enum WaitKind;
    return kind == atNxN || kind == atBarrier || kind == earlyReduce || kind == lateContributor ||
           kind == atSynchronisingCall || kind == atTeamBarrier || kind == atImplicitBarrier;
}

}  // namespace

DelayCosts delayCosts(const TracedWaits& waits, const CallPaths& paths, const engine::Progress& progress) {
    const CallPlaces places{paths};
    return costsOf(knownOf(waits.delays, waits, paths, places), progress);
}

DelayCosts costsOfHidden(std::span<const Delay> hidden, const TracedWaits& waits, const CallPaths& paths,
                         const engine::Progress& progress) {
    const CallPlaces places{paths};
    return costsOf(knownOf(hidden, waits, paths, places), progress);
}

std::vector<std::vector<DelayOfCause>> delaysByCause(std::span<const Cause> causes, std::span<const Delay> delays,
                                                     const TracedWaits& waits, const CallPaths& paths,
                                                     const engine::Progress& progress) {
    const CallPlaces places{paths};
    const Known known = knownOf(delays, waits, paths, places);
    std::vector<std::vector<DelayOfCause>> ofCauses(causes.size());
    for (std::size_t k = 0; k < causes.size(); ++k) {
        Explaining explaining{known};
        explaining.collect(causes[k], ofCauses[k]);
        for (std::size_t i = 0; i < delays.size(); ++i) {
            if (i % 8192 == 0) progress.at(0);
            if (delays[i].rank == causes[k].rank && delays[i].thread == causes[k].thread) explaining.explain(i);
        }
    }
    return ofCauses;
}

std::vector<Delay> hiddenDelays(std::span<const std::uint32_t> behind, const TracedWaits& waits,
                                const Recording& recording) {
    using Came = std::pair<std::int32_t, Picoseconds>;  // a thread, and when
    const Threads& threads = waits.threads;
    const auto cameOf = [&](const Delay& delay) {
        return Came{threads.placeOf(delay.rank, delay.thread), delay.until};
    };
    std::map<Came, const Delay*> last;
    for (const std::uint32_t number : behind)
        if (const Delay& delay = waits.delays[number]; waitsForEach(delay.kind)) last[cameOf(delay)] = &delay;
    std::map<std::pair<const Delay*, Came>, Delay> hidden;  // each once
    const auto add = [&](const Delay& its, Rank rank, ThreadNumber thread, Picoseconds came) {
        const bool isOther = (rank != its.rank || thread != its.thread) &&
                             (rank != its.waiter || thread != its.waiterThread) && came <= its.until;
        if (!isOther || 2 * (came - its.since) < its.until - its.since) return;
        Delay one = its;
        one.rank = rank, one.thread = thread, one.until = came;
        hidden.emplace(std::pair{&its, cameOf(one)}, one);
    };
    // Who comes just before the last one waits too briefly to show, or not at all.
    const auto& instances = recording.collectives.instances;
    for (const traces::Collective& instance : instances) {
        const auto parts = recording.collectives.of(instance);
        for (const traces::Participant& late : parts) {
            const auto its = last.find({threads.placeOf(late.rank, 0), late.begin});
            if (its == last.end()) continue;
            for (const traces::Participant& part : parts) add(*its->second, part.rank, 0, part.begin);
        }
    }
    for (const Wait& wait : waits.all) {
        const auto its = last.find({threads.placeOf(wait.late, wait.lateThread), wait.end()});
        if (its != last.end() && wait.kind == its->second->kind) add(*its->second, wait.rank, wait.thread, wait.begin);
    }
    std::vector<Delay> delays;
    for (const auto& [key, one] : hidden) delays.push_back(one);
    std::ranges::stable_sort(delays, {}, [](const Delay& one) { return std::pair{one.until, one.rank}; });
    return delays;
}

}  // namespace app::analysis
