// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/root_causes.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/wait_states/call_path_intervals.hpp"
#include "app/analysis/wait_states/wait_call_path.hpp"
#include "engine/base/median.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <unordered_map>

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

/// Until when two ranks were in step, by the clock of each.
struct InStep {
    Picoseconds late{};
    Picoseconds waiter{};
    bool joined = false;  ///< by what nobody leaves before all are there
};

/// Which collectives, and which barriers of threads, each thread left when.
class Left {
public:
    Left(const Recording& recording, const TracedWaits& waits)
        : recording_{recording}, barriers_{waits.barriers}, threads_(engine::asSize(waits.threads.count())) {
        const auto& instances = recording.collectives.instances;
        for (std::uint32_t i = 0; i < instances.size(); ++i)
            if (isCommunication(instances[i].operation) && !isAmongNeighbours(instances[i].operation))
                for (const traces::Participant& part : recording.collectives.of(instances[i]))
                    threads_[part.rank.index()].push_back({part.end, i});
        auto number = static_cast<std::uint32_t>(instances.size());
        for (const std::vector<LeavesBarrier>& barrier : barriers_) {
            for (const LeavesBarrier& one : barrier) threads_[engine::asSize(one.place)].push_back({one.end, number});
            ++number;
        }
        for (auto& its : threads_) std::stable_sort(its.begin(), its.end());
    }

    /// The last one that `waiter` left not after `begin` and `late` not after `until`; of many, a short look back.
    [[nodiscard]] std::optional<InStep> together(std::int32_t late, Picoseconds until, std::int32_t waiter,
                                                 Picoseconds begin) const {
        constexpr int farthest = 64;
        const auto& its = threads_[engine::asSize(waiter)];
        auto at = std::upper_bound(its.begin(), its.end(), std::pair{begin, ~std::uint32_t{0}});
        for (int k = 0; k < farthest && at != its.begin(); ++k) {
            const auto [end, number] = *--at;
            if (const auto left = leaving(number, late); left && *left <= until)
                return InStep{*left, end, joinsAll(number)};
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool joinsAll(std::uint32_t number) const {
        const auto& instances = recording_.collectives.instances;
        return number >= instances.size() || traces::joinsAll(instances[number].operation);
    }
    /// When a thread left a collective or barrier; nothing where it was not in it.
    [[nodiscard]] std::optional<Picoseconds> leaving(std::uint32_t number, std::int32_t place) const {
        const auto& instances = recording_.collectives.instances;
        if (number >= instances.size()) {
            const std::vector<LeavesBarrier>& barrier = barriers_[number - instances.size()];
            const auto part =
                std::lower_bound(barrier.begin(), barrier.end(), place,
                                 [](const LeavesBarrier& one, std::int32_t at) { return one.place < at; });
            return part != barrier.end() && part->place == place ? std::optional{part->end} : std::nullopt;
        }
        const auto parts = recording_.collectives.of(instances[number]);
        const auto part =
            std::lower_bound(parts.begin(), parts.end(), place,
                             [](const traces::Participant& one, std::int32_t at) { return one.rank.value < at; });
        return part != parts.end() && part->rank.value == place ? std::optional{part->end} : std::nullopt;
    }

    const Recording& recording_;
    const std::vector<std::vector<LeavesBarrier>>& barriers_;
    std::vector<std::vector<std::pair<Picoseconds, std::uint32_t>>> threads_;  ///< by place: end and which one
};

/// Waits that one path of one thread made.
struct Row {
    double time = 0;
    std::vector<LateOnce> late;
    bool isInferred = false;

    /// What came later than what is here.
    void add(Row&& later) {
        time += later.time;
        isInferred = isInferred || later.isInferred;
        late.insert(late.end(), later.late.begin(), later.late.end());
    }
};
using Rows = std::map<std::tuple<WaitKind, Rank, ThreadNumber, PathId, PathId>, Row>;

/// What of a wait follows from a delay.
struct OfWait {
    std::uint32_t wait = 0;
    Picoseconds time{};
};

/// What is known of all delays.
struct Known {
    const TracedWaits& waits;
    const CallPaths& paths;
    const CallPlaces& places;
    std::vector<InStep> steps;                       ///< by delay: when its two threads had last been in step
    std::vector<std::unique_ptr<PathTimes>> timeOf;  ///< by place; null where it has none, or nobody asks
    std::vector<std::uint32_t> first;  ///< by delay, of its parts of waits in `ofDelay`; and behind the last one
    std::vector<OfWait> ofDelay;
};

/// A delay of one cause.
struct OfCause {
    traces::TimeSpan span{};  ///< in which the path made the rank late
    Picoseconds until{};      ///< LateOnce::until
    Picoseconds later{};      ///< LateOnce::later
    Picoseconds computed{};   ///< in the path within the span
};

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
        std::array<Picoseconds, waitKinds> costs{};
        inferred_.reset();
        for (std::uint32_t i = known_.first[number]; i < known_.first[number + 1]; ++i) {
            const Wait& wait = known_.waits.all[known_.ofDelay[i].wait];
            costs[static_cast<std::size_t>(wait.kind)] += known_.ofDelay[i].time;
            if (wait.isInferred()) inferred_.set(static_cast<std::size_t>(wait.kind));
        }
        if (std::all_of(costs.begin(), costs.end(), [](Picoseconds cost) { return cost.count() == 0; })) return;
        const Delay& delay = known_.waits.delays[number];
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
        Picoseconds sum = exceeding(late_, [&](PlaceNumber place) { return waiter_.of(place); });
        // Where both did as much of the same, one after the other, as in a wavefront: what it did while it was waited
        // for. A lock is only held meanwhile.
        const bool held = delay.kind == WaitKind::criticalContention || delay.kind == WaitKind::lockContention;
        // What they left together they may have left one after the other.
        const InStep& step = known_.steps[number];
        if (step.joined && step.late > step.waiter && 2 * sum < delay.until - delay.since) {
            late_.add(pathOf_.of(delay.rank, delay.thread, delay.kind).before(step.late), step.late - step.waiter);
            sum = exceeding(late_, [&](PlaceNumber place) { return waiter_.of(place); });
        }
        const Excess beside = excess_;
        const Picoseconds busy = exceeding(meanwhile_, [](PlaceNumber) { return Picoseconds{}; });
        if (held || 2 * sum < busy) sum = busy;
        else excess_ = beside;
        const Picoseconds late = busy + unseen(delay);
        if (excess_.empty()) excess_.emplace_back(outsideOfCalls, Picoseconds{1}), sum = Picoseconds{1};
        for (const auto& [place, more] : excess_)
            add(delay, late, place, static_cast<double>(more.count()) / static_cast<double>(sum.count()), costs);
    }

    [[nodiscard]] Rows& rows() { return rows_; }
    /// Of the delays explained from now on, those that belong to `cause`.
    void collect(const Cause& cause, std::vector<OfCause>& collected) {
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
        for (std::size_t kind = 0; kind < waitKinds; ++kind) {
            if (costs[kind].count() == 0) continue;
            Row& row = rows_[{static_cast<WaitKind>(kind), delay.rank, delay.thread, path, before}];
            row.time += part * static_cast<double>(costs[kind].count());
            row.isInferred = row.isInferred || inferred_[kind];
            if (part >= 0.1) row.late.push_back({untilIn(place, delay), later, delay.since});
        }
    }

    /// What the rank spent last is taken first: the time in which it was waited for, then since both were in step.
    void collect(const Delay& delay, PlaceNumber place, Picoseconds later) {
        const Picoseconds meanwhile = meanwhile_.of(place), all = late_.of(place);
        const bool isEnough = meanwhile >= later || all <= meanwhile;
        const std::size_t number = static_cast<std::size_t>(&delay - known_.waits.delays.data());
        OfCause one{.span = {isEnough ? delay.since : known_.steps[number].late, delay.until},
                    .until = untilIn(place, delay),
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
            const double part =
                static_cast<double>((span.end - span.begin).count()) / static_cast<double>(computed.count());
            collected_->push_back({.span = span,
                                   .until = one.until,
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
    /// When that stretch of the place ended; without any, when the rank came.
    [[nodiscard]] Picoseconds untilIn(PlaceNumber place, const Delay& delay) const {
        return stretches_[place].length > Picoseconds{} ? stretches_[place].end : delay.until;
    }

    /// The call that follows in a place outside of calls. If the rank came on another thread, that in which it came.
    [[nodiscard]] PathId lateFor(const Delay& delay, PlaceNumber place) {
        const PathId next = known_.places.beforeOf(place);
        if (next != outsideOfCalls && cameElsewhere_ != place) return next;
        const PathId came = pathOf_.of(delay.rank, delay.thread, delay.kind).after(untilIn(place, delay));
        return came != outsideOfCalls ? came : next;
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
    Rows rows_;
    const Cause* cause_ = nullptr;  ///< whose delays are collected, in
    std::vector<OfCause>* collected_ = nullptr;
};

/// Until when the two threads of each delay had last been in step.
std::vector<InStep> stepsOf(const TracedWaits& waits, const Recording& recording) {
    const std::vector<Wait>& all = waits.all;
    std::vector<std::uint32_t> byEnd(all.size());
    std::iota(byEnd.begin(), byEnd.end(), 0U);
    sortMostlySorted(std::span{byEnd}, [&](std::uint32_t a, std::uint32_t b) { return all[a].end() < all[b].end(); });
    std::unordered_map<std::uint64_t, Picoseconds> last;
    const auto keyOf = [](std::int32_t a, std::int32_t b) {
        return std::uint64_t{static_cast<std::uint32_t>(std::min(a, b))} << 32U |
               static_cast<std::uint32_t>(std::max(a, b));
    };
    const auto placeOf = [&](Rank rank, ThreadNumber thread) { return waits.threads.placeOf(rank, thread); };
    const Left left{recording, waits};
    // What ranks did before the time that is analysed, such as MPI_Init, made nobody late.
    std::vector<InStep> steps(waits.delays.size(), {waits.span.begin, waits.span.begin});
    std::size_t next = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Delay& delay = waits.delays[i];
        for (; next < byEnd.size() && all[byEnd[next]].end() < delay.until; ++next) {
            const Wait& wait = all[byEnd[next]];
            last[keyOf(placeOf(wait.rank, wait.thread), placeOf(wait.late, wait.lateThread))] = wait.end();
        }
        const std::int32_t behind = placeOf(delay.rank, delay.thread);
        const std::int32_t waiter = placeOf(delay.waiter, delay.waiterThread);
        const std::optional<InStep> collective = left.together(behind, delay.until, waiter, delay.since);
        if (collective) steps[i] = *collective;
        const auto known = last.find(keyOf(behind, waiter));
        if (known == last.end()) continue;
        const Picoseconds then = std::min(known->second, delay.since);
        if (!collective || then > collective->waiter) steps[i] = {then, then};
    }
    for (InStep& step : steps) {
        step.late = std::max(step.late, waits.span.begin);
        step.waiter = std::max(step.waiter, waits.span.begin);
    }
    return steps;
}

/// What threads that were late, and those that waited for them, spent when.
std::vector<std::unique_ptr<PathTimes>> timesOf(const TracedWaits& waits, const CallPaths& paths,
                                                const CallPlaces& places) {
    const Threads& threads = waits.threads;
    std::vector<std::unique_ptr<PathTimes>> times(engine::asSize(threads.count()));
    std::vector<bool> asked(times.size());
    for (const Delay& delay : waits.delays) {
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

/// All delays, some thousand at a time side by side; the pieces are put together in their order, so that the answer
/// does not depend on who was first.
Rows explained(const Known& known, const engine::Progress& progress) {
    constexpr std::size_t together = 8192;
    const std::size_t count = known.waits.delays.size();
    std::vector<Rows> pieces((count + together - 1) / together);
    engine::parallelFor(
        pieces.size(),
        [&](std::size_t piece) {
            Explaining explaining{known};
            for (std::size_t i = piece * together; i < std::min(count, (piece + 1) * together); ++i)
                explaining.explain(i);
            pieces[piece] = std::move(explaining.rows());
        },
        [&] { progress.at(0); });
    Rows rows;
    for (Rows& piece : pieces)
        for (auto& [key, row] : piece) rows[key].add(std::move(row));
    return rows;
}

/// Of delays that end together, the longest; but one that began before the previous delay ended includes that one, and
/// is taken only if there is no other.
void setDelays(Cause& cause, std::vector<LateOnce>&& late) {
    std::ranges::stable_sort(late, {}, &LateOnce::until);
    cause.late.clear();
    for (auto next = late.begin(); next != late.end();) {
        const Picoseconds before = cause.late.empty() ? Picoseconds{} : cause.late.back().until;
        LateOnce one = *next;
        for (; next != late.end() && next->until == one.until; ++next) {
            const bool isApart = next->begin >= before, wasApart = one.begin >= before;
            if (isApart == wasApart ? next->later > one.later : isApart) one = *next;
        }
        cause.late.push_back(one);
    }
    cause.delays = static_cast<std::int64_t>(cause.late.size());
    cause.typical = cause.longest = cause.begin = {};
    cause.trend = {};
    if (cause.late.empty()) return;
    std::vector<Picoseconds> later(cause.late.size());
    std::ranges::transform(cause.late, later.begin(), &LateOnce::later);
    const auto longest = std::ranges::max_element(cause.late, {}, &LateOnce::later);
    cause.longest = longest->later;
    cause.begin = longest->begin;
    cause.trend = trendOf(later);
    cause.typical = engine::median(std::move(later));
}

std::vector<Cause> sorted(Rows&& rows) {
    std::vector<Cause> causes;
    for (auto& [key, row] : rows) {
        Cause cause;
        std::tie(cause.kind, cause.rank, cause.thread, cause.path, cause.before) = key;
        cause.time = Picoseconds{static_cast<std::int64_t>(row.time + 0.5)};
        cause.isInferred = row.isInferred;
        setDelays(cause, std::move(row.late));
        if (cause.time.count() > 0) causes.push_back(std::move(cause));
    }
    std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) { return a.time > b.time; });
    return causes;
}

}  // namespace

namespace {

Known knownOf(const TracedWaits& waits, const CallPaths& paths, const CallPlaces& places) {
    Known known{.waits = waits,
                .paths = paths,
                .places = places,
                .steps = stepsOf(waits, paths.recording()),
                .timeOf = timesOf(waits, paths, places),
                .first = std::vector<std::uint32_t>(waits.delays.size() + 2),
                .ofDelay = std::vector<OfWait>(waits.all.size() + waits.shares.size())};
    for (const Wait& wait : waits.all) ++known.first[wait.wave + 2];
    for (const WaitShare& share : waits.shares) ++known.first[share.wave + 2];
    std::partial_sum(known.first.begin(), known.first.end(), known.first.begin());
    std::vector<std::uint32_t> ofWait(waits.all.size());
    const auto add = [&](std::uint32_t wave, OfWait part) {
        const std::uint32_t place = known.first[wave + 1]++;
        known.ofDelay[place] = part;
        return place;
    };
    for (std::uint32_t i = 0; i < ofWait.size(); ++i) ofWait[i] = add(waits.all[i].wave, {i, waits.all[i].time});
    for (const WaitShare& share : waits.shares) {
        known.ofDelay[ofWait[share.wait]].time -= share.time;
        add(share.wave, {share.wait, share.time});
    }
    return known;
}

double ratio(Picoseconds part, Picoseconds whole) {
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

/// A longer span may contain the delays of shorter ones: only what exceeds these counts, in the times between them.
std::vector<Lateness> withoutOverlaps(std::vector<OfCause> all, const engine::Progress& progress) {
    // Of delays in one stretch the longest counts.
    std::ranges::stable_sort(all, {}, [](const OfCause& one) {
        return std::pair{one.span.end - one.span.begin, -one.later};
    });
    /// By its start: a span whose delay is counted already.
    struct Dealt {
        Picoseconds end{}, later{}, computed{};
        double share = 0;
    };
    std::map<Picoseconds, Dealt> dealt;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 1024 == 0) progress.at(0);
        const OfCause& one = all[i];
        Picoseconds later = one.later, computed = one.computed, now = one.span.begin;
        std::vector<traces::TimeSpan> between;
        auto at = dealt.lower_bound(now);
        if (at != dealt.begin() && std::prev(at)->second.end > now) --at;
        for (; at != dealt.end() && at->first < one.span.end; ++at) {
            if (at->first > now) between.push_back({now, at->first});
            // What reaches beyond the span belongs to it in part.
            const auto& [begin, its] = *at;
            const double part =
                ratio(std::min(its.end, one.span.end) - std::max(begin, one.span.begin), its.end - begin);
            later -= Picoseconds{std::llround(part * static_cast<double>(its.later.count()))};
            computed -= Picoseconds{std::llround(part * static_cast<double>(its.computed.count()))};
            now = std::max(now, its.end);
        }
        if (now < one.span.end) between.push_back({now, one.span.end});
        if (between.empty() || later <= Picoseconds{}) continue;
        // What lies before the first event of the rank is all of it.
        const double share = computed > Picoseconds{} ? std::min(1.0, ratio(later, computed)) : 1;
        Picoseconds length{};
        for (const traces::TimeSpan& span : between) length += span.end - span.begin;
        for (const traces::TimeSpan& span : between) {
            const double part = ratio(span.end - span.begin, length);
            const auto partOf = [&](Picoseconds time) {
                return Picoseconds{std::llround(part * static_cast<double>(std::max<std::int64_t>(0, time.count())))};
            };
            dealt.emplace(span.begin, Dealt{span.end, partOf(later), partOf(computed), share});
        }
    }
    std::vector<Lateness> lateness;
    for (const auto& [begin, its] : dealt) lateness.push_back({.span = {begin, its.end}, .share = its.share});
    return lateness;
}

}  // namespace

std::string_view nameOf(Trend trend) {
    switch (trend) {
        case Trend::none: break;
        case Trend::grows: return "grows";
        case Trend::shrinks: return "shrinks";
        case Trend::alternates: return "alternates";
    }
    return {};
}

TrendOf trendOf(std::span<const Picoseconds> values) {
    constexpr std::size_t fewest = 10;
    const std::size_t count = values.size();
    if (count < fewest) return {};
    const auto medianOf = [&](std::size_t first, std::size_t behind, std::size_t step) {
        std::vector<Picoseconds> some;
        for (std::size_t i = first; i < behind; i += step) some.push_back(values[i]);
        return engine::median(std::move(some));
    };
    const Picoseconds even = medianOf(0, count, 2), odd = medianOf(1, count, 2);
    if (std::max(even, odd) > 2 * std::min(even, odd)) {
        const Picoseconds between = (even + odd) / 2;
        std::size_t onItsSide = 0;
        for (std::size_t i = 0; i < count; ++i)
            onItsSide += (values[i] > between) == ((i % 2 == 0) == (even > odd)) ? 1U : 0U;
        if (20 * onItsSide >= 19 * count) return {Trend::alternates, even, odd};
    }
    // Spearman's rank correlation with the order of the delays.
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    double squares = 0;
    for (std::size_t rank = 0; rank < count; ++rank) {
        const double apart = static_cast<double>(rank) - static_cast<double>(order[rank]);
        squares += apart * apart;
    }
    const auto n = static_cast<double>(count);
    const double correlation = 1 - 6 * squares / (n * (n * n - 1));
    const std::size_t third = count / 3;
    const Picoseconds early = medianOf(0, third, 1), late = medianOf(count - third, count, 1);
    const bool grows = correlation >= 0.85 && late > early && 2 * late >= 3 * early;
    const bool shrinks = correlation <= -0.85 && early > late && 2 * early >= 3 * late;
    if (!grows && !shrinks) return {};
    // The line through the two medians, at the first and at the last delay.
    const double apart = static_cast<double>(count - third);
    const double beyond = static_cast<double>((late - early).count()) * (static_cast<double>(third) - 1) / 2 / apart;
    const auto at = [](double time) { return Picoseconds{static_cast<std::int64_t>(std::max(0.0, time))}; };
    return {grows ? Trend::grows : Trend::shrinks, at(static_cast<double>(early.count()) - beyond),
            at(static_cast<double>(late.count()) + beyond)};
}

std::vector<Cause> causesOf(const TracedWaits& waits, const CallPaths& paths, const engine::Progress& progress) {
    const CallPlaces places{paths};
    return sorted(explained(knownOf(waits, paths, places), progress));
}

void Cause::add(const Cause& other) {
    time += other.time;
    isInferred = isInferred || other.isInferred;
    std::vector<LateOnce> both = std::move(late);
    both.insert(both.end(), other.late.begin(), other.late.end());
    setDelays(*this, std::move(both));
}

Picoseconds DelaysOfRank::within(Rank who, PathId where, Picoseconds from, Picoseconds to) const {
    Picoseconds late{};
    if (who != rank || where != path) return late;
    auto one = std::ranges::upper_bound(lateness, from, {}, [](const Lateness& its) { return its.span.end; });
    for (; one != lateness.end() && one->span.begin < to; ++one) {
        const Picoseconds both = std::min(to, one->span.end) - std::max(from, one->span.begin);
        if (both > Picoseconds{}) late += Picoseconds{std::llround(one->share * static_cast<double>(both.count()))};
    }
    return late;
}

std::vector<DelaysOfRank> delaysOf(std::span<const Cause> causes, const TracedWaits& waits, const CallPaths& paths,
                                   const engine::Progress& progress) {
    const CallPlaces places{paths};
    const Known known = knownOf(waits, paths, places);
    std::vector<DelaysOfRank> delays;
    for (const Cause& cause : causes) {
        std::vector<OfCause> all;
        Explaining explaining{known};
        explaining.collect(cause, all);
        for (std::size_t i = 0; i < waits.delays.size(); ++i) {
            if (i % 8192 == 0) progress.at(0);
            const Delay& delay = waits.delays[i];
            if (delay.rank == cause.rank && delay.thread == cause.thread) explaining.explain(i);
        }
        delays.push_back({cause.rank, cause.path, withoutOverlaps(std::move(all), progress)});
    }
    return delays;
}

std::vector<Cause> causesAboveUncertainty(std::vector<Cause> causes, Picoseconds uncertainty) {
    if (uncertainty.count() > 0)
        std::erase_if(causes, [&](const Cause& cause) { return cause.longest <= uncertainty; });
    return causes;
}

namespace {
constexpr std::string_view beforeCall = "before ";
}  // namespace

bool isSamePlace(const Cause& a, const Cause& b) {
    return a.rank == b.rank && a.thread == b.thread && a.path == b.path && a.before == b.before;
}

std::string nameOf(const Cause& cause, const CallPaths& paths) {
    return cause.path == outsideOfCalls && cause.before != outsideOfCalls
               ? engine::text(beforeCall, paths.name(cause.before))
               : paths.name(cause.path);
}

std::optional<std::string_view> precedingCall(std::string_view nameOfCause) {
    if (!nameOfCause.starts_with(beforeCall)) return std::nullopt;
    return nameOfCause.substr(beforeCall.size());
}

}  // namespace app::analysis
