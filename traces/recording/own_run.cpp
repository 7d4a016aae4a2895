// SPDX-License-Identifier: BSD-3-Clause
// The run that Collscope wrote: its properties, stages, messages with their rounds and contents.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

namespace traces {

using engine::LocalWork;
using engine::RankTimes;
using engine::Round;
using engine::Run;
using engine::Stage;
using engine::StageSpan;
using engine::text;

namespace {

constexpr std::int64_t mostRounds = 16'000'000;  // a damaged number must not ask for all memory

/// `how` may quote what lies in the archive: its control characters would break the sentence.
[[noreturn]] void damaged(const Recording& recording, std::string how) {
    for (char& c : how)
        if (static_cast<unsigned char>(c) < 0x20) c = '?';
    throw engine::Error{
        text("cannot read the archive ", recording.name, ": ", how, "; the archive must be whole and undamaged")};
}

/// Whole numbers with any single characters between them: "0 4,4 3". Empty when it is something else.
std::vector<std::int64_t> numbersIn(std::string_view words) {
    std::vector<std::int64_t> numbers;
    const char* at = words.data();
    for (const char* const end = at + words.size(); at < end; ++at) {
        const auto [next, failed] = std::from_chars(at, end, numbers.emplace_back());
        if (failed != std::errc{}) return {};
        at = next;
    }
    return numbers;
}

/// The properties of one of our archives, as values.
class Facts {
public:
    explicit Facts(const Recording& recording) : recording_{recording} {}

    [[nodiscard]] std::string words(const std::string& name) const {
        const auto entry = recording_.properties.find(name);
        return entry == recording_.properties.end() ? std::string{} : entry->second;
    }
    /// Groups of `width` numbers.
    [[nodiscard]] std::vector<std::int64_t> numbers(const std::string& name, std::size_t width) const {
        const std::string value = words(name);
        std::vector<std::int64_t> numbers = numbersIn(value);
        if ((numbers.empty() && !value.empty()) || numbers.size() % width != 0) complain(name);
        return numbers;
    }
    /// One number within [0, most]; 0 when the property is not there.
    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t most = own::largest) const {
        const std::vector<std::int64_t> values = numbers(name, 1);
        if (values.empty()) return 0;
        if (values.size() > 1 || values.front() < 0 || values.front() > most) complain(name);
        return values.front();
    }
    [[noreturn]] void complain(const std::string& name) const {
        damaged(recording_, text("its property ", name, " is '", words(name).substr(0, 40), "'"));
    }

private:
    const Recording& recording_;
};

/// What reading could only remark upon must not be there in an archive of ours.
void requireWhole(const Recording& recording) {
    for (const NotRecorded& absence : recording.absences)
        if (absence.what == Absence::file) damaged(recording, absence.words);
    if (!recording.remarks.empty()) damaged(recording, recording.remarks.front());
    if (!recording.own && !recording.messages.from.empty()) damaged(recording, "its messages have no rounds");
    if (!recording.halves.empty())
        damaged(recording, text(recording.halves.size(), " sends or receives do not belong together"));
    if (recording.clock.ticksPerSecond != own::ticksPerSecond)
        damaged(recording, "its clock does not count picoseconds");
    for (std::size_t i = 0; i < recording.locations.size(); ++i)
        if (recording.locations[i].id != i || recording.locations[i].rank.value != static_cast<std::int32_t>(i))
            damaged(recording, "its ranks are not in order");
}

/// Sums of times and bytes must be numbers; those of a run are.
void requireSums(const Recording& recording) {
    const Messages& messages = recording.messages;
    std::vector<__int128> busy(engine::asSize(recording.ranks));
    __int128 bytes = 0, most = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        bytes += messages.bytes[i];
        for (const auto& [rank, begin, end] :
             {std::tuple{messages.from[i], messages.sendBegin[i], messages.sendEnd[i]},
              std::tuple{messages.to[i], messages.receiveBegin[i], messages.receiveEnd[i]}})
            most = std::max(most, busy[rank.index()] += (end - begin).count());
    }
    if (bytes > own::largest || most > own::largest) damaged(recording, "its messages have impossible sizes or times");
}

std::vector<Stage> stagesOf(const Recording& recording, const Facts& facts) {
    const std::vector<std::int64_t> numbers = facts.numbers(own::property::stages, 2);
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        if (i / 2 >= recording.regions.size()) damaged(recording, text("stage ", i / 2, " has no name"));
        stages.push_back({recording.regions[i / 2].name, Round{numbers[i]}, numbers[i + 1]});
    }
    return stages;
}

/// Tells a RunBuilder all messages, in the order a Run keeps them, and when ranks combined and computed.
Run messagesOf(const Recording& recording, std::int64_t rounds, std::vector<Stage> stages,
               std::span<const LocalWork> combining, std::span<const LocalWork> computing) {
    const Messages& messages = recording.messages;
    const OwnColumns columns = recording.own.value_or(OwnColumns{});
    for (const std::int64_t round : columns.round)
        if (round < 0 || round >= rounds) damaged(recording, text("a message lies in round ", round));
    std::vector<std::size_t> order(messages.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple{columns.round[a], messages.from[a], columns.place[a]} <
               std::tuple{columns.round[b], messages.from[b], columns.place[b]};
    });
    engine::RunBuilder builder{recording.ranks, rounds, std::move(stages), std::numeric_limits<std::int64_t>::max()};
    for (const std::size_t i : order) {
        const std::size_t first = columns.whatStart[i];
        builder.message({messages.from[i], messages.to[i], Round{columns.round[i]}, messages.bytes[i],
                         messages.sendBegin[i], messages.sendEnd[i], messages.receiveBegin[i], messages.receiveEnd[i]},
                        columns.what.span().subspan(first, columns.whatStart[i + 1] - first));
    }
    for (const LocalWork& its : combining) builder.combined(its);
    for (const LocalWork& its : computing) builder.computed(its);
    return builder.finish();
}

/// When ranks were in stages, when they combined what they had received, and when they computed.
struct Regions {
    std::vector<StageSpan> spans;
    std::vector<LocalWork> combining;
    std::vector<LocalWork> computing;
};

Regions regionsOf(const Recording& recording, std::size_t stages) {
    Regions found;
    const bool combines = recording.regions.size() > stages && recording.regions[stages].name == own::combining;
    for (std::size_t i = 0; i < recording.states.size(); ++i) {
        const States& states = recording.states[i];
        const Rank rank{static_cast<std::int32_t>(i)};
        if (!states.open.empty()) damaged(recording, text("rank ", rank, " never leaves a stage"));
        for (std::size_t s = 0; s < states.size(); ++s) {
            if (combines && states.region[s] == static_cast<std::int32_t>(stages)) {
                found.combining.push_back({rank, states.begin[s], states.end[s]});
                continue;
            }
            if (states.region[s] < 0 || engine::asSize(states.region[s]) >= stages)
                damaged(recording, text("rank ", rank, " enters a stage it cannot"));
            found.spans.push_back({rank, states.region[s], states.begin[s], states.end[s]});
            if (recording.regions[engine::asSize(states.region[s])].name == engine::computingStage)
                found.computing.push_back({rank, states.begin[s], states.end[s]});
        }
    }
    std::sort(found.combining.begin(), found.combining.end());
    std::stable_sort(found.spans.begin(), found.spans.end(), [](const StageSpan& a, const StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    return found;
}

std::vector<std::string> remarksOf(const Facts& facts) {
    std::vector<std::string> remarks;
    for (std::string next; !(next = facts.words(own::property::remark + std::to_string(remarks.size()))).empty();)
        remarks.push_back(next);
    return remarks;
}

/// A time of a rank, which is kept as a property of its location; nothing where it has none.
std::optional<Picoseconds> timeOf(const Recording& recording, std::size_t rank, const char* name) {
    if (rank >= recording.locations.size()) return std::nullopt;
    const auto entry = recording.locations[rank].properties.find(name);
    if (entry == recording.locations[rank].properties.end()) return std::nullopt;
    const std::vector<std::int64_t> numbers = numbersIn(entry->second);
    if (numbers.size() != 1 || numbers.front() < 0 || numbers.front() > own::largest)
        damaged(recording, text("property ", name, " of rank ", rank, " is '", entry->second.substr(0, 40), "'"));
    return Picoseconds{numbers.front()};
}

void readRankTimes(const Recording& recording, Run& run) {
    for (std::size_t rank = 0; rank < run.perRank.size(); ++rank) {
        RankTimes& times = run.perRank[rank];
        times.busy = timeOf(recording, rank, own::busyTime).value_or(times.busy);
        times.noCommunication = timeOf(recording, rank, own::waitTime).value_or(times.noCommunication);
        times.finishedEarly = timeOf(recording, rank, own::idleTime).value_or(times.finishedEarly);
        const auto entered = timeOf(recording, rank, own::enteredAt);
        if (!entered) continue;
        run.entered.resize(run.perRank.size());
        run.entered[rank] = *entered;
    }
}

/// Numbers that count the messages that were not kept, too.
void readSummaries(const Facts& facts, Run& run) {
    run.droppedMessages = facts.number(own::property::dropped);
    if (run.droppedMessages == 0) return;
    run.messageCount = facts.number(own::property::messages);
    run.byteCount = facts.number(own::property::bytes);
    const std::vector<std::int64_t> numbers = facts.numbers(own::property::perRound, 5);
    if (numbers.size() != run.perRound.size() * 5) facts.complain(own::property::perRound);
    for (std::size_t i = 0; i < run.perRound.size(); ++i) {
        const std::int64_t* n = numbers.data() + 5 * i;
        run.perRound[i] = {Picoseconds{n[0]}, Picoseconds{n[1]}, n[2], n[3], n[4]};
    }
}

}  // namespace

bool isOwn(const Recording& recording) { return recording.properties.contains(own::property::format); }

Run ownRunOf(const Recording& recording) {
    const Facts facts{recording};
    if (const std::int64_t written = facts.number(own::property::format); written != own::format)
        throw engine::Error{text(recording.name, " is an archive of format ", written, "; this program reads format ",
                                 own::format, ": read it with the program that wrote it")};
    requireWhole(recording);
    requireSums(recording);
    const std::int64_t rounds = facts.number(own::property::rounds, mostRounds);
    std::vector<Stage> stages = stagesOf(recording, facts);
    Regions regions = regionsOf(recording, stages.size());
    Run run = messagesOf(recording, rounds, std::move(stages), regions.combining, regions.computing);
    run.spans = std::move(regions.spans);
    for (const auto& [name, word] : own::settingWords) run.setting.*word = facts.words(name);
    run.groupA = static_cast<std::int32_t>(facts.number(own::property::groupA, recording.ranks));
    run.groupB = static_cast<std::int32_t>(facts.number(own::property::groupB, recording.ranks));
    run.duration = Picoseconds{facts.number(own::property::duration)};
    run.remarks = remarksOf(facts);
    readRankTimes(recording, run);
    readSummaries(facts, run);
    return run;
}

}  // namespace traces
