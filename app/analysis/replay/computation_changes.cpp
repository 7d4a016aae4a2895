// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/computation_changes.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/replay/gain_without_delay.hpp"
#include "app/analysis/wait_states/root_causes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

namespace app::analysis {

using engine::Error;
using engine::Picoseconds;
using engine::Rank;
using engine::text;

namespace {

/// A share of computation.
struct OwnShare {
    std::int64_t of = 1;
    std::int64_t in = 1;  ///< > 0

    [[nodiscard]] Picoseconds times(Picoseconds time) const {
        return Picoseconds{static_cast<std::int64_t>((static_cast<__int128>(time.count()) * of + in / 2) / in)};
    }
};

/// Where computation is changed, and to which share of it.
struct OwnTimeChange {
    std::vector<bool> paths;     ///< by path
    std::vector<bool> before{};  ///< by path: of what is outside of calls, that before these alone; empty: all of it
    engine::ById<Rank, OwnShare> shares;

    [[nodiscard]] bool has(PathId path, PathId next) const {
        return paths[path] && (path != outsideOfCalls || before.empty() || before[next]);
    }
};

/// "rank 3: assemble" in parts.
struct WhereOf {
    std::optional<Rank> rank;
    std::string region;
};

class OwnTimes {
public:
    OwnTimes(const traces::Recording& recording, const engine::Progress& progress)
        : recording_{recording}, paths_{recording, progress} {}

    void take(const ComputationChange& wish, const engine::Progress& progress) {
        for (const std::string& words : wish.compute) {
            const auto equals = words.rfind('=');
            const bool everywhere = equals == std::string::npos;
            const WhereOf where = everywhere ? WhereOf{} : whereOf(words.substr(0, equals), "compute");
            const OwnShare share{thousandths(everywhere ? words : words.substr(equals + 1)), 1000};
            OwnTimeChange change = changeOf(where.region, "compute");
            for (const Rank rank : change.shares.ids())
                if (!where.rank || *where.rank == rank) change.shares[rank] = share;
            changes_.push_back(std::move(change));
        }
        std::vector<Delayed> delayed;
        for (const std::string& words : wish.without) {
            const WhereOf where = whereOf(words, "without");
            OwnTimeChange change = changeOf(where.region, "without");
            if (where.rank) delayed.push_back({*where.rank, std::move(change), words});
            else {
                for (OwnShare& share : change.shares) share.of = 0;
                changes_.push_back(std::move(change));
            }
        }
        if (!delayed.empty()) leaveOut(delayed, progress);
        for (const std::string& words : wish.even) {
            const WhereOf where = whereOf(words, "even");
            if (where.rank)
                throw Error{text(engine::Field{"even"}, ": '", words, "' names one rank; all are made even")};
            OwnTimeChange change = changeOf(where.region, "even");
            if (!hasComputation(change))
                throw Error{text(engine::Field{"even"}, ": '", words,
                                 "' contains no computation, only calls of MPI; write 'before ", words,
                                 "' for the computation that precedes it")};
            const std::vector<Picoseconds> spent = timeByActivity(change, progress);
            const auto takePart = std::ranges::count_if(spent, [](Picoseconds time) { return time.count() > 0; });
            const Picoseconds all = std::accumulate(spent.begin(), spent.end(), Picoseconds{});
            for (const Rank rank : change.shares.ids())
                if (const Picoseconds own = spent[rank.index()]; own.count() > 0)
                    change.shares[rank] = {all.count() / takePart, own.count()};
            changes_.push_back(std::move(change));
        }
    }

    [[nodiscard]] Picoseconds of(Rank rank, Picoseconds from, Picoseconds to) const {
        Picoseconds sum{};
        Picoseconds seen{};
        eachStretch(rank, from, to, [&](PathId path, PathId next, Picoseconds begin, Picoseconds end) {
            seen += end - begin;
            Picoseconds time = end - begin - lateWithin(leftOut_, paths_, rank, begin, end);
            for (const OwnTimeChange& change : changes_)
                if (change.has(path, next)) time = change.shares[rank].times(time);
            sum += time;
        });
        // What lies before the first event of the rank may be a delay, too.
        const std::int32_t location = recording_.locationOf(rank);
        if (location != traces::noIndex && !leftOut_.empty())
            if (const Picoseconds first = recording_.locations[engine::asSize(location)].first; from < first)
                seen += lateWithin(leftOut_, paths_, rank, from, std::min(to, first));
        return sum + ((to - from) - seen);
    }

private:
    /// `take(path, next, begin, end)`: of what is outside of calls, `next` is the call behind it.
    template <class Take>
    void eachStretch(Rank rank, Picoseconds from, Picoseconds to, Take take) const {
        const std::int32_t location = recording_.locationOf(rank);
        if (location == traces::noIndex) return;
        PathOfRank behind{paths_, rank};
        paths_.eachStretch(engine::asSize(location), from, to, [&](PathId path, Picoseconds begin, Picoseconds end) {
            take(path, path == outsideOfCalls ? behind.after(end) : path, begin, end);
        });
    }

    /// A place whose delays are left out.
    struct Delayed {
        Rank rank;
        OwnTimeChange place;
        std::string words;  ///< as the user named it
    };

    /// The delays of the ranks there, as the first page and the table of causes have them, and those that hide behind
    /// them.
    void leaveOut(const std::vector<Delayed>& places, const engine::Progress& progress) {
        std::vector<Instance> collectives;
        eachCollective(recording_, {}, [&](Instance&& one) { collectives.push_back(std::move(one)); });
        const TracedWaits waits = tracedWaits(recording_, {}, collectives, progress);
        std::vector<Cause> all;
        for (const RootCause& root : rootCauses(causesOf(waits, paths_, progress))) all.push_back(root.cause);
        std::vector<Cause> found;
        std::vector<const Delayed*> notFound;
        for (const Delayed& one : places)
            if (!find(one, all, found)) notFound.push_back(&one);
        std::vector<Cause> hidden;
        if (!notFound.empty())
            for (const Cause& cause : found) {
                const HiddenCauses behind = hiddenBehind(cause, waits, paths_, progress);
                hidden.insert(hidden.end(), behind.causes.begin(), behind.causes.end());
            }
        for (const Delayed* const one : notFound)
            if (!find(*one, hidden, found))
                throw Error{text(engine::Field{"without"}, ": '", one->words, "': no rank waited for a delay of rank ",
                                 one->rank, " there; 'collscope open TRACE ", engine::field::tables,
                                 " causes' lists all delays")};
        leftOut_ = delaysOf(found, waits, paths_, progress);
    }

    /// Adds to `found` those of `causes` that are of the place; false where none is.
    static bool find(const Delayed& delayed, const std::vector<Cause>& causes, std::vector<Cause>& found) {
        bool isFound = false, isOfOtherThread = false;
        for (const Cause& one : causes) {
            if (one.rank != delayed.rank || !delayed.place.has(one.path, one.before)) continue;
            isOfOtherThread = isOfOtherThread || one.thread != 0;
            if (one.thread != 0) continue;
            isFound = true;
            if (std::ranges::none_of(found, [&](const Cause& its) { return isSamePlace(its, one); }))
                found.push_back(one);
        }
        if (!isFound && isOfOtherThread)
            throw Error{text(engine::Field{"without"}, ": '", delayed.words,
                             "': this delay is of another thread of rank ", delayed.rank,
                             "; only main threads are replayed")};
        return isFound;
    }

    /// A share in thousandths: 0..1000 times as long.
    static std::int64_t thousandths(const std::string& words) {
        double share = -1;
        const auto [end, failed] = std::from_chars(words.data(), words.data() + words.size(), share);
        if (failed != std::errc{} || end != words.data() + words.size() || !(share >= 0 && share <= 1000))
            throw Error{text(engine::Field{"compute"}, ": '", words,
                             "' is not a number from 0 to 1000; write for example 0.5, or REGION=0.5")};
        return std::llround(share * 1000);
    }

    WhereOf whereOf(const std::string& words, std::string_view key) const {
        constexpr std::string_view begin = "rank ";
        const auto colon = words.find(": ");
        if (!words.starts_with(begin) || colon == std::string::npos) return {std::nullopt, words};
        const std::int64_t rank =
            engine::readInteger(words.substr(begin.size(), colon - begin.size()), text(engine::Field{key}), 0,
                                std::numeric_limits<std::int32_t>::max());
        if (rank >= recording_.ranks)
            throw Error{text(engine::Field{key}, ": no rank ", rank, "; the trace has ",
                             counted(recording_.ranks, "rank"),
                             recording_.ranks == 1 ? ", rank 0" : text(", 0 to ", recording_.ranks - 1))};
        return {Rank{static_cast<std::int32_t>(rank)}, words.substr(colon + 2)};
    }

    /// Whether the path is that of a region, or has that name, with or without the places of its calls.
    [[nodiscard]] bool isNamed(PathId path, std::string_view region) const {
        const std::int32_t its = paths_[path].region;
        if (its == traces::noIndex) return paths_.name(path) == region;
        std::string plain = recording_.regions[engine::asSize(its)].name;
        if (plain == region || paths_.name(path) == region) return true;
        for (PathId above = paths_[path].parent; above != outsideOfCalls; above = paths_[above].parent)
            if (const std::int32_t around = paths_[above].region; around != traces::noIndex)
                plain = recording_.regions[engine::asSize(around)].name + '/' + plain;
        return plain == region;
    }

    [[noreturn]] void refuse(std::string_view region, std::string_view key) const {
        std::vector<std::string> known;
        for (const traces::Region& one : recording_.regions) known.push_back(one.name);
        const std::string hint = engine::didYouMean(region, known);
        throw Error{text(engine::Field{key}, ": the program has no region '", region, "'",
                         hint.empty() ? "; table calltree of open lists its call paths" : hint)};
    }

    /// A change of the paths in `region`; empty: of all. Calls of MPI compute nothing; what is not waited for in them
    /// changes only where they are named themselves.
    OwnTimeChange changeOf(const std::string& region, std::string_view key) const {
        OwnTimeChange change;
        change.shares.resize(recording_.ranks);
        change.paths.resize(paths_.size());
        if (const auto call = precedingCall(region)) {
            change.paths[outsideOfCalls] = true;
            change.before.resize(paths_.size());
            for (PathId path = outsideOfCalls + 1; path < paths_.size(); ++path)
                change.before[path] = change.before[paths_[path].parent] || isNamed(path, *call);
            if (std::ranges::find(change.before, true) == change.before.end()) refuse(*call, key);
            return change;
        }
        for (PathId path = 0; path < paths_.size() && region.empty(); ++path) {
            const std::int32_t its = paths_[path].region;
            change.paths[path] = its == traces::noIndex || !isMpiCall(recording_.regions[engine::asSize(its)]);
        }
        bool any = region.empty(), computes = region.empty();
        for (PathId path = 0; path < paths_.size() && !region.empty(); ++path) {
            const CallPaths::Node node = paths_[path];
            const bool isCall = node.region != traces::noIndex;
            const bool above = node.parent != outsideOfCalls && change.paths[node.parent];
            const bool isMpi = isCall && isMpiCall(recording_.regions[engine::asSize(node.region)]);
            change.paths[path] = isNamed(path, region) || (above && !isMpi);
            any = any || change.paths[path];
            computes = computes || (change.paths[path] && !paths_.isKnownByCalls(path));
        }
        if (any && !computes)
            throw Error{text(engine::Field{key}, ": the trace has no computing time of ", region,
                             " itself, since its recorder saw MPI calls only; '", wordsOutside,
                             "' names all computation outside MPI")};
        if (!any) refuse(region, key);
        return change;
    }

    /// Whether it changes more than calls of MPI.
    [[nodiscard]] bool hasComputation(const OwnTimeChange& change) const {
        for (PathId path = 0; path < paths_.size(); ++path) {
            const std::int32_t its = paths_[path].region;
            if (change.paths[path] && (its == traces::noIndex || !isMpiCall(recording_.regions[engine::asSize(its)])))
                return true;
        }
        return false;
    }

    /// What each rank computes there, as recorded.
    std::vector<Picoseconds> timeByActivity(const OwnTimeChange& change, const engine::Progress& progress) const {
        std::vector<Picoseconds> spent(engine::asSize(recording_.ranks));
        (void)recordedProgram(
            recording_,
            [&](Rank rank, Picoseconds from, Picoseconds to) {
                eachStretch(rank, from, to, [&](PathId path, PathId next, Picoseconds begin, Picoseconds end) {
                    if (change.has(path, next)) spent[rank.index()] += end - begin;
                });
                return to - from;
            },
            progress);
        return spent;
    }

    const traces::Recording& recording_;
    CallPaths paths_;
    std::vector<OwnTimeChange> changes_;
    std::vector<DelaysOfRank> leftOut_;
};

}  // namespace

ComputationOf changedOwnTime(const traces::Recording& recording, const ComputationChange& wish,
                             const engine::Progress& progress) {
    const auto times = std::make_shared<OwnTimes>(recording, progress);
    times->take(wish, progress);
    return [times](Rank rank, Picoseconds from, Picoseconds to) { return times->of(rank, from, to); };
}

}  // namespace app::analysis
