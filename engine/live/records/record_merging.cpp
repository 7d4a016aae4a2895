// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records/record_merging.hpp"

#include "engine/base/error.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace engine::live {
namespace {

/// A time beyond the range of Picoseconds is reported as the longest one in it.
Picoseconds fromNanoseconds(std::int64_t ns) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1000;
    return Picoseconds{std::clamp(ns, -most, most) * 1000};
}

std::int32_t rankOf(const Record& record, std::int32_t entry) { return record.ranks[asSize(entry)]; }

/// Whether a process ended before its work was done, and not because what started it stopped all.
bool died(const Record& record) { return record.state != State::done && record.state != State::stopped; }

/// Whether it is known how a process died. A launcher kills those that are left when one has died: they end without a
/// word, and are no cause.
bool diedForAReason(const Record& record) { return record.state == State::failed || record.state == State::ended; }

/// Those to report: processes that died for a reason; if none did, those that died; if none did, those that were
/// stopped.
using Told = bool (*)(const Record&);
Told toldOf(std::span<const Record> records) {
    if (std::any_of(records.begin(), records.end(), diedForAReason)) return diedForAReason;
    if (std::any_of(records.begin(), records.end(), died)) return died;
    return [](const Record& record) { return record.state == State::stopped; };
}

std::string_view howItEnded(State state) {
    switch (state) {
        case State::failed: return "gave up";
        case State::ended: return "was ended by SIGTERM";
        case State::stopped: return "was stopped by what had started it";
        case State::started:
        case State::done: break;
    }
    return "ended without a word";
}

/// The events of one execution, per rank; begin and end on the clock of process 0.
class Course {
public:
    Course(std::span<const Record> records, std::int32_t entry, std::int32_t repeat) {
        for (const Record& record : records) {
            const std::int32_t rank = rankOf(record, entry);
            if (rank < 0) continue;
            auto& own = perRank_[rank];
            for (Event event : record.events) {
                if (event.entry != entry || event.repeat != repeat) continue;
                event.begin = record.common(event.begin);
                event.end = record.common(event.end);
                origin_ = std::min(origin_, event.begin);
                own.push_back(event);
            }
        }
        if (origin_ == latest) origin_ = 0;
    }

    [[nodiscard]] Picoseconds since(std::int64_t time) const { return fromNanoseconds(time - origin_); }
    [[nodiscard]] const std::map<std::int32_t, std::vector<Event>>& perRank() const { return perRank_; }
    [[nodiscard]] bool nothingHappened() const {
        return std::all_of(perRank_.begin(), perRank_.end(), [](const auto& rank) { return rank.second.empty(); });
    }

private:
    static constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    std::int64_t origin_ = latest;
    std::map<std::int32_t, std::vector<Event>> perRank_;
};

/// Throws Error unless all that happened can have happened under this schedule: records may be damaged.
void requireOf(const Facts& facts, const Course& all) {
    const auto isRank = [&](std::int32_t rank) { return rank >= 0 && rank < facts.ranks; };
    for (const auto& [rank, events] : all.perRank())
        for (const Event& event : events) {
            const bool message = event.kind == Kind::send || event.kind == Kind::receive;
            const bool inRound = message || event.kind == Kind::turn;
            if (!isRank(rank) || (inRound && (event.round < 0 || event.round >= facts.rounds)) ||
                (message && (!isRank(event.peer) || event.bytes < 0)))
                throw Error{text("the record of rank ", rank, " contains messages that are not in its schedule")};
        }
}

/// One end of a message; `nth` among those of its round between the same two ranks.
struct End {
    std::int64_t round = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int32_t nth = 0;
    Event event{};

    [[nodiscard]] auto key() const { return std::tuple{round, from, to, nth}; }
};

/// The sends, or the receives, of all ranks in the order of their keys.
std::vector<End> ends(const Course& all, Kind kind) {
    std::vector<End> found;
    for (const auto& [rank, events] : all.perRank())
        for (const Event& event : events)
            if (event.kind == kind)
                found.push_back({.round = event.round,
                                 .from = kind == Kind::send ? rank : event.peer,
                                 .to = kind == Kind::send ? event.peer : rank,
                                 .event = event});
    std::sort(found.begin(), found.end(), [](const End& a, const End& b) {
        return std::tuple{a.round, a.from, a.to, a.event.place} < std::tuple{b.round, b.from, b.to, b.event.place};
    });
    for (std::size_t i = 1; i < found.size(); ++i) {
        const End& before = found[i - 1];
        if (std::tie(before.round, before.from, before.to) == std::tie(found[i].round, found[i].from, found[i].to))
            found[i].nth = before.nth + 1;
    }
    return found;
}

/// Tells `builder` every message of which both ends are known, in the order of rounds, senders and places; returns how
/// many were in progress in the end.
std::int64_t tellMessages(const Course& all, const Schedule& schedule, RunBuilder& builder) {
    const std::vector<End> sends = ends(all, Kind::send);
    const std::vector<End> receives = ends(all, Kind::receive);
    std::vector<std::pair<const End*, const End*>> pairs;
    auto receive = receives.begin();
    for (const End& send : sends) {
        while (receive != receives.end() && receive->key() < send.key()) ++receive;
        if (receive != receives.end() && receive->key() == send.key()) pairs.emplace_back(&send, &*receive);
    }
    std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        const auto key = [](const End& send) { return std::tuple{send.round, send.from, send.event.place}; };
        return key(*a.first) < key(*b.first);
    });
    Turn turn;
    std::tuple<std::int64_t, std::int32_t> planned{-1, -1};
    for (const auto& [send, received] : pairs) {
        if (planned != std::tuple{send->round, send->from}) {
            planned = {send->round, send->from};
            schedule.turn(Rank{send->from}, Round{send->round}, turn);
        }
        const Event& out = send->event;
        if (out.place >= turn.sends().size())
            throw Error{text("the record of rank ", send->from, " contains messages that are not in its schedule")};
        const Event& in = received->event;
        const std::int64_t begin = std::min(in.end, std::max(in.begin, out.begin));
        builder.message({Rank{send->from}, Rank{send->to}, Round{send->round}, out.bytes, all.since(out.begin),
                         all.since(out.end), all.since(begin), all.since(in.end)},
                        turn.ranges(turn.sends()[out.place]));
    }
    return static_cast<std::int64_t>(sends.size() - pairs.size());
}

void tellTurns(const Course& all, bool scheduled, RunBuilder& builder) {
    const Kind kind = scheduled ? Kind::turn : Kind::end;
    for (const auto& [rank, events] : all.perRank())
        for (const Event& event : events) {
            if (event.kind == kind)
                builder.turn({Rank{rank}, Round{event.round}, all.since(event.begin), all.since(event.end)});
            else if (event.kind == Kind::end)
                builder.turn({Rank{rank}, Round{-1}, all.since(event.begin), all.since(event.end)});
        }
}

/// What ranks compute between the halves of a split-phase call.
void tellComputing(const Course& all, RunBuilder& builder) {
    for (const auto& [rank, events] : all.perRank())
        for (const Event& event : events)
            if (event.kind == Kind::compute)
                builder.computed({Rank{rank}, all.since(event.begin), all.since(event.end)});
}

/// When each rank came to the collective: its first event is that. A rank that left none counts as there from the
/// start.
///
std::vector<Picoseconds> entered(const Course& all, std::int32_t ranks) {
    std::vector<Picoseconds> when(asSize(ranks));
    for (const auto& [rank, events] : all.perRank()) {
        const auto first = std::min_element(events.begin(), events.end(),
                                            [](const Event& a, const Event& b) { return a.begin < b.begin; });
        if (first != events.end()) when[asSize(rank)] = all.since(first->begin);
    }
    return when;
}

/// What the ranks of a split-phase run did, one after the other; its rounds go on during all of it.
void tellRegions(const Course& all, Run& run) {
    constexpr std::array<std::pair<Kind, std::string_view>, 3> kinds{
        {{Kind::start, "start"}, {Kind::compute, computingStage}, {Kind::wait, "wait"}}};
    std::vector<Stage> stages;
    std::vector<StageSpan> spans;
    for (const auto& [kind, name] : kinds) {
        const auto stage = static_cast<std::int32_t>(stages.size());
        const std::size_t before = spans.size();
        for (const auto& [rank, events] : all.perRank())
            for (const Event& event : events)
                if (event.kind == kind)
                    spans.push_back({Rank{rank}, stage, all.since(event.begin), all.since(event.end)});
        if (spans.size() > before) stages.push_back({std::string{name}, Round{0}, 0});
    }
    if (stages.empty()) return;
    std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    run.stages = std::move(stages);
    run.spans = std::move(spans);
}

/// Within an execution, or on the way to it.
std::string whenItEnded(const Record& record, const Course& all, std::int64_t last) {
    // Warm-ups leave no events to tell the time from.
    if (record.repeat < 0) return text("while warming up, in round ", record.round.value + 1);
    if (all.nothingHappened() || all.since(last).count() < 0)
        return text("before execution ", record.repeat + 1, " began");
    return text("after ", showTime(all.since(last)), ", in round ", record.round.value + 1);
}

/// Those of a run whose files are not there: they ended before they had one, or nobody could fetch it.
std::vector<std::int32_t> unrecorded(std::span<const Record> records) {
    std::vector<std::int32_t> missing;
    if (records.empty()) return missing;
    std::set<std::int32_t> there;
    for (const Record& record : records) there.insert(record.process);
    for (std::int32_t process = 0; process < records.front().processes; ++process)
        if (!there.contains(process)) missing.push_back(process);
    return missing;
}

/// Who ended before its time, and when.
void tellDeaths(std::span<const Record> records, std::int32_t entry, const Course& all, Execution& execution) {
    std::int64_t silent = 0;
    std::int64_t stopped = 0;
    const auto isTold = toldOf(records);
    for (const Record& record : records) {
        const std::int32_t rank = rankOf(record, entry);
        if (rank < 0 || !isTold(record) || record.entry != entry) continue;
        silent += record.state == State::started ? 1 : 0;
        stopped += record.state == State::stopped ? 1 : 0;
        std::int64_t last = record.common(record.turnBegan);
        if (const auto own = all.perRank().find(rank); own != all.perRank().end())
            for (const Event& event : own->second) last = std::max(last, event.end);
        std::string words = text("rank ", rank, " ", howItEnded(record.state), " ", whenItEnded(record, all, last),
                                 " (process ", record.pid, " on ", record.host, ")");
        if (!record.fault.empty()) words += ": " + record.fault;
        execution.run.remarks.push_back(words);
        if (execution.correct) execution.fault = words;
        execution.correct = false;
    }
    if (silent > 1)
        execution.fault += text("; so did ", silent - 1, silent == 2 ? " other" : " others",
                                ", since a launcher that kills all when one dies does not say which was the first");
    if (stopped > 1)
        execution.fault += text("; so ", stopped == 2 ? "was 1 other" : text("were ", stopped - 1, " others"));
    if (const auto missing = unrecorded(records); stopped > 0 && !missing.empty())
        execution.fault +=
            text("; process ", missing.front(), missing.size() == 1 ? "" : text(" and ", missing.size() - 1, " more"),
                 " left no record, and may have ended first");
}

void tellFaults(std::span<const Record> records, std::int32_t entry, Execution& execution) {
    for (const Record& record : records)
        if (rankOf(record, entry) >= 0 && record.faultEntry == entry && record.state == State::done &&
            !record.fault.empty()) {
            if (execution.correct) execution.fault = record.fault;
            execution.correct = false;
        }
}

}  // namespace

std::vector<Sample> samplesOf(std::span<const Record> records, std::int32_t entry) {
    struct Extent {
        std::int64_t begin = std::numeric_limits<std::int64_t>::max();
        std::int64_t end = std::numeric_limits<std::int64_t>::min();
        std::int64_t slowest = 0;
        std::int32_t ranks = 0;
    };
    std::map<std::int32_t, Extent> extents;
    std::int32_t ranks = 0;
    for (const Record& record : records) {
        if (rankOf(record, entry) < 0) continue;
        ++ranks;
        for (const Event& event : record.events) {
            if (event.entry != entry || event.kind != Kind::end) continue;
            Extent& extent = extents[event.repeat];
            extent.begin = std::min(extent.begin, record.common(event.begin));
            extent.end = std::max(extent.end, record.common(event.end));
            extent.slowest = std::max(extent.slowest, event.end - event.begin);
            ++extent.ranks;
        }
    }
    std::vector<Sample> samples;
    for (const auto& [repeat, extent] : extents)
        if (extent.ranks == ranks)
            samples.push_back({repeat, fromNanoseconds(extent.slowest), fromNanoseconds(extent.end - extent.begin)});
    return samples;
}

const Sample& medianBy(Picoseconds Sample::*time, const std::vector<Sample>& samples) {
    std::vector<const Sample*> order;
    for (const Sample& sample : samples) order.push_back(&sample);
    return *lowerMedian(std::move(order), [&](const Sample* a, const Sample* b) { return a->*time < b->*time; });
}

Execution joined(std::span<const Record> records, std::int32_t entry, std::int32_t repeat, const Plan* plan,
                 const std::string& stage) {
    const Course all{records, entry, repeat};
    std::int32_t ranks = 0;
    std::int64_t dropped = 0;
    for (const Record& record : records) {
        ranks = std::max(ranks, rankOf(record, entry) + 1);
        dropped += record.dropped;
    }
    Execution execution;
    if (plan != nullptr) {
        const Facts& facts = plan->schedule->facts();
        requireOf(facts, all);
        RunBuilder builder{facts.ranks, facts.rounds, facts.stages};
        const std::int64_t underWay = tellMessages(all, *plan->schedule, builder);
        tellTurns(all, true, builder);
        tellComputing(all, builder);
        execution.run = builder.finish();
        describe(*plan, execution.run);
        tellRegions(all, execution.run);
        if (underWay > 0) execution.run.remarks.push_back(text("messages sent but not received: ", underWay));
    } else {
        RunBuilder builder{ranks, 1, {{stage, Round{0}, 1}}};
        tellTurns(all, false, builder);
        execution.run = builder.finish();
    }
    execution.run.setting.on = "mpi";
    execution.run.entered = entered(all, execution.run.ranks);
    if (dropped > 0) execution.run.remarks.push_back(text("events for which there was no room: ", dropped));
    tellDeaths(records, entry, all, execution);
    tellFaults(records, entry, execution);
    return execution;
}

std::optional<std::pair<std::int32_t, std::int32_t>> brokenOff(std::span<const Record> records) {
    const auto isTold = toldOf(records);
    for (const Record& record : records)
        if (isTold(record)) return std::pair{record.entry, record.repeat};
    return std::nullopt;
}

}  // namespace engine::live
