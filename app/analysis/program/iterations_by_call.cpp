// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/iterations_by_call.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/median.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::States;
using traces::TimeSpan;

namespace {

constexpr std::int64_t fewest = 3;

/// How often and between when each path was called by one rank.
struct Called {
    std::int64_t calls = 0;
    Picoseconds first{};
    Picoseconds last{};
};

/// What is computed before the first of its calls belongs to the first turn, as to every other. When the loop began is
/// not known: what every rank computed there beyond what it computes before the first call of a turn is set-up. Returns
/// that.
Picoseconds leaveSetUpOut(std::vector<Turns>& all) {
    std::optional<Picoseconds> setUp;
    for (const Turns& its : all) {
        if (its.beforeCalls.size() < 2) return {};
        const Picoseconds usual = engine::median(std::vector(its.beforeCalls.begin() + 1, its.beforeCalls.end()));
        const Picoseconds more = std::max(Picoseconds{}, its.beforeCalls.front() - usual);
        setUp = std::min(setUp.value_or(more), more);
    }
    for (Turns& its : all) its.spans.front().begin += setUp.value_or(Picoseconds{});
    return setUp.value_or(Picoseconds{});
}

/// A call that may be the mark of an iteration.
struct Mark {
    PathId path = outsideOfCalls;
    std::int64_t calls = 0;
    int depth = 0;
    Picoseconds first{};  ///< on the first rank
};

class Search {
public:
    Search(const CallPaths& paths, const RecordedRanks& of, const engine::Progress& progress)
        : paths_{paths},
          recording_{paths.recording()},
          progress_{progress},
          ranks_{of.ranks},
          locations_{of.locations} {}

    /// The spans of iterations on each rank, by the outermost paths that repeat plausibly; nothing where nothing does.
    SpansOfRanks spans(Iterations& found) {
        const std::vector<Mark> all = candidates();
        std::set<int> depths;
        for (const Mark& mark : all) depths.insert(mark.depth);
        for (const int depth : depths) {
            std::vector<Mark> marks = all;
            std::erase_if(marks, [&](const Mark& mark) { return mark.depth != depth; });
            const auto its = spans(std::move(marks), found);
            if (found.call >= paths_.size()) found.call = separated_;
            if (isPlausible(its, recording_)) return its;
            found = {};
        }
        return {};
    }

private:
    SpansOfRanks spans(std::vector<Mark> marks, Iterations& found) {
        furtherCalls_.clear();
        choose(marks);
        if (marks.empty()) return {};
        separateCommunicators(marks);
        const auto earlier = [](const Mark& a, const Mark& b) { return a.first < b.first; };
        const Mark first = *std::min_element(marks.begin(), marks.end(), earlier);
        const Mark last = *std::max_element(marks.begin(), marks.end(), earlier);
        parent_ = paths_[first.path].parent;
        const std::vector<std::uint32_t> calls = siblings(locations_.front());
        const std::size_t at = indexOf(calls, locations_.front(), first.path);
        const std::set<PathId> body = bodyOf(calls, locations_.front(), first.path);
        std::vector<Turns> all;
        // When a function began is unknown if only its MPI calls were recorded.
        const bool isCall = paths_.isKnownByCalls(first.path) ||
                            recording_.regions[engine::asSize(paths_[first.path].region)].call != traces::Call::none;
        if (isCall &&
            std::ranges::any_of(locations_, [&](std::size_t l) { return beginsOtherwise(l, marks, first.path); })) {
            found.endsWithIt = true;
            found.call = last.path;
            for (const std::size_t location : locations_) all.push_back(turnsByAll(location, marks, first.path));
            return spansOf(std::move(all), found);
        }
        if (isCall && !endsWithMark(calls, first.path, body)) {
            // The call at the end names the turns where all ranks make it once in each.
            const PathId end = callBefore(calls, first.path);
            found.endsWithIt = std::ranges::all_of(locations_, [&](std::size_t location) {
                const auto times =
                    std::ranges::count(siblings(location), end, [&](std::uint32_t s) { return pathOf(location, s); });
                return times >= first.calls - 1 && times <= first.calls + 1;
            });
            found.call = found.endsWithIt ? end : first.path;
            for (const std::size_t location : locations_) all.push_back(turnsBefore(location, first.path));
            return spansOf(std::move(all), found);
        }
        found.endsWithIt = isCall || (at > 0 && body.contains(pathOf(locations_.front(), calls[at - 1])) &&
                                      sameCall(locations_.front(), calls[at - 1], calls[at]));
        found.call = found.endsWithIt ? last.path : first.path;
        for (const std::size_t location : locations_) all.push_back(turnsOf(location, found, first.path));
        return spansOf(std::move(all), found);
    }

    /// Calls that all ranks make equally often over much of the time.
    std::vector<Mark> candidates() {
        std::vector<Called> first;
        std::vector<bool> alike(paths_.size(), true);
        for (std::size_t r = 0; r < locations_.size(); ++r) {
            progress_.at(0);
            const States& states = recording_.states[locations_[r]];
            std::vector<Called> its(paths_.size());
            for (std::size_t s = 0; s < states.size(); ++s) {
                Called& called = its[paths_.of(locations_[r], s)];
                if (called.calls++ == 0) called.first = states.begin[s];
                called.last = states.end[s];
            }
            if (r == 0) first = std::move(its);
            else
                for (PathId path = 0; path < paths_.size(); ++path)
                    if (its[path].calls != first[path].calls) alike[path] = false;
        }
        std::vector<Mark> marks;
        if (locations_.empty()) return marks;
        const TimeSpan span = traces::communicationOf(recording_);
        const Picoseconds least = (span.end - span.begin) / 2;
        std::vector<int> depth(paths_.size());
        for (PathId path = 1; path < paths_.size(); ++path) {
            depth[path] = depth[paths_[path].parent] + 1;
            const Called& called = first[path];
            if (!alike[path] || called.calls < fewest || called.last - called.first < least) continue;
            marks.push_back({path, called.calls, depth[path], called.first});
        }
        return marks;
    }

    /// Keeps those of one path that come most often while what lies between two of them is mostly the same.
    void choose(std::vector<Mark>& marks) {
        constexpr double mostly = 0.6;
        std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.calls > b.calls; });
        const Mark* chosen = nullptr;
        double most = -1;
        for (const Mark& mark : marks) {
            const double share = sameShare(mark.path);
            if (share > most) most = share, chosen = &mark;
            if (share >= mostly) break;
        }
        const Mark best = *chosen;
        std::erase_if(marks, [&](const Mark& mark) {
            return mark.calls != best.calls || paths_[mark.path].parent != paths_[best.path].parent;
        });
    }

    /// Calls on one path that each rank makes on several communicators in turn, each once, are a call of its own for
    /// each communicator: an iteration makes all of them.
    void separateCommunicators(std::vector<Mark>& marks) {
        if (marks.size() > 1) return;
        const Mark mark = marks.front();
        // Mostly there is one communicator, which the first rank shows.
        const std::size_t inTurn = callsInTurn(0, mark.path, communicatorsOf({ranks_.front()}).front());
        if (inTurn < 2 || mark.calls / static_cast<std::int64_t>(inTurn) < fewest) return;
        const std::vector<CommunicatorsOfCalls> communicators = communicatorsOf(ranks_);
        for (std::size_t r = 1; r < ranks_.size(); ++r)
            if (callsInTurn(r, mark.path, communicators[r]) != inTurn) return;
        separated_ = mark.path;
        marks.clear();
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const std::vector<std::uint32_t> calls = callsOf(r, mark.path);
            for (std::size_t i = 0; i < calls.size(); ++i) {
                const std::size_t place = i % inTurn;
                const PathId its = place == 0 ? mark.path : static_cast<PathId>(paths_.size() + place - 1);
                if (place > 0) furtherCalls_[{locations_[r], calls[i]}] = its;
                if (r == 0 && i < inTurn)
                    marks.push_back({its, mark.calls / static_cast<std::int64_t>(inTurn), mark.depth,
                                     recording_.states[locations_[r]].begin[calls[i]]});
            }
        }
    }

    /// Of the collectives of a rank: when its call began, and the communicator; rising.
    using CommunicatorsOfCalls = std::vector<std::pair<Picoseconds, std::int32_t>>;

    /// Beside `ranks`.
    [[nodiscard]] std::vector<CommunicatorsOfCalls> communicatorsOf(const std::vector<Rank>& ranks) const {
        std::vector<CommunicatorsOfCalls> all(ranks.size());
        std::vector<CommunicatorsOfCalls*> ofRank(engine::asSize(recording_.ranks));
        for (std::size_t r = 0; r < ranks.size(); ++r) ofRank[ranks[r].index()] = &all[r];
        for (const traces::Collective& one : recording_.collectives.instances)
            for (const traces::Participant& its : recording_.collectives.of(one))
                if (CommunicatorsOfCalls* const calls = ofRank[its.rank.index()])
                    calls->emplace_back(its.begin, one.communicator);
        for (CommunicatorsOfCalls& calls : all) std::ranges::sort(calls);
        return all;
    }

    /// The calls on a path of the `r`-th rank.
    [[nodiscard]] std::vector<std::uint32_t> callsOf(std::size_t r, PathId path) const {
        std::vector<std::uint32_t> calls;
        for (std::uint32_t s = 0; s < recording_.states[locations_[r]].size(); ++s)
            if (paths_.of(locations_[r], s) == path) calls.push_back(s);
        return calls;
    }

    /// On how many communicators the calls on a path of the `r`-th rank are made in turn, always in the same order; 0
    /// if they are not.
    [[nodiscard]] std::size_t callsInTurn(std::size_t r, PathId path, const CommunicatorsOfCalls& communicators) const {
        const States& states = recording_.states[locations_[r]];
        std::map<std::int32_t, std::size_t> places;  // of communicators, as they first come
        std::vector<std::size_t> inOrder;
        for (const std::uint32_t call : callsOf(r, path)) {
            const auto on = std::ranges::lower_bound(communicators, states.begin[call], {},
                                                     &CommunicatorsOfCalls::value_type::first);
            if (on == communicators.end() || on->first > states.end[call]) return 0;
            inOrder.push_back(places.try_emplace(on->second, places.size()).first->second);
        }
        for (std::size_t i = 0; i < inOrder.size(); ++i)
            if (inOrder[i] != i % places.size()) return 0;
        return inOrder.size() % places.size() == 0 ? places.size() : 0;
    }

    /// That of a call; a number beyond all paths for one of furtherCalls_.
    [[nodiscard]] PathId pathOf(std::size_t location, std::uint32_t call) const {
        const auto its = furtherCalls_.find({location, call});
        return its == furtherCalls_.end() ? paths_.of(location, call) : its->second;
    }

    /// Calls on the same path as the mark, in their order.
    std::vector<std::uint32_t> siblings(std::size_t location) const {
        std::vector<std::uint32_t> calls;
        for (std::uint32_t s = 0; s < recording_.states[location].size(); ++s)
            if (paths_[paths_.of(location, s)].parent == parent_) calls.push_back(s);
        return calls;
    }

    [[nodiscard]] std::size_t indexOf(const std::vector<std::uint32_t>& calls, std::size_t location,
                                      PathId path) const {
        std::size_t at = 0;
        while (pathOf(location, calls[at]) != path) ++at;
        return at;
    }

    /// Of the time from the first call of `mark` to its last on the first rank: the largest part that is between two of
    /// them with the same calls between, of those that are not rare; but no more than what these are of all, since what
    /// is called several times a turn, as for each neighbour, has turn after turn between some of its calls.
    double sameShare(PathId mark) {
        parent_ = paths_[mark].parent;
        const std::size_t location = locations_.front();
        const States& states = recording_.states[location];
        struct Kind {
            Picoseconds time{};
            std::int64_t times = 0;
        };
        const std::vector<std::uint32_t> its = siblings(location);
        std::map<PathId, std::int64_t> times;
        for (const std::uint32_t s : its) ++times[pathOf(location, s)];
        // What every third turn does beside, such as telling how far it is, makes it no other kind of turn.
        const auto isRare = [&](PathId path) { return 5 * times[path] <= 2 * times[mark]; };
        std::map<std::vector<PathId>, Kind> kinds;
        std::vector<PathId> between;
        Picoseconds begin{-1};
        Kind all;
        for (const std::uint32_t s : its) {
            const PathId path = pathOf(location, s);
            if (path == mark) {
                if (begin.count() >= 0) {
                    for (Kind* const kind : {&kinds[between], &all})
                        kind->time += states.begin[s] - begin, ++kind->times;
                }
                begin = states.begin[s];
                between.clear();
            }
            if (!isRare(path)) between.push_back(path);
        }
        Kind most;
        for (const auto& [calls, kind] : kinds)
            if (kind.time > most.time) most = kind;
        if (all.time.count() == 0) return 0;
        return std::min(ratio(most.time, all.time), static_cast<double>(most.times) / static_cast<double>(all.times));
    }

    /// What is called at least every other time between two marks.
    std::set<PathId> bodyOf(const std::vector<std::uint32_t>& calls, std::size_t location, PathId mark) const {
        std::map<PathId, std::int64_t> times;
        std::set<PathId> seen;
        std::int64_t marks = 0;
        for (const std::uint32_t s : calls) {
            const PathId path = pathOf(location, s);
            if (path == mark) {
                for (const PathId one : seen) ++times[one];
                seen.clear();
                ++marks;
            }
            if (marks > 0) seen.insert(path);
        }
        std::set<PathId> body;
        for (const auto& [path, count] : times)
            if (2 * count >= marks - 1) body.insert(path);
        return body;
    }

    /// Whether the mark is also the last call that repeats: it was called once more than its turns, before the first.
    bool endsWithMark(const std::vector<std::uint32_t>& calls, PathId mark, const std::set<PathId>& body) const {
        for (std::size_t i = calls.size(); body.size() > 1 && i-- > 0;) {
            const PathId path = pathOf(locations_.front(), calls[i]);
            if (body.contains(path)) return path == mark;
        }
        return false;
    }

    /// What mostly comes before the mark, which is the last call of a turn.
    PathId callBefore(const std::vector<std::uint32_t>& calls, PathId mark) const {
        std::map<PathId, std::int64_t> times;
        for (std::size_t i = indexOf(calls, locations_.front(), mark) + 1; i < calls.size(); ++i)
            if (pathOf(locations_.front(), calls[i]) == mark) ++times[pathOf(locations_.front(), calls[i - 1])];
        return std::ranges::max_element(times, {}, [](const auto& one) { return one.second; })->first;
    }

    /// Whether both lie in one call of what is around them.
    [[nodiscard]] bool sameCall(std::size_t location, std::uint32_t a, std::uint32_t b) const {
        return paths_.parentOf(location, a) == paths_.parentOf(location, b);
    }

    /// When the first iteration can have begun: the call before the `k`-th was left, or what is around them was
    /// entered. A function of which only MPI calls were recorded may have been entered any time after the call before
    /// these.
    Picoseconds beginOfFirst(std::size_t location, const std::vector<std::uint32_t>& calls, std::size_t k,
                             std::uint32_t mark) const {
        const States& states = recording_.states[location];
        if (k > 0 && sameCall(location, calls[k - 1], mark)) return states.end[calls[k - 1]];
        const auto isCall = [&](std::uint32_t s) {
            return recording_.regions[engine::asSize(states.region[s])].call != traces::Call::none;
        };
        std::uint32_t around = paths_.parentOf(location, mark);
        const auto isKnownByCalls = [&] {
            return around < states.size() && paths_.isKnownByCalls(paths_.of(location, around));
        };
        Picoseconds earliest = recording_.locations[location].first;
        if (isKnownByCalls()) {
            std::uint32_t before = around;
            while (before > 0 && !isCall(before - 1)) --before;
            if (before > 0) earliest = states.end[before - 1];
        }
        while (isKnownByCalls()) around = paths_.parentOf(location, around);
        return around < states.size() ? std::max(earliest, states.begin[around]) : earliest;
    }

    /// The places of the marks in `calls`, each in its turns.
    std::vector<std::vector<std::size_t>> placesOf(const std::vector<Mark>& marks,
                                                   const std::vector<std::uint32_t>& calls,
                                                   std::size_t location) const {
        std::vector<std::vector<std::size_t>> places(marks.size());
        for (std::size_t i = 0; i < calls.size(); ++i)
            for (std::size_t m = 0; m < marks.size(); ++m)
                if (pathOf(location, calls[i]) == marks[m].path) places[m].push_back(i);
        return places;
    }

    /// Whether the loop begins there with another call than that mark: with another mark, or with what only some ranks
    /// call.
    bool beginsOtherwise(std::size_t location, const std::vector<Mark>& marks, PathId first) const {
        const std::vector<std::uint32_t> calls = siblings(location);
        std::size_t at = calls.size();
        for (const auto& its : placesOf(marks, calls, location)) at = std::min(at, its.front());
        if (pathOf(location, calls[at]) != first) return true;
        return at > 0 && sameCall(location, calls[at - 1], calls[at]) &&
               bodyOf(calls, location, first).contains(pathOf(location, calls[at - 1]));
    }

    /// Turns of which each ends with the last of its marks, whichever that is on this rank: so the k-th turn of all
    /// ranks is the same one.
    Turns turnsByAll(std::size_t location, const std::vector<Mark>& marks, PathId first) const {
        const States& states = recording_.states[location];
        const std::vector<std::uint32_t> calls = siblings(location);
        const std::set<PathId> body = bodyOf(calls, location, first);
        const auto places = placesOf(marks, calls, location);
        const auto isOfTurn = [&](std::size_t i, std::size_t mark) {
            return sameCall(location, calls[i], calls[mark]) && body.contains(pathOf(location, calls[i]));
        };
        Turns turns;
        std::size_t former = calls.size();  // the last mark of the turn before
        for (std::size_t k = 0; k < places.front().size(); ++k) {
            std::size_t earliest = calls.size(), latest = 0;
            for (const auto& its : places) earliest = std::min(earliest, its[k]), latest = std::max(latest, its[k]);
            TimeSpan span{{}, states.end[calls[latest]]};
            std::size_t begin = earliest;
            if (former < earliest && sameCall(location, calls[former], calls[earliest])) {
                begin = former + 1;
                span.begin = states.end[calls[former]];
            } else {
                while (begin > 0 && begin - 1 != former && isOfTurn(begin - 1, earliest)) --begin;
                span.begin = turns.spans.empty() ? beginOfFirst(location, calls, begin, calls[earliest])
                                                 : states.begin[calls[begin]];
            }
            const bool isLast = k + 1 == places.front().size();
            for (std::size_t i = latest + 1; isLast && i < calls.size() && isOfTurn(i, latest); ++i)
                span.end = std::max(span.end, states.end[calls[i]]);
            turns.add(span, states.begin[calls[begin]]);
            former = latest;
        }
        return turns;
    }

    /// Turns whose first call of MPI is the mark: each from the end of the call before it, so that computation before
    /// the mark is of the turn, to where the next one begins.
    Turns turnsBefore(std::size_t location, PathId mark) const {
        const States& states = recording_.states[location];
        const std::vector<std::uint32_t> calls = siblings(location);
        const std::set<PathId> body = bodyOf(calls, location, mark);
        Turns turns;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (pathOf(location, calls[i]) != mark) continue;
            const auto within = [&](std::size_t k) {
                return k < calls.size() && sameCall(location, calls[k], calls[i]);
            };
            TimeSpan span{beginOfFirst(location, calls, i, calls[i]), states.end[calls[i]]};
            std::size_t next = i + 1;
            while (within(next) && pathOf(location, calls[next]) != mark) ++next;
            const bool isLast = !within(next);
            for (std::size_t k = i + 1; k < next && (!isLast || body.contains(pathOf(location, calls[k]))); ++k)
                span.end = states.end[calls[k]];
            turns.add(span, states.begin[calls[i]]);
        }
        return turns;
    }

    Turns turnsOf(std::size_t location, const Iterations& found, PathId mark) const {
        const States& states = recording_.states[location];
        const std::vector<std::uint32_t> calls = siblings(location);
        const std::set<PathId> body = bodyOf(calls, location, mark);
        const auto isBody = [&](std::size_t i) { return body.contains(pathOf(location, calls[i])); };
        Turns turns;
        std::size_t former = calls.size();  // the mark before
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (pathOf(location, calls[i]) != found.call) continue;
            const auto within = [&](std::size_t k) { return sameCall(location, calls[k], calls[i]); };
            TimeSpan span{states.begin[calls[i]], states.end[calls[i]]};
            if (found.endsWithIt) {
                std::size_t first = i;  // of its calls
                if (former < i && within(former)) {
                    first = former + 1;
                    span.begin = states.end[calls[former]];
                } else {
                    // What came before the loop is none of it.
                    while (first > 0 && within(first - 1) && isBody(first - 1)) --first;
                    span.begin = turns.spans.empty() ? beginOfFirst(location, calls, first, calls[i])
                                                     : states.begin[calls[first]];
                }
                turns.add(span, states.begin[calls[first]]);
            } else {
                std::size_t k = i + 1;
                while (k < calls.size() && within(k) && pathOf(location, calls[k]) != found.call) ++k;
                if (k < calls.size() && within(k)) span.end = states.begin[calls[k]];
                else
                    for (k = i + 1; k < calls.size() && within(k) && isBody(k); ++k)
                        span.end = std::max(span.end, states.end[calls[k]]);
                turns.spans.push_back(span);
            }
            former = i;
        }
        return turns;
    }

    const CallPaths& paths_;
    const Recording& recording_;
    const engine::Progress& progress_;
    const std::vector<Rank>& ranks_;
    const std::vector<std::size_t>& locations_;
    PathId parent_ = outsideOfCalls;
    std::map<std::pair<std::size_t, std::uint32_t>, PathId> furtherCalls_;  ///< of `separated_`, on other communicators
    PathId separated_ = outsideOfCalls;
};

}  // namespace

RecordedRanks recordedRanksOf(const Recording& recording, const std::vector<Rank>& ranks) {
    RecordedRanks of;
    for (const Rank rank : ranks) {
        const std::int32_t location = recording.locationOf(rank);
        if (location == traces::noIndex || recording.states[engine::asSize(location)].size() == 0) continue;
        of.ranks.push_back(rank);
        of.locations.push_back(engine::asSize(location));
    }
    return of;
}

SpansOfRanks spansOf(std::vector<Turns> all, Iterations& found) {
    if (std::ranges::none_of(all, [](const Turns& its) { return its.beforeCalls.empty(); }))
        found.beforeFirst = leaveSetUpOut(all);
    SpansOfRanks spans;
    for (Turns& its : all) spans.push_back(std::move(its.spans));
    return spans;
}

// Lines of an input would take as unlike times: one of them runs the program.
bool isPlausible(const SpansOfRanks& spans, const Recording& recording) {
    if (spans.empty() || spans.front().empty()) return false;
    constexpr std::int64_t muchLonger = 100;
    const TimeSpan span = traces::communicationOf(recording);
    const Picoseconds all = span.end - span.begin;
    std::vector<Picoseconds> durations(spans.front().size());
    TimeSpan covered = {spans.front().front().begin, spans.front().back().end};
    for (const auto& ofRank : spans) {
        covered = {std::min(covered.begin, ofRank.front().begin), std::max(covered.end, ofRank.back().end)};
        for (std::size_t k = 0; k < ofRank.size(); ++k)
            durations[k] = std::max(durations[k], ofRank[k].end - ofRank[k].begin);
    }
    const Picoseconds longest = *std::ranges::max_element(durations);
    return 2 * (covered.end - covered.begin) >= all &&
           (4 * longest < all || longest < muchLonger * engine::median(durations));
}

SpansOfRanks spansByCalls(const CallPaths& paths, const RecordedRanks& ranks, Iterations& found,
                          const engine::Progress& progress) {
    return Search{paths, ranks, progress}.spans(found);
}

}  // namespace app::analysis
