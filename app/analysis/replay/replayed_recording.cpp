// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/replayed_recording.hpp"

#include "engine/base/error.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis {

using emulation::Does;
using emulation::Operations;
using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// Picoseconds of a recording: a replay sees no others.
constexpr traces::Clock picoseconds{};

/// What became of the times of one rank.
class NewTimes {
public:
    NewTimes(Rank rank, const RecordedProgram& program, const ReplayTimes& times, const ComputationOf& ownTime)
        : rank_{rank}, ownTime_{ownTime}, recordedEnd_{program.spent[rank].end} {
        const Operations& doings = program.program.ranks[rank];
        const std::vector<Picoseconds>& begun = program.begun[rank];
        if (doings.size() > 0) newEnd_ = times.end(rank, doings.size() - 1);
        for (std::size_t first = 0, behind = 0; first < doings.size(); first = behind) {
            while (behind < doings.size() && begun[behind] == begun[first]) ++behind;
            const bool computes = doings.what(behind - 1) == Does::computes;
            const Picoseconds next = behind < doings.size() ? begun[behind] : recordedEnd_;
            const Picoseconds begin = times.begin(rank, first);
            stretches_.push_back({.recorded = begun[first],
                                  .first = begin,
                                  .last = computes               ? times.begin(rank, behind - 1)
                                          : next == begun[first] ? times.end(rank, behind - 1)
                                                                 : begin,
                                  .computes = computes});
        }
    }

    /// When that was that was recorded at `time`; where several things took no time then, the first of them.
    [[nodiscard]] Picoseconds first(Picoseconds time) const { return at(time, &Stretch::first); }
    /// The last of them.
    [[nodiscard]] Picoseconds last(Picoseconds time) const { return at(time, &Stretch::last); }

private:
    /// What began at one recorded time, up to where the next thing began.
    struct Stretch {
        Picoseconds recorded{};
        Picoseconds first{};  ///< its new time
        Picoseconds last{};   ///< likewise, behind what had taken no time in the recording
        bool computes = false;
    };

    [[nodiscard]] Picoseconds at(Picoseconds time, Picoseconds Stretch::*ofMoment) const {
        const auto behind = std::ranges::upper_bound(stretches_, time, {}, &Stretch::recorded);
        if (behind == stretches_.begin() || time > recordedEnd_) return newEnd_ + (time - recordedEnd_);
        const Stretch& within = *(behind - 1);
        if (within.recorded == time) return within.*ofMoment;
        const bool isLast = behind == stretches_.end();
        const Picoseconds next = isLast ? recordedEnd_ : behind->recorded;
        const Picoseconds length = (isLast ? newEnd_ : behind->first) - within.last;
        return within.last + partOf(length, within, time, next);
    }

    /// The part of the new `length` that had passed at `time`.
    [[nodiscard]] Picoseconds partOf(Picoseconds length, const Stretch& within, Picoseconds time,
                                     Picoseconds next) const {
        const bool own = within.computes && ownTime_;
        const Picoseconds all = own ? ownTime_(rank_, within.recorded, next) : next - within.recorded;
        const Picoseconds passed = own ? ownTime_(rank_, within.recorded, time) : time - within.recorded;
        if (all.count() <= 0) return {};
        const auto share = static_cast<__int128>(length.count()) * std::min(passed, all).count() / all.count();
        return Picoseconds{static_cast<std::int64_t>(share)};
    }

    Rank rank_;
    const ComputationOf& ownTime_;
    Picoseconds recordedEnd_;
    Picoseconds newEnd_{};
    std::vector<Stretch> stretches_;
};

/// Indices of values by the rank that each is of.
template <class Values, class RankOf>
engine::ById<Rank, std::vector<std::size_t>> byRank(std::int32_t ranks, const Values& values, RankOf rankOf) {
    engine::ById<Rank, std::vector<std::size_t>> indices;
    indices.resize(ranks);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (const Rank rank = rankOf(values[i]); rank != traces::noRank) indices[rank].push_back(i);
    return indices;
}

/// Columns of a message that are times.
struct MessageTimes {
    explicit MessageTimes(const traces::Messages& m)
        : sendBegin{m.sendBegin.begin(), m.sendBegin.end()},
          sendEnd{m.sendEnd.begin(), m.sendEnd.end()},
          receiveBegin{m.receiveBegin.begin(), m.receiveBegin.end()},
          receiveEnd{m.receiveEnd.begin(), m.receiveEnd.end()} {}

    std::vector<Picoseconds> sendBegin, sendEnd, receiveBegin, receiveEnd;
};

class Replaced {
public:
    Replaced(const Recording& recorded, const RecordedProgram& program, const ReplayTimes& times,
             const ComputationOf& ownTime)
        : recorded_{recorded},
          program_{program},
          times_{times},
          ownTime_{ownTime},
          messages_{recorded.messages},
          flags_{recorded.messages.flags.begin(), recorded.messages.flags.end()},
          sendPosted_(recorded.messages.size()),
          receivePosted_(recorded.messages.size()),
          halves_(recorded.halves.begin(), recorded.halves.end()),
          participants_{recorded.collectives.participants.begin(), recorded.collectives.participants.end()},
          halvesOf_{byRank(recorded.ranks, recorded.halves, [](const auto& half) { return half.self; })},
          unfinishedOf_{byRank(recorded.ranks, recorded.unfinished, [](const auto& begun) { return begun.rank; })},
          partsOf_{byRank(recorded.ranks, participants_, [](const auto& part) { return part.rank; })},
          locationsOf_{byRank(recorded.ranks, recorded.locations, [](const auto& location) { return location.rank; })},
          markersOf_{byRank(recorded.ranks, recorded.markers, [&](const auto& marker) {
              return marker.location == traces::noIndex ? traces::noRank
                                                        : recorded.locations[engine::asSize(marker.location)].rank;
          })} {}

    Recording make(const engine::Progress& progress) {
        Recording made = recorded_;
        made.own.reset();
        made.clock = picoseconds;
        made.clockOffsets.clear();
        made.corrected = false;
        made.duration = {};
        for (const Rank rank : program_.program.ranks.ids()) {
            progress.at(static_cast<double>(rank.value) / recorded_.ranks);
            const NewTimes its{rank, program_, times_, ownTime_};
            others(rank, its, made);
            followProgram(rank);
            locations(rank, its, made);
            for (const std::size_t i : markersOf_[rank]) {
                traces::Marker& marker = made.markers[i];
                marker.begin = its.last(marker.begin);
                marker.end = std::max(marker.begin, its.last(marker.end));
            }
        }
        // Collectives on streams do not move with the program of their rank.
        std::erase_if(made.markers, [](const traces::Marker& one) { return one.group == traces::awaitedGroup; });
        std::ranges::stable_sort(made.markers, {}, &traces::Marker::begin);
        for (std::size_t i = 0; i < made.locations.size(); ++i)
            if (made.locations[i].rank == traces::noRank) made.states[i] = {};
        const traces::Messages& m = recorded_.messages;
        made.messages = {m.from,
                         m.to,
                         m.communicator,
                         m.tag,
                         m.bytes,
                         std::move(messages_.sendBegin),
                         std::move(messages_.sendEnd),
                         std::move(messages_.receiveBegin),
                         std::move(messages_.receiveEnd),
                         std::move(flags_)};
        made.halves = std::move(halves_);
        made.collectives = {recorded_.collectives.instances, std::move(participants_)};
        return made;
    }

private:
    /// What the program does not have: halves, unfinished collectives, collectives that not all came to.
    void others(Rank rank, const NewTimes& its, Recording& made) {
        for (const std::size_t i : halvesOf_[rank]) {
            traces::Half& half = halves_[i];
            half.begin = its.first(half.begin);
            half.end = std::max(half.begin, its.first(half.end));
        }
        for (const std::size_t i : unfinishedOf_[rank]) made.unfinished[i].begin = its.first(made.unfinished[i].begin);
        for (const std::size_t i : partsOf_[rank]) {
            traces::Participant& part = participants_[i];
            part.begin = its.first(part.begin);
            part.end = std::max(part.begin, its.first(part.end));
        }
    }

    /// What is awaited in another call than it was posted in does not block, also where it did when it was recorded.
    void followProgram(Rank rank) {
        onStreams_.clear();
        const Operations& doings = program_.program.ranks[rank];
        const std::vector<Picoseconds>& begun = program_.begun[rank];
        for (std::size_t at = 0; at < doings.size(); ++at) {
            const auto number = engine::asSize(doings.number(at));
            const Does what = doings.what(at);
            const bool isPart = what == Does::enters || what == Does::starts || what == Does::ends;
            if (isPart && program_.collectives[number].isSynchronisation()) continue;  // its calls say all
            switch (what) {
                case Does::sends:
                    messages_.sendBegin[number] = messages_.sendEnd[number] = times_.begin(rank, at);
                    sendPosted_[number] = begun[at];
                    break;
                case Does::awaitsSend:
                    messages_.sendEnd[number] = times_.end(rank, at);
                    if (begun[at] > sendPosted_[number]) flags_[number] |= traces::flag::sendNonBlocking;
                    break;
                case Does::receives:
                    messages_.receiveBegin[number] = times_.begin(rank, at);
                    receivePosted_[number] = begun[at];
                    break;
                case Does::awaitsReceive:
                    messages_.receiveEnd[number] = times_.end(rank, at);
                    if (begun[at] > receivePosted_[number]) flags_[number] |= traces::flag::receiveNonBlocking;
                    break;
                case Does::enters:
                    part(rank, number).begin = times_.begin(rank, at);
                    part(rank, number).end = times_.end(rank, at + 1);
                    break;
                case Does::starts:
                    if (!program_.program.streams.empty()) {
                        const traces::TimeSpan span = times_.onStream(rank, doings.number(at));
                        const traces::Participant& before =
                            recorded_.collectives
                                .participants[engine::asSize(&part(rank, number) - participants_.data())];
                        onStreams_.push_back({{before.begin, before.end}, span});
                        part(rank, number).begin = span.begin;
                        part(rank, number).end = span.end;
                        break;
                    }
                    part(rank, number).begin = times_.begin(rank, at);
                    part(rank, number).nonBlocking = true;
                    break;
                case Does::ends:
                    if (program_.program.streams.empty()) part(rank, number).end = times_.end(rank, at + 1);
                    break;
                case Does::computes:
                case Does::lingers:
                case Does::reaches:
                case Does::passes: break;
            }
        }
        std::ranges::sort(onStreams_, {}, [](const OnStream& one) { return one.recorded.begin; });
    }

    /// Of the collective with this number in the program; who takes part rises by rank.
    traces::Participant& part(Rank rank, std::size_t number) {
        const traces::Collective& instance = recorded_.collectives.instances[program_.collectives[number].instance];
        const auto its = std::span{participants_}.subspan(instance.first, instance.count);
        return *std::ranges::lower_bound(its, rank, {}, &traces::Participant::rank);
    }

    void locations(Rank rank, const NewTimes& its, Recording& made) const {
        for (const std::size_t i : locationsOf_[rank]) {
            traces::Location& location = made.locations[i];
            location.first = its.first(location.first);
            location.last = its.last(location.last);
            made.duration = std::max(made.duration, location.last);
            made.states[i] = moved(recorded_.states[i], its);
        }
    }

    /// A collective on a stream, as recorded and as replayed.
    struct OnStream {
        traces::TimeSpan recorded, replayed;
    };

    /// What lies within a collective of a stream keeps its share of it; nothing where `call` is no such collective.
    [[nodiscard]] const OnStream* collectiveAt(const traces::States& states, std::size_t call) const {
        if (recorded_.regions[engine::asSize(states.region[call])].call != traces::Call::collective) return nullptr;
        auto its = std::ranges::lower_bound(onStreams_, states.begin[call], {},
                                            [](const OnStream& one) { return one.recorded.begin; });
        for (; its != onStreams_.end() && its->recorded.begin == states.begin[call]; ++its)
            if (its->recorded.end == states.end[call]) return &*its;
        return nullptr;
    }
    [[nodiscard]] static Picoseconds within(const OnStream& its, Picoseconds time) {
        const auto length = (its.recorded.end - its.recorded.begin).count();
        const auto passed = std::clamp(time, its.recorded.begin, its.recorded.end) - its.recorded.begin;
        if (length <= 0) return its.replayed.begin;
        const auto made = static_cast<__int128>((its.replayed.end - its.replayed.begin).count()) * passed.count();
        return its.replayed.begin + Picoseconds{static_cast<std::int64_t>(made / length)};
    }

    /// Calls nest and follow each other as they did.
    [[nodiscard]] traces::States moved(const traces::States& states, const NewTimes& its) const {
        std::vector<Picoseconds> begin(states.size()), end(states.size());
        std::vector<std::size_t> within;
        std::vector<const OnStream*> onStreamOf(states.size());
        Picoseconds latest{};
        const auto leave = [&] {
            const std::size_t i = within.back();
            within.pop_back();
            const bool call = recorded_.regions[engine::asSize(states.region[i])].call != traces::Call::none;
            const bool tookNoTime = states.begin[i] == states.end[i];
            if (const OnStream* beside = onStreamOf[i]; beside != nullptr) {
                end[i] = latest = std::max(latest, Replaced::within(*beside, states.end[i]));
                return;
            }
            end[i] = latest = std::max(latest, call && tookNoTime ? its.last(states.end[i]) : its.first(states.end[i]));
        };
        for (std::size_t i = 0; i < states.size(); ++i) {
            while (!within.empty() && states.depth[within.back()] >= states.depth[i]) leave();
            if (!onStreams_.empty()) {
                onStreamOf[i] = collectiveAt(states, i);
                if (onStreamOf[i] == nullptr && !within.empty()) onStreamOf[i] = onStreamOf[within.back()];
            }
            begin[i] = latest =
                std::max(latest, onStreamOf[i] != nullptr ? Replaced::within(*onStreamOf[i], states.begin[i])
                                                          : its.first(states.begin[i]));
            within.push_back(i);
        }
        while (!within.empty()) leave();
        return {std::move(begin), std::move(end), states.region, states.depth, states.open};
    }

    const Recording& recorded_;
    const RecordedProgram& program_;
    const ReplayTimes& times_;
    const ComputationOf& ownTime_;
    MessageTimes messages_;
    std::vector<traces::MessageFlags> flags_;              // by message
    std::vector<Picoseconds> sendPosted_, receivePosted_;  // likewise, in the recording
    std::vector<traces::Half> halves_;
    std::vector<traces::Participant> participants_;
    std::vector<OnStream> onStreams_;  // of the rank, by their begins
    engine::ById<Rank, std::vector<std::size_t>> halvesOf_, unfinishedOf_, partsOf_, locationsOf_,
        markersOf_;  // indices
};

}  // namespace

void ReplayTimes::did(Rank rank, std::size_t at, Picoseconds begin, Picoseconds end) {
    OfRank& its = ranks_[rank.index()];
    ENSURE(at == its.ends.size(), "a rank does one thing after the other");
    if (at == 0) its.start = begin;
    its.ends.push_back(end);
}

void ReplayTimes::ran(Rank rank, std::int64_t collective, Picoseconds begin, Picoseconds end) {
    ranks_[rank.index()].onStreams[collective] = {begin, end};
}

traces::TimeSpan ReplayTimes::onStream(Rank rank, std::int64_t collective) const {
    return ranks_[rank.index()].onStreams.at(collective);
}

Picoseconds ReplayTimes::begin(Rank rank, std::size_t at) const {
    const OfRank& its = ranks_[rank.index()];
    return at == 0 ? its.start : its.ends[at - 1];
}

Recording replayedRecording(const Recording& recorded, const RecordedProgram& program, const ReplayTimes& times,
                            const ComputationOf& ownTime, const engine::Progress& progress) {
    return Replaced{recorded, program, times, ownTime}.make(progress);
}

}  // namespace app::analysis
