// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/definition_writer.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace traces::otf2 {

using namespace own;
using engine::Run;
using engine::text;

namespace {

constexpr OTF2_CommRef world = 0;
constexpr OTF2_SystemTreeNodeRef machine = 0;

std::string nameOf(const Run& run, std::int32_t rank) {
    const bool grouped = run.groupA > 0;
    const std::string_view where = !grouped                         ? ""
                                   : rank < run.groupA              ? ", group A"
                                   : rank - run.groupA < run.groupB ? ", group B"
                                                                    : ", dummy";
    return text("rank ", rank, where);
}

/// Lengths of the grid that `topology` names, periodic in every dimension; empty when it names none for `ranks`, or
/// one on which they are not placed in their order.
std::vector<int> gridOf(const std::string& topology, std::int32_t ranks) {
    constexpr std::string_view torus = "torus:";
    std::vector<int> lengths;
    if (topology == "ring") lengths = {ranks};
    if (topology.starts_with(torus) && topology.find(' ') == std::string::npos) {
        const std::string sizes = topology.substr(torus.size(), topology.find(',') - torus.size());
        lengths = engine::readDimensions(sizes, "the torus of the run");
    }
    const auto places = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{1}, std::multiplies<>{});
    return places == ranks && lengths.size() < 256 ? lengths : std::vector<int>{};
}

}  // namespace

DefinitionWriter::DefinitionWriter(OTF2_Archive* archive, std::string doing)
    : writer_{checked(OTF2_Archive_GetGlobalDefWriter(archive), doing)}, doing_{std::move(doing)} {
    string("");
}

OTF2_StringRef DefinitionWriter::string(std::string_view words) {
    const auto [entry, isNew] = strings_.try_emplace(std::string{words}, static_cast<OTF2_StringRef>(strings_.size()));
    if (isNew) check(OTF2_GlobalDefWriter_WriteString(writer_, entry->second, entry->first.c_str()), doing_);
    return entry->second;
}

void DefinitionWriter::write(const Run& run, std::span<const std::uint64_t> events) {
    const auto length = static_cast<std::uint64_t>(run.duration.count());
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, ticksPerSecond, 0, length, OTF2_UNDEFINED_TIMESTAMP),
          doing_);
    check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS),
          doing_);
    attributes();
    places(run, events);
    stages(run);
    groups(run);
    grid(run);
}

void DefinitionWriter::property(const std::string& name, std::string_view value) {
    eachPiece(name, value, [&](const std::string& its, std::string_view words) {
        const OTF2_StringRef id = string(its);
        OTF2_AttributeValue piece;
        piece.stringRef = string(words);
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer_, machine, id, OTF2_TYPE_STRING, piece), doing_);
    });
}

void DefinitionWriter::attributes() {
    const auto define = [&](Attribute id, const char* name, const char* meaning, OTF2_Type type) {
        check(OTF2_GlobalDefWriter_WriteAttribute(writer_, id, string(name), string(meaning), type), doing_);
    };
    define(attributeRound, "round", "round of the schedule, counted from 0", OTF2_TYPE_UINT64);
    define(attributePortTime, "port_time", "picoseconds the port was busy: from a send on, up to a receive",
           OTF2_TYPE_UINT64);
    define(attributeBegin, "begin", "first byte of the line (reductions: contribution) the message carried",
           OTF2_TYPE_UINT64);
    define(attributeEnd, "end", "one after the last byte (contribution) the message carried", OTF2_TYPE_UINT64);
    define(attributeRanges, "ranges", "several intervals the message carried, as begin-end,begin-end",
           OTF2_TYPE_STRING);
    define(attributePlace, "place", "place among the sender's messages of the round, where times do not tell",
           OTF2_TYPE_UINT64);
}

void DefinitionWriter::places(const Run& run, std::span<const std::uint64_t> events) {
    const OTF2_StringRef place = string(run.setting.on.empty() ? "machine" : run.setting.on);
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, machine, place, string("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          doing_);
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) {
        const auto id = static_cast<std::uint32_t>(rank);
        const OTF2_StringRef name = string(nameOf(run, rank));
        check(OTF2_GlobalDefWriter_WriteLocationGroup(writer_, id, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, machine,
                                                      OTF2_UNDEFINED_LOCATION_GROUP),
              doing_);
        check(OTF2_GlobalDefWriter_WriteLocation(writer_, id, name, OTF2_LOCATION_TYPE_CPU_THREAD, events[id], id),
              doing_);
    }
    const auto property = [&](std::size_t rank, const char* name, engine::Picoseconds time) {
        OTF2_AttributeValue value;
        value.int64 = time.count();
        check(OTF2_GlobalDefWriter_WriteLocationProperty(writer_, rank, string(name), OTF2_TYPE_INT64, value), doing_);
    };
    for (std::size_t rank = 0; rank < run.perRank.size(); ++rank) {
        property(rank, busyTime, run.perRank[rank].busy);
        property(rank, waitTime, run.perRank[rank].noCommunication);
        property(rank, idleTime, run.perRank[rank].finishedEarly);
    }
    for (std::size_t rank = 0; rank < run.entered.size(); ++rank) property(rank, enteredAt, run.entered[rank]);
}

void DefinitionWriter::stages(const Run& run) {
    const auto region = [&](std::size_t i, std::string_view words) {
        const OTF2_StringRef name = string(words);
        check(OTF2_GlobalDefWriter_WriteRegion(writer_, static_cast<OTF2_RegionRef>(i), name, name, string(""),
                                               OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                                               string(""), 0, 0),
              doing_);
    };
    for (std::size_t i = 0; i < run.stages.size(); ++i) region(i, run.stages[i].name);
    if (!run.combining.empty()) region(run.stages.size(), combining);
}

/// otf2-print and Python's otf2 want the group of all locations first, and ids in rising order.
void DefinitionWriter::groups(const Run& run) {
    OTF2_GroupRef groups = 0;
    OTF2_CommRef communicators = world;
    const auto group = [&](std::string_view name, OTF2_GroupType type, std::int32_t first, std::int32_t count) {
        std::vector<std::uint64_t> members(engine::asSize(count));
        std::iota(members.begin(), members.end(), static_cast<std::uint64_t>(first));
        check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups, string(name), type, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(count), members.data()),
              doing_);
        return groups++;
    };
    const auto communicator = [&](std::string_view name, OTF2_CommRef parent, std::int32_t first, std::int32_t count) {
        if (count == 0) return;
        const OTF2_GroupRef members = group(name, OTF2_GROUP_TYPE_COMM_GROUP, first, count);
        check(OTF2_GlobalDefWriter_WriteComm(writer_, communicators++, string(name), members, parent,
                                             OTF2_COMM_FLAG_NONE),
              doing_);
    };
    group("all ranks", OTF2_GROUP_TYPE_COMM_LOCATIONS, 0, run.ranks);
    communicator("MPI_COMM_WORLD", OTF2_UNDEFINED_COMM, 0, run.ranks);
    communicator("group A", world, 0, run.groupA);
    communicator("group B", world, run.groupA, run.groupB);
}

/// Ranks are numbered row-major: the last dimension runs fastest.
void DefinitionWriter::grid(const Run& run) {
    const std::vector<int> lengths = gridOf(run.setting.topology, run.ranks);
    if (lengths.empty()) return;
    const auto dimensions = static_cast<std::uint8_t>(lengths.size());
    std::vector<OTF2_CartDimensionRef> ids(lengths.size());
    std::iota(ids.begin(), ids.end(), OTF2_CartDimensionRef{0});
    for (const OTF2_CartDimensionRef id : ids)
        check(OTF2_GlobalDefWriter_WriteCartDimension(writer_, id, string(text("dimension ", id)),
                                                      static_cast<std::uint32_t>(lengths[id]), OTF2_CART_PERIODIC_TRUE),
              doing_);
    check(
        OTF2_GlobalDefWriter_WriteCartTopology(writer_, 0, string(run.setting.topology), world, dimensions, ids.data()),
        doing_);
    std::vector<std::uint32_t> at(lengths.size());
    for (std::int32_t rank = 0; rank < run.ranks; ++rank) {
        std::int32_t rest = rank;
        for (std::size_t d = lengths.size(); d-- > 0; rest /= lengths[d])
            at[d] = static_cast<std::uint32_t>(rest % lengths[d]);
        check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer_, 0, static_cast<std::uint32_t>(rank), dimensions,
                                                       at.data()),
              doing_);
    }
}

}  // namespace traces::otf2
