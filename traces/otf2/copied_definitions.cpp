// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/copied_definitions.hpp"

#include "engine/base/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/recording/copied_unrecorded_data.hpp"
#include "traces/recording/paradigms.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

namespace traces::otf2 {

using engine::text;

namespace {

OTF2_RegionRole roleOf(RegionRole role) {
    switch (role) {
        case RegionRole::construct: return OTF2_REGION_ROLE_PARALLEL;
        case RegionRole::barrier: return OTF2_REGION_ROLE_BARRIER;
        case RegionRole::implicitBarrier: return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
        case RegionRole::critical: return OTF2_REGION_ROLE_CRITICAL;
        case RegionRole::function: break;
    }
    return OTF2_REGION_ROLE_FUNCTION;
}

/// What a reader knows of MPI's calls by their names.
std::string_view doingOf(Call call) {
    switch (call) {
        case Call::send: return own::doings[0];
        case Call::receive: return own::doings[1];
        case Call::sendReceive: return own::doings[2];
        case Call::collective: return own::doings[3];
        default: return {};
    }
}

}  // namespace

bool isCopied(const std::string& property) {
    return property.starts_with(own::replayed::properties) || property == trainingSource;
}

std::uint32_t CopiedDefinitions::peerOf(std::int32_t communicator, Rank rank, Rank self) {
    const Communicator& within = all_.communicators[engine::asSize(communicator)];
    if (within.kind == CommunicatorKind::self) return 0;
    if (within.kind == CommunicatorKind::world) return static_cast<std::uint32_t>(rank.value);
    const bool other = within.kind == CommunicatorKind::inter &&
                       std::find(within.members.begin(), within.members.end(), self) != within.members.end();
    auto& places = places_[2 * engine::asSize(communicator) + (other ? 1 : 0)];
    if (places.empty()) {
        const std::vector<Rank>& members = other ? within.remote : within.members;
        for (std::size_t i = 0; i < members.size(); ++i)
            places.try_emplace(members[i].value, static_cast<std::uint32_t>(i));
    }
    const auto entry = places.find(rank.value);
    return entry == places.end() ? OTF2_UNDEFINED_UINT32 : entry->second;
}

OTF2_StringRef CopiedDefinitions::string(const std::string& words) {
    const auto [entry, isNew] = strings_.try_emplace(words, static_cast<OTF2_StringRef>(strings_.size()));
    if (isNew) check(OTF2_GlobalDefWriter_WriteString(writer_, entry->second, entry->first.c_str()), doing_);
    return entry->second;
}

void CopiedDefinitions::write(const std::vector<std::uint64_t>& counts) {
    const std::uint64_t end = all_.clock.tickOf(all_.duration);
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, all_.clock.ticksPerSecond, all_.clock.zero,
                                                    end - all_.clock.zero + 1, OTF2_UNDEFINED_TIMESTAMP),
          doing_);
    check(OTF2_GlobalDefWriter_WriteAttribute(writer_, algorithmAttribute, string(own::algorithmWord),
                                              string("what the collective ran by"), OTF2_TYPE_STRING),
          doing_);
    check(OTF2_GlobalDefWriter_WriteAttribute(writer_, reductionAttribute, string(own::reductionWord),
                                              string("the operation that a reduction combines by"), OTF2_TYPE_STRING),
          doing_);
    const auto attribute = [&](OTF2_AttributeRef id, const char* name, const char* meaning, OTF2_Type type) {
        check(OTF2_GlobalDefWriter_WriteAttribute(writer_, id, string(name), string(meaning), type), doing_);
    };
    attribute(ofLibraryAttribute, own::libraryAlgorithmWord, "what the library ran", OTF2_TYPE_STRING);
    attribute(componentAttribute, own::libraryComponentWord, "the component of the library", OTF2_TYPE_STRING);
    attribute(withinAttribute, own::insideWord, "the request of the collective that a message is of", OTF2_TYPE_UINT64);
    attribute(amongNeighboursAttribute, own::neighboursWord, "1: each rank exchanges data with its neighbours",
              OTF2_TYPE_UINT64);
    check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS),
          doing_);
    places(counts);
    longProperties();
    for (std::size_t i = 0; i < all_.regions.size(); ++i) {
        const auto paradigm = std::find(paradigmNames.begin(), paradigmNames.end(), all_.regions[i].paradigm);
        const OTF2_StringRef name = string(all_.regions[i].name);
        const std::string_view doing = isTraining(all_) ? doingOf(all_.regions[i].call) : std::string_view{};
        const std::string description = !doing.empty()                  ? text(own::does, doing)
                                        : all_.regions[i].place.empty() ? std::string{}
                                                                        : text(own::calledAt, all_.regions[i].place);
        check(
            OTF2_GlobalDefWriter_WriteRegion(
                writer_, static_cast<OTF2_RegionRef>(i), name, name, string(description), roleOf(all_.regions[i].role),
                static_cast<OTF2_Paradigm>(paradigm == paradigmNames.end() ? 0 : paradigm - paradigmNames.begin()),
                OTF2_REGION_FLAG_NONE, string(""), 0, 0),
            doing_);
    }
    communicators();
    windows();
    teams();
    insides();
    parameters();
    files();
    topologies();
    metrics();
}

void CopiedDefinitions::places(const std::vector<std::uint64_t>& counts) {
    std::unordered_map<std::string, OTF2_SystemTreeNodeRef> nodes;
    OTF2_SystemTreeNodeRef next = 0;
    for (std::size_t i = 0; i < all_.locations.size(); ++i) {
        const Location& location = all_.locations[i];
        OTF2_SystemTreeNodeRef node = OTF2_UNDEFINED_SYSTEM_TREE_NODE;
        std::string path;
        for (const std::string& name : location.path.empty() ? std::vector<std::string>{"machine"} : location.path) {
            path += '/' + name;
            const auto [entry, isNew] = nodes.try_emplace(path, next);
            if (isNew)
                check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, next++, string(name), string("node"), node),
                      doing_);
            node = entry->second;
        }
        const OTF2_LocationGroupRef group = groupOf(location, i, node);
        OTF2_LocationType type = OTF2_LOCATION_TYPE_CPU_THREAD;
        if (location.kind == LocationKind::metric) type = OTF2_LOCATION_TYPE_METRIC;
        if (location.kind == LocationKind::accelerator) type = OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
        check(OTF2_GlobalDefWriter_WriteLocation(writer_, location.id, string(location.name), type, counts[i], group),
              doing_);
    }
}

OTF2_LocationGroupRef CopiedDefinitions::groupOf(const Location& location, std::size_t index,
                                                 OTF2_SystemTreeNodeRef node) {
    const std::int64_t process = location.rank == noRank ? -1 - static_cast<std::int64_t>(index) : location.rank.value;
    const auto [entry, isNew] = processes_.try_emplace(process, static_cast<OTF2_LocationGroupRef>(processes_.size()));
    if (isNew)
        check(OTF2_GlobalDefWriter_WriteLocationGroup(writer_, entry->second, string(location.process),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
                                                      OTF2_UNDEFINED_LOCATION_GROUP),
              doing_);
    return entry->second;
}

void CopiedDefinitions::longProperties() {
    if (all_.locations.empty()) return;
    const auto add = [&](const std::string& property, const std::string& value) {
        own::eachPiece(property, value, [&](const std::string& name, std::string_view words) {
            OTF2_AttributeValue piece;
            piece.stringRef = string(std::string{words});
            const OTF2_StringRef id = string(name);
            check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer_, 0, id, OTF2_TYPE_STRING, piece), doing_);
        });
    };
    for (const auto& [property, value] : all_.properties)
        if (isCopied(property) && value.size() > own::longestProperty) add(property, value);
    for (const auto& [property, value] : lackingOf(all_)) add(property, value);
    // What marks the messages of the library as such must be there.
    const auto inside = all_.properties.find(own::inside);
    if (inside != all_.properties.end() && inside->second.starts_with("yes")) add(own::inside, inside->second);
    else if (!all_.library.messages.empty()) add(own::inside, "yes");
    for (const char* const property : {own::library, own::sharing})
        if (const auto its = all_.properties.find(property); its != all_.properties.end()) add(property, its->second);
}

void CopiedDefinitions::communicators() {
    const auto group = [&](OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
        check(
            OTF2_GlobalDefWriter_WriteGroup(writer_, groups_, string(""), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                            static_cast<std::uint32_t>(members.size()), members.data()),
            doing_);
        return groups_++;
    };
    const auto ranksOf = [](const std::vector<Rank>& ranks) {
        std::vector<std::uint64_t> members;
        for (const Rank rank : ranks) members.push_back(static_cast<std::uint64_t>(std::max(rank.value, 0)));
        return members;
    };
    std::vector<std::uint64_t> speakers(engine::asSize(all_.ranks));
    for (const Location& location : all_.locations)
        if (location.speaksForRank) speakers[location.rank.index()] = location.id;
    // Readers look members up among the locations, which have to be there before; numbers rise.
    group(OTF2_GROUP_TYPE_COMM_LOCATIONS, speakers);
    groupsOfWindows();
    std::optional<OTF2_GroupRef> self;  // one for all communicators of that kind
    for (std::size_t i = 0; i < all_.communicators.size(); ++i) {
        const Communicator& communicator = all_.communicators[i];
        const auto id = static_cast<OTF2_CommRef>(i);
        const bool isSelf = communicator.kind == CommunicatorKind::self;
        if (isSelf && !self) self = group(OTF2_GROUP_TYPE_COMM_SELF, {});
        const OTF2_GroupRef members = isSelf ? *self : group(OTF2_GROUP_TYPE_COMM_GROUP, ranksOf(communicator.members));
        if (communicator.kind == CommunicatorKind::inter) {
            const OTF2_GroupRef remote = group(OTF2_GROUP_TYPE_COMM_GROUP, ranksOf(communicator.remote));
            groupsOf_.emplace_back(members, remote);
            check(OTF2_GlobalDefWriter_WriteInterComm(writer_, id, string(communicator.name), members, remote,
                                                      OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                  doing_);
        } else {
            groupsOf_.emplace_back(members, OTF2_UNDEFINED_GROUP);
            check(OTF2_GlobalDefWriter_WriteComm(writer_, id, string(communicator.name), members, OTF2_UNDEFINED_COMM,
                                                 OTF2_COMM_FLAG_NONE),
                  doing_);
        }
    }
}

void CopiedDefinitions::groupsOfWindows() {
    for (const std::vector<Rank>& group : all_.groups) {
        std::vector<std::uint64_t> members;
        for (const Rank rank : group) members.push_back(static_cast<std::uint64_t>(std::max(rank.value, 0)));
        check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups_++, string(""), OTF2_GROUP_TYPE_COMM_GROUP,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(members.size()), members.data()),
              doing_);
    }
}

void CopiedDefinitions::windows() {
    for (std::size_t i = 0; i < all_.windows.size(); ++i)
        if (all_.windows[i].communicator != noIndex)
            check(OTF2_GlobalDefWriter_WriteRmaWin(writer_, static_cast<OTF2_RmaWinRef>(i), string("window"),
                                                   static_cast<OTF2_CommRef>(all_.windows[i].communicator),
                                                   OTF2_RMA_WIN_FLAG_NONE),
                  doing_);
}

void CopiedDefinitions::parameters() {
    for (std::size_t i = 0; i < all_.parameters.size(); ++i)
        check(OTF2_GlobalDefWriter_WriteParameter(
                  writer_, static_cast<OTF2_ParameterRef>(i), string(all_.parameters[i].name),
                  all_.parameters[i].words.empty() ? OTF2_PARAMETER_TYPE_INT64 : OTF2_PARAMETER_TYPE_STRING),
              doing_);
}

/// One handle of each.
void CopiedDefinitions::files() {
    std::unordered_map<std::string, OTF2_IoParadigmRef> paradigms;
    for (std::size_t i = 0; i < all_.files.size(); ++i) {
        const File& file = all_.files[i];
        const OTF2_StringRef name = string(file.name), through = string(file.through);
        const auto [paradigm, isNew] = paradigms.try_emplace(
            file.through,
            static_cast<OTF2_IoParadigmRef>(std::min<std::size_t>(paradigms.size(), OTF2_UNDEFINED_IO_PARADIGM - 1)));
        if (isNew)
            check(OTF2_GlobalDefWriter_WriteIoParadigm(writer_, paradigm->second, through, through,
                                                       OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                                       nullptr, nullptr, nullptr),
                  doing_);
        const auto id = static_cast<std::uint32_t>(i);
        check(OTF2_GlobalDefWriter_WriteIoRegularFile(writer_, id, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE), doing_);
        check(OTF2_GlobalDefWriter_WriteIoHandle(writer_, id, name, id, paradigm->second, OTF2_IO_HANDLE_FLAG_NONE,
                                                 OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE),
              doing_);
    }
}

OTF2_CommRef insideOf(const Recording& recording, std::int32_t communicator) {
    constexpr OTF2_CommRef behindTeams = 1U << 24U;
    return behindTeams + static_cast<OTF2_CommRef>(communicator == noIndex
                                                       ? static_cast<std::int32_t>(recording.communicators.size())
                                                       : communicator);
}

/// Likewise named as our own recorder names them.
void CopiedDefinitions::insides() {
    std::vector<bool> isUsed(all_.communicators.size() + 1);
    for (const std::int32_t communicator : all_.library.messages.communicator)
        isUsed[communicator == noIndex ? all_.communicators.size() : engine::asSize(communicator)] = true;
    for (std::size_t i = 0; i < all_.communicators.size(); ++i) {
        if (!isUsed[i]) continue;
        const auto number = static_cast<std::int32_t>(i);
        const OTF2_StringRef name = string(text(own::insideOf, all_.communicators[i].name));
        const auto [members, remote] = groupsOf_[i];
        check(remote != OTF2_UNDEFINED_GROUP
                  ? OTF2_GlobalDefWriter_WriteInterComm(writer_, insideOf(all_, number), name, members, remote,
                                                        static_cast<OTF2_CommRef>(i), OTF2_COMM_FLAG_NONE)
                  : OTF2_GlobalDefWriter_WriteComm(writer_, insideOf(all_, number), name, members,
                                                   static_cast<OTF2_CommRef>(i), OTF2_COMM_FLAG_NONE),
              doing_);
    }
    if (!isUsed.back()) return;
    std::vector<std::uint64_t> everyone(engine::asSize(all_.ranks));
    std::iota(everyone.begin(), everyone.end(), std::uint64_t{0});
    check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups_, string(""), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(everyone.size()),
                                          everyone.data()),
          doing_);
    check(OTF2_GlobalDefWriter_WriteComm(writer_, insideOf(all_, noIndex), string(own::insideOfLibrary), groups_++,
                                         OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
          doing_);
}

OTF2_CommRef teamOf(const Recording& recording, std::uint32_t team) {
    return static_cast<OTF2_CommRef>(recording.communicators.size()) + team;
}

/// Who is in them is not known; that their group is not of MPI tells them from communicators.
void CopiedDefinitions::teams() {
    std::uint32_t count = 0;
    for (const Column<Notice>& its : all_.notices)
        for (const Notice& notice : its)
            if (notice.kind == NoticeKind::teamBegin || notice.kind == NoticeKind::teamEnd)
                count = std::max(count, notice.subject + 1);
    if (count == 0) return;
    const OTF2_GroupRef nobody = groups_++;
    check(OTF2_GlobalDefWriter_WriteGroup(writer_, nobody, string(""), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
                                          OTF2_GROUP_FLAG_NONE, 0, nullptr),
          doing_);
    for (std::uint32_t team = 0; team < count; ++team)
        check(OTF2_GlobalDefWriter_WriteComm(writer_, teamOf(all_, team), string(""), nobody, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE),
              doing_);
}

void CopiedDefinitions::topologies() {
    OTF2_CartDimensionRef dimensions = 0;
    for (std::size_t i = 0; i < all_.topologies.size(); ++i) {
        const CartTopology& topology = all_.topologies[i];
        std::vector<OTF2_CartDimensionRef> ids;
        for (std::size_t d = 0; d < topology.lengths.size(); ++d) {
            check(
                OTF2_GlobalDefWriter_WriteCartDimension(
                    writer_, dimensions, string(text("dimension ", d)), static_cast<std::uint32_t>(topology.lengths[d]),
                    topology.periodic[d] ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE),
                doing_);
            ids.push_back(dimensions++);
        }
        const auto count = static_cast<std::uint8_t>(ids.size());
        const auto id = static_cast<OTF2_CartTopologyRef>(i);
        check(
            OTF2_GlobalDefWriter_WriteCartTopology(writer_, id, string(topology.name),
                                                   static_cast<OTF2_CommRef>(topology.communicator), count, ids.data()),
            doing_);
        for (std::size_t rank = 0; rank < topology.coordinates.size(); ++rank) {
            const std::vector<std::uint32_t> at{topology.coordinates[rank].begin(), topology.coordinates[rank].end()};
            if (at.size() != ids.size()) continue;
            const std::uint32_t place = peerOf(topology.communicator, Rank{static_cast<std::int32_t>(rank)}, noRank);
            check(OTF2_GlobalDefWriter_WriteCartCoordinate(writer_, id, place, count, at.data()), doing_);
        }
    }
}

void CopiedDefinitions::metrics() {
    for (std::size_t i = 0; i < all_.metrics.size(); ++i) {
        const Metric& metric = all_.metrics[i];
        const auto mode = static_cast<OTF2_MetricMode>(static_cast<unsigned>(metric.value) |
                                                       static_cast<unsigned>(metric.timing) << 4U);
        check(OTF2_GlobalDefWriter_WriteMetricMember(writer_, static_cast<OTF2_MetricMemberRef>(i), string(metric.name),
                                                     string(metric.description), OTF2_METRIC_TYPE_OTHER, mode,
                                                     OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, string(metric.unit)),
              doing_);
    }
    for (std::size_t i = 0; i < all_.samples.size(); ++i) {
        const MetricSamples& samples = all_.samples[i];
        const Location& recorder = all_.locations[engine::asSize(samples.location)];
        const std::vector<OTF2_MetricMemberRef> members{samples.metrics.begin(), samples.metrics.end()};
        const bool ofRecorder = samples.rank == recorder.rank && samples.about == recorder.about();
        const auto metric = static_cast<OTF2_MetricRef>(i);
        const auto together = static_cast<OTF2_MetricRef>(ofRecorder ? i : i + all_.samples.size());
        check(
            OTF2_GlobalDefWriter_WriteMetricClass(writer_, together, static_cast<std::uint8_t>(members.size()),
                                                  members.data(), OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_UNKNOWN),
            doing_);
        if (ofRecorder) continue;
        const auto about = std::find_if(all_.locations.begin(), all_.locations.end(), [&](const Location& one) {
            return samples.rank != noRank && one.rank == samples.rank && one.about() == samples.about;
        });
        OTF2_MetricScope scope = OTF2_SCOPE_LOCATION;
        std::uint64_t scoped = 0;
        if (about != all_.locations.end()) {
            scoped = about->id;
        } else {
            // Only its name is known: a group of that name and of nobody.
            scope = OTF2_SCOPE_GROUP;
            scoped = groups_++;
            check(OTF2_GlobalDefWriter_WriteGroup(writer_, static_cast<OTF2_GroupRef>(scoped), string(samples.about),
                                                  OTF2_GROUP_TYPE_LOCATIONS, OTF2_PARADIGM_UNKNOWN,
                                                  OTF2_GROUP_FLAG_NONE, 0, nullptr),
                  doing_);
        }
        check(OTF2_GlobalDefWriter_WriteMetricInstance(writer_, metric, together, recorder.id, scope, scoped), doing_);
    }
}

}  // namespace traces::otf2
