// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/rank_mapping.hpp"

#include "engine/live/records/collective_records.hpp"

#include "traces/recording/paradigms.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace traces::reading {
namespace {

LocationKind kindOf(std::uint8_t type) {
    if (type == otf2::locationThread) return LocationKind::thread;
    if (type == otf2::locationAccelerator) return LocationKind::accelerator;
    return type == otf2::locationMetric ? LocationKind::metric : LocationKind::other;
}

RegionRole roleOf(std::uint8_t role) {
    using namespace otf2;
    if (role == roleBarrier) return RegionRole::barrier;
    if (role == roleImplicitBarrier) return RegionRole::implicitBarrier;
    if (role == roleCritical) return RegionRole::critical;
    const bool construct = role == roleLoop || (role >= roleParallel && role <= roleMaster) ||
                           role == roleCriticalBlock || role == roleOrderedBlock || role == roleTask ||
                           role == roleTaskUntied;
    return construct ? RegionRole::construct : RegionRole::function;
}

// A small file may refer to one long string or to one large group very often. What is copied is therefore bounded.
constexpr std::size_t longestName = 256;
constexpr std::size_t longestValue = 1024;
constexpr std::size_t longestWords = 4096;  ///< of regions, which stages are
constexpr std::size_t deepestPath = 16;
constexpr std::size_t mostMembers = std::size_t{1} << 26;  ///< of all communicators, or coordinates, together

std::string nameOf(const Definitions& definitions, Ref id) { return definitions.words(id).substr(0, longestName); }

/// Names from the root of the system tree down to `node`. A damaged tree may have circles.
std::vector<std::string> pathTo(const Definitions& definitions, Ref node) {
    std::vector<std::string> path;
    for (auto at = definitions.nodes.find(node); at != definitions.nodes.end() && path.size() < deepestPath;
         at = definitions.nodes.find(at->second.parent))
        path.push_back(nameOf(definitions, at->second.name));
    std::reverse(path.begin(), path.end());
    return path;
}

std::string valueOf(const Definitions& definitions, const PropertyDefinition& property) {
    if (property.type == otf2::typeString)
        return definitions.words(static_cast<Ref>(property.value)).substr(0, longestValue);
    if (property.type == otf2::typeInt64) return std::to_string(static_cast<std::int64_t>(property.value));
    return std::to_string(property.value);
}

/// Groups of communicators by their ids; EZTrace gives the group of locations and that of the world the same one.
std::unordered_map<Ref, const GroupDefinition*> groupsOf(const Definitions& definitions) {
    std::unordered_map<Ref, const GroupDefinition*> groups;
    for (const GroupDefinition& group : definitions.groups) {
        if (group.type < otf2::groupCommLocations || group.type > otf2::groupCommSelf) continue;
        const GroupDefinition*& known = groups[group.id];
        if (known == nullptr || group.type != otf2::groupCommLocations) known = &group;
    }
    return groups;
}

}  // namespace

void Lookup::set(Ref id, std::int32_t index) {
    if (id >= mostDense) {
        sparse_[id] = index;
        return;
    }
    if (id >= dense_.size()) dense_.resize(id + 1, noIndex);
    dense_[id] = index;
}

World::World(const Definitions& definitions, Names names) {
    findLocations(definitions);
    findRanks(definitions);
    findRegions(definitions, names);
    findCommunicators(definitions);
    findWindows(definitions);
    findFiles(definitions);
    findParameters(definitions);
    findTopologies(definitions);
    findMetrics(definitions);
}

void World::findLocations(const Definitions& definitions) {
    for (const LocationDefinition& defined : definitions.locations) {
        if (!indexOf_.try_emplace(defined.id, static_cast<std::int32_t>(locations.size())).second) continue;
        Location location{.id = defined.id,
                          .name = nameOf(definitions, defined.name),
                          .kind = kindOf(defined.type),
                          .process = {},
                          .path = {},
                          .properties = {}};
        if (const auto process = definitions.processes.find(defined.process); process != definitions.processes.end()) {
            location.process = nameOf(definitions, process->second.name);
            location.path = pathTo(definitions, process->second.node);
        }
        locations.push_back(std::move(location));
        announced.push_back(defined.events);
        process_.push_back(defined.process);
    }
    for (const PropertyDefinition& property : definitions.locationProperties)
        if (const auto index = indexOf_.find(property.owner); index != indexOf_.end())
            locations[engine::asSize(index->second)].properties[nameOf(definitions, property.name)] =
                valueOf(definitions, property);
}

/// The ranks are those of MPI's group of locations; without it, of the first thread of every process. Other threads of
/// a process have its rank.
void World::findRanks(const Definitions& definitions) {
    std::vector<std::size_t> speakers;
    const auto group = std::find_if(definitions.groups.begin(), definitions.groups.end(), [](const auto& one) {
        return one.type == otf2::groupCommLocations && one.paradigm == otf2::paradigmMpi;
    });
    if (group != definitions.groups.end()) {
        for (const std::uint64_t id : group->members) {
            const auto [entry, isNew] = indexOf_.try_emplace(id, static_cast<std::int32_t>(locations.size()));
            if (isNew) {
                locations.push_back({.id = id, .name = {}, .process = {}, .path = {}, .properties = {}});
                announced.push_back(0);
                process_.push_back(undefined);
            }
            speakers.push_back(engine::asSize(entry->second));
        }
    } else {
        std::set<Ref> seen;
        for (std::size_t i = 0; i < locations.size(); ++i)
            if (locations[i].kind == LocationKind::thread &&
                (process_[i] == undefined || seen.insert(process_[i]).second))
                speakers.push_back(i);
    }
    constexpr auto most = engine::asSize(std::numeric_limits<std::int32_t>::max());
    for (const std::size_t speaker : speakers) {
        if (locations[speaker].speaksForRank || engine::asSize(ranks) >= most) continue;
        locations[speaker].rank = Rank{ranks++};
        locations[speaker].speaksForRank = true;
        if (process_[speaker] != undefined) rankOfProcess_.try_emplace(process_[speaker], locations[speaker].rank);
    }
    for (std::size_t i = 0; i < locations.size(); ++i)
        if (const auto entry = rankOfProcess_.find(process_[i]);
            locations[i].rank == noRank && entry != rankOfProcess_.end())
            locations[i].rank = entry->second;
}

void World::findRegions(const Definitions& definitions, Names names) {
    std::map<std::tuple<std::string, std::string, std::uint8_t>, std::int32_t> known;
    for (const RegionDefinition& defined : definitions.regions) {
        std::string name = definitions.words(defined.name).substr(0, longestWords);
        std::string place = definitions.words(defined.description).substr(0, longestWords);
        constexpr std::array doings{Call::send, Call::receive, Call::sendReceive, Call::collective};
        Call call = callOf(name);
        for (std::size_t i = 0; i < doings.size(); ++i)
            if (place.starts_with(own::does) && place.substr(own::does.size()) == own::doings[i]) call = doings[i];
        place = place.starts_with(own::calledAt) ? place.substr(own::calledAt.size()) : "";
        // Archives of older recorders have the symbol.
        if (const std::size_t end = place.find(" in "); place.starts_with("_Z") && end != std::string::npos)
            place = engine::live::demangled(place.substr(0, end)) + place.substr(end);
        const auto next = static_cast<std::int32_t>(regions.size());
        const auto [entry, isNew] = known.try_emplace({name, place, defined.paradigm}, next);
        regionOf.set(defined.id, names == Names::merged ? entry->second : next);
        if (names == Names::merged && !isNew) continue;
        const std::string_view paradigm =
            defined.paradigm < paradigmNames.size() ? paradigmNames[defined.paradigm] : "other";
        if (call == Call::none && defined.paradigm == otf2::paradigmMpi) call = Call::other;
        regions.push_back({std::move(name), std::string{paradigm}, call, Recorded::notExpected, 0, std::move(place),
                           roleOf(defined.role)});
    }
}

void World::findCommunicators(const Definitions& definitions) {
    const auto membersOf = [&](const GroupDefinition& group) {
        std::vector<Rank> members;
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            // A group of locations lists ids of locations; all others list ranks.
            const std::uint64_t rank = group.type == otf2::groupCommLocations ? i : group.members[i];
            members.push_back(rank < static_cast<std::uint64_t>(ranks) ? Rank{static_cast<std::int32_t>(rank)}
                                                                       : noRank);
        }
        return members;
    };
    const std::unordered_map<Ref, const GroupDefinition*> definedGroups = groupsOf(definitions);
    const auto definitionOf = [&](Ref id) -> const GroupDefinition* {
        const auto entry = definedGroups.find(id);
        return entry == definedGroups.end() ? nullptr : entry->second;
    };
    hasInside_ = std::ranges::any_of(definitions.nodeProperties, [&](const PropertyDefinition& property) {
        return definitions.words(property.name) == own::inside;
    });
    const auto isInside = [&](const CommDefinition& defined) {
        return hasInside_ && definitions.words(defined.name).starts_with(own::insideOf);
    };
    // Those of the library come last, so that they can be left out once all has been read.
    std::vector<CommDefinition> inOrder = definitions.comms;
    std::ranges::stable_partition(inOrder, [&](const auto& one) { return !isInside(one); });
    bool hasWorld = false;
    std::size_t members = 0;
    std::int32_t teams = 0;
    for (const CommDefinition& defined : inOrder) {
        if (communicatorOf(defined.id) != noIndex || members > mostMembers) continue;
        const GroupDefinition* group = definitionOf(defined.group);
        // Score-P also describes processes x threads and other paradigms this way.
        if (group != nullptr && group->paradigm != otf2::paradigmMpi) {
            if (teamOf(defined.id) == noIndex) teamOf.set(defined.id, teams++);
            continue;
        }
        const auto index = static_cast<std::int32_t>(communicators.size());
        Communicator communicator{
            .name = nameOf(definitions, defined.name), .members = {}, .remote = {}, .ids = {defined.id}};
        if (group != nullptr) {
            communicator.members = membersOf(*group);
            if (group->type == otf2::groupCommSelf) communicator.kind = CommunicatorKind::self;
        }
        if (defined.remote != undefined) {
            communicator.kind = CommunicatorKind::inter;
            if (const GroupDefinition* other = definitionOf(defined.remote)) communicator.remote = membersOf(*other);
        }
        members += communicator.members.size() + communicator.remote.size();
        bool all = communicator.members.size() == engine::asSize(ranks);
        for (std::size_t i = 0; all && i < communicator.members.size(); ++i)
            all = communicator.members[i].value == static_cast<std::int32_t>(i);
        if (all && !hasWorld && communicator.kind == CommunicatorKind::ordinary) {
            communicator.kind = CommunicatorKind::world;
            hasWorld = true;
        }
        if (isInside(defined)) {
            const std::int32_t of = defined.parent == undefined ? noIndex : communicatorOf(defined.parent);
            insideOf.push_back(of < index - static_cast<std::int32_t>(insideOf.size()) ? of : noIndex);
        }
        communicatorOf.set(defined.id, index);
        isLocal_.emplace_back();
        if (communicator.kind == CommunicatorKind::inter)
            for (const Rank member : communicator.members) isLocal_.back().insert(member.value);
        communicators.push_back(std::move(communicator));
    }
    for (const CommDefinition& defined : definitions.comms) {
        const std::int32_t index = communicatorOf(defined.id);
        if (index == noIndex) continue;
        const std::int32_t parent = defined.parent == undefined ? noIndex : communicatorOf(defined.parent);
        if (parent != index) communicators[engine::asSize(index)].parent = parent;
    }
}

void World::findWindows(const Definitions& definitions) {
    for (const WindowDefinition& defined : definitions.windows) {
        if (windowOf(defined.id) != noIndex) continue;
        windowOf.set(defined.id, static_cast<std::int32_t>(windows.size()));
        windows.push_back({communicatorOf(defined.comm)});
    }
    if (windows.empty()) return;
    std::size_t members = 0;
    for (const GroupDefinition& defined : definitions.groups) {
        if (defined.type != otf2::groupCommGroup || defined.paradigm != otf2::paradigmMpi ||
            groupOf(defined.id) != noIndex)
            continue;
        members += defined.members.size();
        if (members > mostMembers) return;
        std::vector<Rank>& group = groups.emplace_back();
        for (const std::uint64_t rank : defined.members)
            group.push_back(rank < static_cast<std::uint64_t>(ranks) ? Rank{static_cast<std::int32_t>(rank)} : noRank);
        groupOf.set(defined.id, static_cast<std::int32_t>(groups.size() - 1));
    }
}

void World::findParameters(const Definitions& definitions) {
    for (const ParameterDefinition& defined : definitions.parameters) {
        if (parameterOf(defined.id) != noIndex) continue;
        parameterOf.set(defined.id, static_cast<std::int32_t>(parameters.size()));
        parameters.push_back({.name = nameOf(definitions, defined.name), .words = {}});
    }
}

/// Every process has a handle of its own for one and the same file.
void World::findFiles(const Definitions& definitions) {
    std::map<std::pair<std::string, std::string>, std::int32_t> known;
    for (const FileHandleDefinition& handle : definitions.fileHandles) {
        if (fileOf(handle.id) != noIndex) continue;
        const auto file = definitions.files.find(handle.file);
        const auto paradigm = definitions.ioParadigms.find(handle.paradigm);
        File its{.name = definitions.words(file == definitions.files.end() ? handle.name : file->second),
                 .through = paradigm == definitions.ioParadigms.end() ? "" : definitions.words(paradigm->second)};
        const auto [entry, isNew] = known.try_emplace({its.name, its.through}, static_cast<std::int32_t>(files.size()));
        if (isNew) files.push_back(std::move(its));
        fileOf.set(handle.id, entry->second);
    }
}

Rank World::rankOf(std::int32_t communicator, std::uint32_t peer, Rank self) const {
    if (communicator < 0) return noRank;
    const auto index = engine::asSize(communicator);
    const Communicator& within = communicators[index];
    if (within.kind == CommunicatorKind::self) return self;
    const bool fromLocal = within.kind == CommunicatorKind::inter && isLocal_[index].contains(self.value);
    const std::vector<Rank>& others = fromLocal ? within.remote : within.members;
    return peer < others.size() ? others[peer] : noRank;
}

void World::join(std::int32_t local, std::int32_t remote) {
    Communicator& made = communicators[engine::asSize(local)];
    const Communicator& other = communicators[engine::asSize(remote)];
    made.kind = CommunicatorKind::inter;
    made.remote = other.members;
    made.ids.insert(made.ids.end(), other.ids.begin(), other.ids.end());
    made.joined = true;
    for (const Rank member : made.members) isLocal_[engine::asSize(local)].insert(member.value);
}

void World::findTopologies(const Definitions& definitions) {
    std::unordered_map<Ref, std::size_t> known;
    for (const TopologyDefinition& defined : definitions.topologies) {
        const std::int32_t communicator = communicatorOf(defined.comm);
        CartTopology topology{.name = nameOf(definitions, defined.name),
                              .communicator = communicator,
                              .lengths = {},
                              .periodic = {},
                              .coordinates = {}};
        for (const Ref id : defined.dimensions) {
            const auto dimension = definitions.dimensions.find(id);
            if (dimension == definitions.dimensions.end()) break;
            topology.lengths.push_back(static_cast<std::int32_t>(dimension->second.length & 0x7fffffff));
            topology.periodic.push_back(dimension->second.periodic);
        }
        if (communicator == noIndex || topology.lengths.empty() ||
            topologies.size() * engine::asSize(ranks) > mostMembers / 16 ||
            topology.lengths.size() != defined.dimensions.size() ||
            !known.try_emplace(defined.id, topologies.size()).second)
            continue;
        topology.coordinates.resize(engine::asSize(ranks));
        topologies.push_back(std::move(topology));
    }
    for (const CoordinateDefinition& place : definitions.coordinates) {
        const auto entry = known.find(place.topology);
        if (entry == known.end()) continue;
        CartTopology& topology = topologies[entry->second];
        const Rank rank = rankOf(topology.communicator, place.rank, noRank);
        bool inside = rank != noRank && place.at.size() == topology.lengths.size();
        for (std::size_t d = 0; inside && d < place.at.size(); ++d)
            inside = place.at[d] < static_cast<std::uint32_t>(topology.lengths[d]);
        if (inside) topology.coordinates[rank.index()] = {place.at.begin(), place.at.end()};
    }
}

/// Who a set of metrics is about: a rank where it is about one process, else the name of what is meant.
void World::findMetrics(const Definitions& definitions) {
    std::unordered_map<Ref, std::size_t> memberOf;
    std::vector<double> scales;
    for (const MetricDefinition& defined : definitions.metrics) {
        if (!memberOf.try_emplace(defined.id, metrics.size()).second) continue;
        const auto value = std::min<unsigned>(defined.mode & 0xfU, 2),
                   timing = std::min<unsigned>(defined.mode >> 4U, 3);
        metrics.push_back({.name = nameOf(definitions, defined.name),
                           .description = definitions.words(defined.description).substr(0, longestValue),
                           .unit = nameOf(definitions, defined.unit),
                           .value = static_cast<MetricValue>(value),
                           .timing = static_cast<MetricTiming>(timing)});
        scales.push_back(std::pow(defined.base == 0 ? 2.0 : 10.0, static_cast<double>(defined.power)));
    }
    std::unordered_map<Ref, std::size_t> classes;  // their sets
    std::size_t members = 0;
    const auto add = [&](Ref id, MetricSet set) {
        members += set.metrics.size();
        if (metricSetOf(id) != noIndex || members > mostMembers) return;
        metricSetOf.set(id, static_cast<std::int32_t>(metricSets.size()));
        metricSets.push_back(std::move(set));
    };
    for (const MetricClassDefinition& defined : definitions.metricClasses) {
        MetricSet set;
        for (const Ref id : defined.metrics) {
            const auto member = memberOf.find(id);
            if (member == memberOf.end()) break;
            set.metrics.push_back(static_cast<std::int32_t>(member->second));
            set.scales.push_back(scales[member->second]);
        }
        // Undefined ones cannot be distinguished from each other.
        if (set.metrics.size() != defined.metrics.size()) set = {};
        classes.try_emplace(defined.id, metricSets.size());
        add(defined.id, std::move(set));
    }
    std::unordered_map<Ref, const GroupDefinition*> byId;
    for (const GroupDefinition& group : definitions.groups) byId.try_emplace(group.id, &group);
    for (const MetricInstanceDefinition& defined : definitions.metricInstances) {
        const auto of = classes.find(defined.of);
        if (of == classes.end() || of->second >= metricSets.size()) continue;
        MetricSet set = metricSets[of->second];
        set.ofRecorder = false;
        const auto ref = static_cast<Ref>(defined.about);
        if (defined.scope == otf2::scopeLocation) {
            if (const auto at = indexOf_.find(defined.about); at != indexOf_.end()) {
                const Location& location = locations[engine::asSize(at->second)];
                set.rank = location.rank;
                set.about = location.about();
            }
        } else if (defined.scope == otf2::scopeProcess) {
            if (const auto at = rankOfProcess_.find(ref); at != rankOfProcess_.end()) set.rank = at->second;
            else if (const auto process = definitions.processes.find(ref); process != definitions.processes.end())
                set.about = nameOf(definitions, process->second.name);
        } else if (defined.scope == otf2::scopeNode) {
            if (const auto node = definitions.nodes.find(ref); node != definitions.nodes.end())
                set.about = nameOf(definitions, node->second.name);
        } else if (const auto group = byId.find(ref); group != byId.end()) {
            set.about = nameOf(definitions, group->second->name);
        }
        if (set.rank == noRank && set.about.empty()) set.about = "not defined";
        add(defined.id, std::move(set));
    }
}

}  // namespace traces::reading
