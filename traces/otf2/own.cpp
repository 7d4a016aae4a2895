// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/own.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/otf2/halves.hpp"
#include "traces/otf2/vocabulary.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

namespace traces::otf2 {

using engine::Picoseconds;
using engine::Range;
using engine::Rank;
using engine::Round;
using engine::Run;
using engine::Stage;
using engine::StageSpan;
using engine::text;

namespace {

using Properties = std::map<std::string, std::string>;

constexpr std::int64_t mostRounds = 100'000'000;  // a damaged number must not ask for all memory

/// Whole numbers with any single characters between them: "0 4,4 3" or "0-10,30-40". Empty when it is something else.
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
    Facts(const Source& source, const Properties& properties) : source_{source}, properties_{properties} {}

    /// Long values, which lie with the machine in pieces.
    void add(const Definitions& definitions) {
        for (const MachineProperty& property : definitions.machineProperties) {
            const auto name = definitions.strings.find(property.name);
            const auto value = definitions.strings.find(property.value);
            if (name == definitions.strings.end() || value == definitions.strings.end())
                source_.damaged("a property of its machine has no name or no value");
            properties_[name->second.substr(0, name->second.find(pieceMark))] += value->second;
        }
    }

    [[nodiscard]] std::string words(const std::string& name) const {
        const auto entry = properties_.find(name);
        return entry == properties_.end() ? std::string{} : entry->second;
    }
    /// Groups of `width` numbers.
    [[nodiscard]] std::vector<std::int64_t> numbers(const std::string& name, std::size_t width) const {
        const std::string value = words(name);
        std::vector<std::int64_t> numbers = numbersIn(value);
        if ((numbers.empty() && !value.empty()) || numbers.size() % width != 0) complain(name);
        return numbers;
    }
    /// One number within [0, most]; 0 when the property is not there.
    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t most = largest) const {
        const std::vector<std::int64_t> values = numbers(name, 1);
        if (values.empty()) return 0;
        if (values.size() > 1 || values.front() < 0 || values.front() > most) complain(name);
        return values.front();
    }
    [[noreturn]] void complain(const std::string& name) const {
        source_.damaged(text("its property ", name, " is '", words(name).substr(0, 40), "'"));
    }

private:
    const Source& source_;
    Properties properties_;
};

/// What is attached to the event of a message.
struct Attached {
    std::int64_t round = 0;
    std::int64_t portTime = 0;
    std::int64_t place = 0;
    std::optional<std::int64_t> begin;
    std::int64_t end = 0;
    std::optional<OTF2_StringRef> ranges;
};

/// Gathers the events of all ranks, one rank after the other.
class Gathering {
public:
    Gathering(const Source& source, const Definitions& definitions, std::int32_t ranks, std::int64_t rounds,
              std::size_t stages)
        : source_{source}, definitions_{definitions}, ranks_{ranks}, rounds_{rounds}, open_(stages) {}

    void begin(std::int32_t rank) {
        rank_ = rank;
        std::fill(open_.begin(), open_.end(), std::size_t{0});
    }
    void finishRank() const {
        if (std::any_of(open_.begin(), open_.end(), [](std::size_t span) { return span != 0; }))
            source_.damaged(text("rank ", rank_, " never leaves a stage"));
    }

    static OTF2_CallbackCode onEnter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* self,
                                     OTF2_AttributeList*, OTF2_RegionRef region) {
        return with(self, [&](Gathering& all) { all.enter(time, region); });
    }
    static OTF2_CallbackCode onLeave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* self,
                                     OTF2_AttributeList*, OTF2_RegionRef region) {
        return with(self, [&](Gathering& all) { all.leave(time, region); });
    }
    static OTF2_CallbackCode onSend(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* self,
                                    OTF2_AttributeList* list, std::uint32_t peer, OTF2_CommRef, std::uint32_t,
                                    std::uint64_t bytes) {
        return with(self, [&](Gathering& all) { all.send(time, peer, bytes, list); });
    }
    static OTF2_CallbackCode onReceive(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* self,
                                       OTF2_AttributeList* list, std::uint32_t peer, OTF2_CommRef, std::uint32_t,
                                       std::uint64_t bytes) {
        return with(self, [&](Gathering& all) { all.receive(time, peer, bytes, list); });
    }

    std::vector<Half> sends;
    std::vector<Half> receives;
    std::vector<StageSpan> spans;
    std::exception_ptr failure;

    /// What the send at `index` carried.
    [[nodiscard]] std::span<const Range> what(std::size_t index) const {
        const std::size_t end = index + 1 < whatStart_.size() ? whatStart_[index + 1] : what_.size();
        return std::span{what_}.subspan(whatStart_[index], end - whatStart_[index]);
    }

private:
    template <class Body>
    static OTF2_CallbackCode with(void* self, Body body) {
        auto& gathering = *static_cast<Gathering*>(self);
        return guarded(gathering.failure, [&] { body(gathering); });
    }

    [[nodiscard]] std::int64_t within(std::uint64_t number) const {
        if (number > static_cast<std::uint64_t>(largest))
            source_.damaged(text("rank ", rank_, " has the number ", number));
        return static_cast<std::int64_t>(number);
    }

    void enter(OTF2_TimeStamp time, OTF2_RegionRef region) {
        if (region >= open_.size() || open_[region] != 0)
            source_.damaged(text("rank ", rank_, " enters a stage it cannot"));
        const Picoseconds at{within(time)};
        spans.push_back({Rank{rank_}, static_cast<std::int32_t>(region), at, at});
        open_[region] = spans.size();
    }

    void leave(OTF2_TimeStamp time, OTF2_RegionRef region) {
        if (region >= open_.size() || open_[region] == 0)
            source_.damaged(text("rank ", rank_, " leaves a stage it is not in"));
        spans[open_[region] - 1].end = Picoseconds{within(time)};
        open_[region] = 0;
    }

    void send(OTF2_TimeStamp time, std::uint32_t peer, std::uint64_t bytes, const OTF2_AttributeList* list) {
        const Attached attached = attachedTo(list);
        Half half = halfOf(peer, bytes, attached);
        half.begin = within(time);
        half.end = half.begin + attached.portTime;
        sends.push_back(half);
        whatStart_.push_back(what_.size());
        if (attached.begin) what_.push_back({*attached.begin, attached.end});
        if (attached.ranges) addRanges(*attached.ranges);
    }

    void receive(OTF2_TimeStamp time, std::uint32_t peer, std::uint64_t bytes, const OTF2_AttributeList* list) {
        const Attached attached = attachedTo(list);
        Half half = halfOf(peer, bytes, attached);
        half.end = within(time);
        half.begin = half.end - attached.portTime;
        receives.push_back(half);
    }

    [[nodiscard]] Half halfOf(std::uint32_t peer, std::uint64_t bytes, const Attached& attached) const {
        if (peer >= static_cast<std::uint32_t>(ranks_) || attached.round >= rounds_)
            source_.damaged(text("rank ", rank_, " has a message with rank ", peer, " in round ", attached.round));
        return {.self = rank_,
                .peer = static_cast<std::int32_t>(peer),
                .place = static_cast<std::uint32_t>(attached.place),
                .tag = attached.round,
                .bytes = within(bytes)};
    }

    [[nodiscard]] Attached attachedTo(const OTF2_AttributeList* list) const {
        Attached attached;
        const std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(list);
        for (std::uint32_t i = 0; i < count; ++i) {
            OTF2_AttributeRef id = 0;
            OTF2_Type type = OTF2_TYPE_NONE;
            OTF2_AttributeValue value;
            check(OTF2_AttributeList_GetAttributeByIndex(list, i, &id, &type, &value), "read " + source_.name());
            switch (id) {
                case attributeRound:
                    attached.round = within(value.uint64);
                    break;
                case attributePortTime:
                    attached.portTime = within(value.uint64);
                    break;
                case attributePlace:
                    attached.place = within(value.uint64);
                    break;
                case attributeBegin:
                    attached.begin = within(value.uint64);
                    break;
                case attributeEnd:
                    attached.end = within(value.uint64);
                    break;
                case attributeRanges:
                    attached.ranges = value.stringRef;
                    break;
                default:
                    break;
            }
        }
        return attached;
    }

    void addRanges(OTF2_StringRef id) {
        const auto words = definitions_.strings.find(id);
        const std::vector<std::int64_t> ends = numbersIn(words == definitions_.strings.end() ? "" : words->second);
        if (ends.empty() || ends.size() % 2 != 0) source_.damaged(text("rank ", rank_, " sent ranges that are none"));
        for (std::size_t i = 0; i < ends.size(); i += 2) what_.push_back({ends[i], ends[i + 1]});
    }

    const Source& source_;
    const Definitions& definitions_;
    std::int32_t ranks_;
    std::int64_t rounds_;
    std::int32_t rank_ = 0;
    std::vector<std::size_t> open_;  ///< per stage: index of the span the rank is in + 1; 0 = none
    std::vector<std::size_t> whatStart_;
    std::vector<Range> what_;
};

std::vector<Stage> stagesOf(const Source& source, const Facts& facts, const Definitions& definitions) {
    const std::vector<std::int64_t> numbers = facts.numbers(property::stages, 2);
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        const auto region = definitions.regions.find(static_cast<OTF2_RegionRef>(i / 2));
        const auto name = region == definitions.regions.end() ? definitions.strings.end()
                                                              : definitions.strings.find(region->second.name);
        if (name == definitions.strings.end()) source.damaged(text("stage ", i / 2, " has no name"));
        stages.push_back({name->second, Round{numbers[i]}, numbers[i + 1]});
    }
    return stages;
}

/// Tells a RunBuilder all messages, in the order a Run keeps them.
Run assemble(const Source& source, const Gathering& all, std::int32_t ranks, std::int64_t rounds,
             std::vector<Stage> stages) {
    const std::vector<std::size_t> partner = match(all.sends, all.receives, ranks);
    const auto lonely = std::count(partner.begin(), partner.end(), alone);
    if (lonely != 0 || all.sends.size() != all.receives.size())
        source.damaged(text(all.sends.size(), " sends and ", all.receives.size(), " receives do not belong together"));
    std::vector<std::size_t> order(all.sends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Half &x = all.sends[a], &y = all.sends[b];
        return std::tuple{x.tag, x.self, x.place} < std::tuple{y.tag, y.self, y.place};
    });
    engine::RunBuilder builder{ranks, rounds, std::move(stages), std::numeric_limits<std::int64_t>::max()};
    for (const std::size_t i : order) {
        const Half& send = all.sends[i];
        const Half& receive = all.receives[partner[i]];
        builder.message({Rank{send.self}, Rank{send.peer}, Round{send.tag}, send.bytes, Picoseconds{send.begin},
                         Picoseconds{send.end}, Picoseconds{receive.begin}, Picoseconds{receive.end}},
                        all.what(i));
    }
    return builder.finish();
}

std::vector<std::string> remarksOf(const Facts& facts) {
    std::vector<std::string> remarks;
    for (std::string next; !(next = facts.words(property::remark + std::to_string(remarks.size()))).empty();)
        remarks.push_back(next);
    return remarks;
}

/// Times of ranks are kept as properties of their locations.
void readRankTimes(const Source& source, const Definitions& definitions, Run& run) {
    for (const LocationProperty& property : definitions.locationProperties) {
        const auto name = definitions.strings.find(property.name);
        if (name == definitions.strings.end() || property.location >= run.perRank.size())
            source.damaged("a property of a rank has no name or no rank");
        engine::RankTimes& times = run.perRank[property.location];
        if (name->second == busyTime) times.busy = Picoseconds{property.value};
        if (name->second == waitTime) times.wait = Picoseconds{property.value};
        if (name->second == idleTime) times.idle = Picoseconds{property.value};
    }
}

/// Numbers that count the messages that were not kept, too.
void readSummaries(const Facts& facts, Run& run) {
    run.droppedMessages = facts.number(property::dropped);
    if (run.droppedMessages == 0) return;
    run.messageCount = facts.number(property::messages);
    run.byteCount = facts.number(property::bytes);
    const std::vector<std::int64_t> numbers = facts.numbers(property::perRound, 5);
    if (numbers.size() != run.perRound.size() * 5) facts.complain(property::perRound);
    for (std::size_t i = 0; i < run.perRound.size(); ++i) {
        const std::int64_t* n = numbers.data() + 5 * i;
        run.perRound[i] = {Picoseconds{n[0]}, Picoseconds{n[1]}, n[2], n[3], n[4]};
    }
}

}  // namespace

bool isOwn(const Properties& properties) { return properties.contains(property::format); }

Run readOwn(Source& source, const Properties& properties, const engine::Progress& progress) {
    Facts facts{source, properties};
    if (const std::int64_t written = facts.number(property::format); written != format)
        throw engine::Error{text(source.name(), " is an archive of format ", written, "; this program reads format ",
                                 format, ": read it with the program that wrote it")};
    const Definitions definitions = source.definitions();
    facts.add(definitions);
    if (definitions.ticksPerSecond != ticksPerSecond) source.damaged("its clock does not count picoseconds");
    const auto ranks = static_cast<std::int32_t>(definitions.locations.size());
    const std::int64_t rounds = facts.number(property::rounds, mostRounds);
    std::vector<Stage> stages = stagesOf(source, facts, definitions);
    Gathering all{source, definitions, ranks, rounds, stages.size()};
    if (ranks > 0) source.select(definitions.locations);

    const EventCallbacks callbacks{OTF2_EvtReaderCallbacks_New()};
    const std::string doing = "read the archive " + source.name();
    check(OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks.get(), Gathering::onEnter), doing);
    check(OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks.get(), Gathering::onLeave), doing);
    check(OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks.get(), Gathering::onSend), doing);
    check(OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks.get(), Gathering::onReceive), doing);
    std::uint64_t events = 0;
    for (const Location& location : definitions.locations) events += location.events;
    source.expect(events);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const Location& location = definitions.locations[static_cast<std::size_t>(rank)];
        if (location.id != static_cast<OTF2_LocationRef>(rank)) source.damaged("its ranks are not in order");
        all.begin(rank);
        source.events(location, callbacks, &all, all.failure, progress);
        all.finishRank();
    }

    Run run = assemble(source, all, ranks, rounds, std::move(stages));
    for (const auto& [name, word] : settingWords) run.setting.*word = facts.words(name);
    run.groupA = static_cast<std::int32_t>(facts.number(property::groupA, ranks));
    run.groupB = static_cast<std::int32_t>(facts.number(property::groupB, ranks));
    run.duration = Picoseconds{facts.number(property::duration)};
    run.spans = std::move(all.spans);
    std::stable_sort(run.spans.begin(), run.spans.end(), [](const StageSpan& a, const StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    run.remarks = remarksOf(facts);
    readRankTimes(source, definitions, run);
    readSummaries(facts, run);
    return run;
}

}  // namespace traces::otf2
