// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/otf2/definition_writer.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/otf2/rank_events.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/staging.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace traces {
namespace otf2 {

using namespace own;

namespace {

using engine::Range;
using engine::Run;
using engine::text;

/// The longest definition must fit into one chunk: a group lists every rank with up to ten bytes.
constexpr std::int64_t mostRanks = OTF2_CHUNK_SIZE_MAX / 11;

/// No larger than needed, since every rank's files take a chunk in turn.
std::uint64_t definitionChunk(const Run& run) {
    constexpr std::uint64_t rangeWords = 40;  // two numbers of up to 19 digits, '-' and ','
    std::uint64_t needed = static_cast<std::uint64_t>(run.ranks) * 11;
    for (std::size_t i = 0; i < run.messages.size(); ++i)
        needed = std::max<std::uint64_t>(needed, run.messages.what(i).size() * rangeWords);
    return std::clamp<std::uint64_t>(needed + 4096, OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_MAX);
}

std::string shownRanges(std::span<const Range> ranges) {
    std::string words;
    for (const Range range : ranges) words += text(words.empty() ? "" : ",", range.begin, "-", range.end);
    return words;
}

/// The sentence about messages that a run counts but did not keep.
std::string missing(const Run& run) {
    return text(run.droppedMessages, " of ", run.messageCount, " messages are missing: they were counted, not kept");
}

class RunWriter {
public:
    /// `target`: what complaints call it.
    RunWriter(const Run& run, const std::filesystem::path& place, const std::string& name,
              const std::filesystem::path& target)
        : run_{run}, doing_{text("write the archive ", target.string())}, destination_{place, doing_} {
        archive_ = beginArchive(destination_, name, definitionChunk(run), creator);
    }

    void write(const engine::Progress& progress) {
        properties();
        DefinitionWriter definitions{archive_.get(), doing_};
        const std::vector<std::uint64_t> counts = events(definitions, progress);
        localDefinitions(progress);
        definitions.write(run_, counts);
        for (const auto& [name, value] : longProperties_) definitions.property(name, value);
        check(OTF2_Archive_Close(archive_.release()), doing_);
    }

private:
    void property(const std::string& name, const std::string& value) {
        if (value.empty()) return;  // what OTF2 takes for removing it
        if (value.size() > longestProperty) {
            longProperties_.emplace_back(name, value);
            return;
        }
        check(OTF2_Archive_SetProperty(archive_.get(), name.c_str(), value.c_str(), false), doing_);
    }
    void property(const std::string& name, std::int64_t value) { property(name, std::to_string(value)); }

    void properties() {
        property(property::format, format);
        for (const auto& [name, word] : settingWords) property(name, run_.setting.*word);
        if (run_.groupA != 0) property(property::groupA, run_.groupA);
        if (run_.groupB != 0) property(property::groupB, run_.groupB);
        property(property::rounds, run_.rounds);
        property(property::duration, run_.duration.count());
        std::string stages;
        for (const engine::Stage& stage : run_.stages)
            stages += text(stages.empty() ? "" : ",", stage.first, " ", stage.rounds);
        property(property::stages, stages);
        for (std::size_t i = 0; i < run_.remarks.size(); ++i)
            property(property::remark + std::to_string(i), run_.remarks[i]);
        if (run_.droppedMessages != 0) summaries();
    }

    /// What kept messages alone cannot tell.
    void summaries() {
        const std::string remark = missing(run_);
        if (std::find(run_.remarks.begin(), run_.remarks.end(), remark) == run_.remarks.end())
            property(property::remark + std::to_string(run_.remarks.size()), remark);
        property(property::dropped, run_.droppedMessages);
        property(property::messages, run_.messageCount);
        property(property::bytes, run_.byteCount);
        std::string rounds;
        for (const engine::RoundTimes& round : run_.perRound)
            rounds += text(rounds.empty() ? "" : ",", round.begin.count(), " ", round.end.count(), " ", round.messages,
                           " ", round.bytes, " ", round.largest);
        property(property::perRound, rounds);
    }

    /// Rank after rank, so that only one of them needs memory; returns how many events each has.
    std::vector<std::uint64_t> events(DefinitionWriter& definitions, const engine::Progress& progress) {
        RankEvents ranks{run_};
        const Attributes attributes{OTF2_AttributeList_New()};
        std::vector<std::uint64_t> counts(engine::asSize(run_.ranks));
        check(OTF2_Archive_OpenEvtFiles(archive_.get()), doing_);
        for (std::int32_t rank = 0; rank < run_.ranks; ++rank) {
            progress.at(0.9 * rank / run_.ranks);
            OTF2_EvtWriter* writer =
                checked(OTF2_Archive_GetEvtWriter(archive_.get(), static_cast<OTF2_LocationRef>(rank)), doing_);
            const std::span<const Event> events = ranks.of(rank);
            for (const Event& event : events) {
                if (event.kind == EventKind::send || event.kind == EventKind::receive)
                    describe(event, ranks, definitions, attributes.get());
                check(record(event, writer, attributes.get()), doing_);
            }
            counts[engine::asSize(rank)] = events.size();
            check(OTF2_Archive_CloseEvtWriter(archive_.get(), writer), doing_);
        }
        check(OTF2_Archive_CloseEvtFiles(archive_.get()), doing_);
        return counts;
    }

    void describe(const Event& event, const RankEvents& ranks, DefinitionWriter& definitions,
                  OTF2_AttributeList* list) {
        const auto add = [&](Attribute attribute, std::int64_t value) {
            check(OTF2_AttributeList_AddUint64(list, attribute, static_cast<std::uint64_t>(value)), doing_);
        };
        const std::size_t i = event.index;
        const engine::MessageRecord message = run_.messages[i];
        const bool sends = event.kind == EventKind::send;
        add(attributeRound, message.round.value);
        add(attributePortTime,
            (sends ? message.sendEnd - message.sendBegin : message.receiveEnd - message.receiveBegin).count());
        if (sends ? ranks.sendNeedsPlace(i) : ranks.receiveNeedsPlace(i))
            add(attributePlace, static_cast<std::int64_t>(ranks.place(i)));
        const std::span<const Range> what = run_.messages.what(i);
        if (!sends || what.empty()) return;
        if (what.size() == 1) {
            add(attributeBegin, what.front().begin);
            add(attributeEnd, what.front().end);
        } else {
            check(OTF2_AttributeList_AddStringRef(list, attributeRanges, definitions.string(shownRanges(what))),
                  doing_);
        }
    }

    OTF2_ErrorCode record(const Event& event, OTF2_EvtWriter* writer, OTF2_AttributeList* list) const {
        const auto time = static_cast<OTF2_TimeStamp>(event.time.count());
        const auto region = static_cast<OTF2_RegionRef>(event.stage);
        if (event.kind == EventKind::enter) return OTF2_EvtWriter_Enter(writer, nullptr, time, region);
        if (event.kind == EventKind::leave) return OTF2_EvtWriter_Leave(writer, nullptr, time, region);
        const auto tag = static_cast<std::uint32_t>(run_.messages.round()[event.index].value & 0x7fffffff);
        const auto bytes = static_cast<std::uint64_t>(run_.messages.bytes()[event.index]);
        if (event.kind == EventKind::send)
            return OTF2_EvtWriter_MpiSend(
                writer, list, time, static_cast<std::uint32_t>(run_.messages.to()[event.index].value), 0, tag, bytes);
        return OTF2_EvtWriter_MpiRecv(
            writer, list, time, static_cast<std::uint32_t>(run_.messages.from()[event.index].value), 0, tag, bytes);
    }

    /// Empty ones: readers such as otf2-print complain where they are missing.
    void localDefinitions(const engine::Progress& progress) {
        check(OTF2_Archive_OpenDefFiles(archive_.get()), doing_);
        for (std::int32_t rank = 0; rank < run_.ranks; ++rank) {
            progress.at(0.9 + 0.1 * rank / run_.ranks);
            OTF2_DefWriter* writer =
                checked(OTF2_Archive_GetDefWriter(archive_.get(), static_cast<OTF2_LocationRef>(rank)), doing_);
            check(OTF2_Archive_CloseDefWriter(archive_.get(), writer), doing_);
        }
        check(OTF2_Archive_CloseDefFiles(archive_.get()), doing_);
    }

    const Run& run_;
    std::string doing_;
    Destination destination_;
    Archive archive_;
    std::vector<std::pair<std::string, std::string>> longProperties_;
};

}  // namespace
}  // namespace otf2

void write(const engine::Run& run, const std::filesystem::path& target, Overwrite overwrite,
           const engine::Progress& progress) {
    if (run.ranks > otf2::mostRanks)
        throw engine::Error{
            engine::text("an OTF2 archive can contain at most ", otf2::mostRanks, " ranks; the run has ", run.ranks)};
    const otf2::Complaints complaints;
    stage(target, overwrite, [&](const std::filesystem::path& folder, const std::string& name) {
        otf2::RunWriter{run, folder, name, target}.write(progress);
        progress.at(1);
    });
}

}  // namespace traces
