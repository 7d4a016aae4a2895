// SPDX-License-Identifier: BSD-3-Clause
#include "traces/clocks/clocks.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clock_evidence.hpp"
#include "traces/index/index_location.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace traces {

using engine::showTime;
using engine::text;

namespace {

/// Adds what `messages` contradict.
ClockCheck checked(const Messages& messages, ClockCheck check) {
    const auto early = [&](std::size_t i) {
        if ((messages.flags[i] & flag::receiveInferred) != 0) return Picoseconds{0};
        return messages.sendBegin[i] - messages.receiveEnd[i];
    };
    // Mostly there is none, which all cores see sooner.
    constexpr std::size_t piece = std::size_t{1} << 16;
    std::vector<std::uint8_t> some((messages.size() + piece - 1) / piece);
    std::atomic<std::int64_t> inferred{0};
    engine::parallelFor(some.size(), [&](std::size_t k) {
        std::int64_t its = 0;
        for (std::size_t i = k * piece; i < std::min(messages.size(), (k + 1) * piece); ++i) {
            if ((messages.flags[i] & flag::receiveInferred) != 0) ++its;
            if (early(i) > Picoseconds{0}) some[k] = 1;
        }
        inferred += its;
    });
    check.messages += static_cast<std::int64_t>(messages.size()) - inferred;
    for (std::size_t k = 0; k < some.size(); ++k)
        for (std::size_t i = k * piece; some[k] != 0 && i < std::min(messages.size(), (k + 1) * piece); ++i) {
            if (early(i) <= Picoseconds{0}) continue;
            ++check.received;
            check.earliest = std::max(check.earliest, early(i));
            ++check.byRank[messages.from[i].index()];
            if (messages.to[i] != messages.from[i]) ++check.byRank[messages.to[i].index()];
        }
    return check;
}

}  // namespace

ClockCheck checkClocks(const Recording& recording) {
    ClockCheck check;
    check.byRank.resize(engine::asSize(recording.ranks));
    const auto note = [&](Rank rank) { ++check.byRank[rank.index()]; };
    for (const Messages* messages : {&recording.messages, &recording.library.messages})
        check = checked(*messages, std::move(check));
    for (const Collective& instance : recording.collectives.instances) {
        if (!tellsOfClocks(recording, instance)) continue;
        const Participant* last = nullptr;
        for (const Participant& part : recording.collectives.of(instance))
            if (dependenceOf(instance, part).source && (last == nullptr || part.begin > last->begin)) last = &part;
        if (last == nullptr) continue;
        ++check.collectives;
        bool broken = false;
        for (const Participant& part : recording.collectives.of(instance)) {
            const Picoseconds before = last->begin - part.end;
            if (!dependenceOf(instance, part).sink || before <= Picoseconds{0}) continue;
            broken = true;
            check.earliestLeave = std::max(check.earliestLeave, before);
            note(part.rank);
        }
        if (!broken) continue;
        ++check.left;
        note(last->rank);
    }
    return check;
}

std::string describe(const ClockCheck& check) {
    if (check.violations() == 0) return {};
    std::string words = "clocks of ranks do not agree:";
    if (check.received > 0)
        words += text(" ", check.received, " of ", check.messages, " messages arrive before they are sent (by up to ",
                      showTime(check.earliest), ")", check.left > 0 ? "," : "");
    if (check.left > 0)
        words += text(" ", check.left, " of ", check.collectives,
                      " collectives are left before all have entered (by up to ", showTime(check.earliestLeave), ")");
    return words;
}

Picoseconds ClockLine::operator()(Picoseconds time) const {
    const auto along = static_cast<std::int64_t>(drift * static_cast<double>(time.count()));
    return time + offset + Picoseconds{along};
}

bool ClockFit::moves() const {
    return std::any_of(byRank.begin(), byRank.end(), [](const ClockLine& line) { return line != ClockLine{}; });
}

namespace {

constexpr std::string_view fittedBy = "times are fitted, by up to ";

/// The sum of the two largest.
Picoseconds twoLargest(const std::vector<Picoseconds>& all) {
    Picoseconds most{}, second{};
    for (const Picoseconds one : all)
        if (one > most) second = std::exchange(most, one);
        else second = std::max(second, one);
    return most + second;
}

/// "clocks of ranks do not agree: ... as recorded; times are fitted, by up to 3 us, and right within 1 us from rank to
/// rank"
std::string wordsOf(const ClockFit& fit, const Recording& recording) {
    Picoseconds most{};
    for (const ClockLine& line : fit.byRank) most = std::max({most, line.offset, -line.offset});
    std::string why;
    for (const NotRecorded& absence : recording.absences)
        if (absence.what == Absence::clocks) why = absence.words + "; ";
    std::string words = text(why, fittedBy, showTime(most));
    if (const Picoseconds off = twoLargest(fit.slack); off.count() > 0)
        words += text(", and right within ", showTime(off), " from rank to rank");
    return words;
}

}  // namespace

std::string fittedWords(const Recording& recording) {
    for (const std::string& remark : recording.remarks)
        if (recording.corrected && remark.find(fittedBy) != std::string::npos) return remark;
    return {};
}

ClockUncertainty::ClockUncertainty(const Recording& recording) {
    std::vector<Picoseconds> connected;
    for (const FittedClock& one : recording.fittedClocks) {
        Picoseconds off = one.slack;
        // Times that were left as recorded are off by what the fit would add, too.
        if (!recording.corrected) {
            const Picoseconds first = one.added({}), last = one.added(recording.duration) - recording.duration;
            off += std::max({first, -first, last, -last});
        }
        byRank_.push_back(one.tied ? off : unknown);
        if (one.tied) connected.push_back(off);
    }
    most_ = twoLargest(connected);
}

Picoseconds ClockUncertainty::between(Rank a, Rank b) const {
    if (a == b || byRank_.empty()) return {};
    return std::min(unknown, byRank_[a.index()] + byRank_[b.index()]);
}

bool ClockUncertainty::shows(Rank a, Rank b, Picoseconds apart) const {
    constexpr Picoseconds resolution{1000};  // of recorded times
    const Picoseconds off = between(a, b);
    return apart > off || off <= resolution;
}

std::vector<FittedClock> fittedClocksOf(const ClockFit& fit) {
    std::vector<FittedClock> clocks;
    for (std::size_t rank = 0; rank < fit.byRank.size(); ++rank)
        clocks.push_back({fit.byRank[rank], fit.slack[rank], fit.tied[rank]});
    return clocks;
}

Recording corrected(const Recording& recording, const ClockFit& fit, const MemoryBudget& memory) {
    // What was read has taken its part already.
    reading::Storage storage = roomBeside(recording, memory);
    const auto line = [&](Rank rank) { return rank == noRank ? ClockLine{} : fit.byRank[rank.index()]; };
    Picoseconds zero = Picoseconds::max();
    for (const Location& location : recording.locations)
        if (location.events > 0) zero = std::min(zero, line(location.rank)(location.first));
    if (zero == Picoseconds::max()) zero = Picoseconds{0};
    const auto moved = [&](Rank rank, Picoseconds time) { return line(rank)(time) - zero; };
    const auto changed = [&]<class T>(const Column<T>& column, auto change) {
        auto [made, values] = reading::makeColumn<T>(column.size(), &storage);
        for (std::size_t i = 0; i < column.size(); ++i) change(values[i] = column[i]);
        return made;
    };
    const auto movedColumn = [&](const Column<Picoseconds>& times, auto rankAt) {
        auto [column, values] = reading::makeColumn<Picoseconds>(times.size(), &storage);
        for (std::size_t i = 0; i < times.size(); ++i) values[i] = moved(rankAt(i), times[i]);
        return column;
    };

    Recording result = recording;
    result.corrected = true;
    result.fittedClocks = fittedClocksOf(fit);
    result.duration = Picoseconds{0};
    for (std::size_t i = 0; i < result.locations.size(); ++i) {
        Location& location = result.locations[i];
        if (location.events == 0) continue;
        location.first = moved(location.rank, location.first);
        location.last = moved(location.rank, location.last);
        result.duration = std::max(result.duration, location.last);
    }
    for (std::size_t i = 0; i < result.states.size(); ++i) {
        const auto rankAt = [rank = result.locations[i].rank](std::size_t) { return rank; };
        result.states[i].begin = movedColumn(recording.states[i].begin, rankAt);
        result.states[i].end = movedColumn(recording.states[i].end, rankAt);
    }
    for (std::size_t i = 0; i < result.notices.size(); ++i) {
        std::vector<Notice> notices(recording.notices[i].begin(), recording.notices[i].end());
        for (Notice& notice : notices) notice.time = moved(result.locations[i].rank, notice.time);
        result.notices[i] = std::move(notices);
    }
    for (MetricSamples& samples : result.samples)
        samples.time =
            movedColumn(samples.time,
                        [rank = result.locations[engine::asSize(samples.location)].rank](std::size_t) { return rank; });
    for (Messages* const messages : {&result.messages, &result.library.messages}) {
        const auto from = [&](std::size_t i) { return messages->from[i]; };
        const auto to = [&](std::size_t i) { return messages->to[i]; };
        messages->sendBegin = movedColumn(messages->sendBegin, from);
        messages->sendEnd = movedColumn(messages->sendEnd, from);
        messages->receiveBegin = movedColumn(messages->receiveBegin, to);
        messages->receiveEnd = movedColumn(messages->receiveEnd, to);
    }
    result.halves = changed(recording.halves, [&](Half& half) {
        half.begin = moved(half.self, half.begin);
        half.end = moved(half.self, half.end);
    });
    result.collectives.participants = changed(recording.collectives.participants, [&](Participant& part) {
        part.begin = moved(part.rank, part.begin);
        part.end = moved(part.rank, part.end);
    });
    for (Unfinished& begun : result.unfinished) begun.begin = moved(begun.rank, begun.begin);
    const auto rankOf = [&](std::int32_t location) {
        return location == noIndex ? noRank : recording.locations[engine::asSize(location)].rank;
    };
    for (Marker& marker : result.markers) {
        marker.begin = moved(rankOf(marker.location), marker.begin);
        marker.end = moved(rankOf(marker.location), marker.end);
    }
    for (EarlyEnd& early : result.earlyEnds) early.last = moved(rankOf(early.location), early.last);
    for (NotRecorded& absence : result.absences) {
        if (absence.what != Absence::interval && absence.what != Absence::file) continue;
        absence.begin = moved(rankOf(absence.location), absence.begin);
        absence.end = moved(rankOf(absence.location), absence.end);
    }
    if (fit.moves()) result.remarks.push_back(wordsOf(fit, recording));
    std::erase_if(result.absences, [](const NotRecorded& absence) { return absence.what == Absence::clocks; });
    if (std::string still = describe(checkClocks(result)); !still.empty())
        result.absences.push_back({.what = Absence::clocks, .count = 1, .words = std::move(still)});
    return result;
}

}  // namespace traces
