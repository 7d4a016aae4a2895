// SPDX-License-Identifier: BSD-3-Clause
// What an archive defines, as far as recordings need it, in the words of the files: ids, not yet understood. Tools
// write definitions in any order, twice, and once per rank; nothing is decided here.
#pragma once

#include "engine/run/executor.hpp"
#include "traces/reading/files/anchor.hpp"
#include "traces/reading/files/cursor.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace traces::reading {

using Ref = std::uint32_t;
constexpr Ref undefined = 0xffffffff;

/// Numbers as OTF2 gives them.
namespace otf2 {
constexpr std::uint8_t groupCommLocations = 4, groupCommGroup = 5, groupCommSelf = 6;
constexpr std::uint8_t paradigmOpenMp = 3, paradigmMpi = 4;
constexpr std::uint8_t locationThread = 1, locationAccelerator = 2, locationMetric = 3;
constexpr std::uint8_t typeUint64 = 4, typeInt64 = 8, typeDouble = 10, typeString = 11;
constexpr std::uint8_t roleLoop = 3, roleParallel = 5, roleMaster = 11, roleCritical = 12, roleCriticalBlock = 13,
                       roleBarrier = 15, roleImplicitBarrier = 16, roleOrderedBlock = 19, roleTask = 20,
                       roleTaskUntied = 34;
constexpr std::uint8_t scopeLocation = 0, scopeProcess = 1, scopeNode = 2, scopeGroup = 3;
}  // namespace otf2

struct NodeDefinition {
    Ref name = undefined;
    Ref parent = undefined;
};
struct ProcessDefinition {
    Ref name = undefined;
    Ref node = undefined;
};
struct LocationDefinition {
    std::uint64_t id = 0;
    Ref name = undefined;
    std::uint8_t type = 0;
    std::uint64_t events = 0;  ///< as announced; EZTrace announces 2
    Ref process = undefined;
};
struct RegionDefinition {
    Ref id = 0;
    Ref name = undefined;
    Ref description = undefined;
    std::uint8_t role = 0;
    std::uint8_t paradigm = 0;
};
struct GroupDefinition {
    Ref id = 0;
    Ref name = undefined;
    std::uint8_t type = 0;
    std::uint8_t paradigm = 0;
    std::vector<std::uint64_t> members;
};
struct CommDefinition {
    Ref id = 0;
    Ref name = undefined;
    Ref group = undefined;
    Ref remote = undefined;  ///< undefined: no intercommunicator
    Ref parent = undefined;
};
/// Memory that others read and write.
struct WindowDefinition {
    Ref id = 0;
    Ref comm = undefined;
};
struct ParameterDefinition {
    Ref id = 0;
    Ref name = undefined;
};
/// A file, and how it was opened.
struct FileHandleDefinition {
    Ref id = 0;
    Ref name = undefined;
    Ref file = undefined;
    Ref paradigm = undefined;
};
struct PropertyDefinition {
    std::uint64_t owner = 0;  ///< location, or node of the system tree
    Ref name = undefined;
    std::uint8_t type = 0;
    std::uint64_t value = 0;  ///< of strings their id
};
struct DimensionDefinition {
    std::uint32_t length = 0;
    bool periodic = false;
};
struct TopologyDefinition {
    Ref id = 0;
    Ref name = undefined;
    Ref comm = undefined;
    std::vector<Ref> dimensions;
};
struct CoordinateDefinition {
    Ref topology = 0;
    std::uint32_t rank = 0;  ///< within the communicator of the topology
    std::vector<std::uint32_t> at;
};

struct MetricDefinition {
    Ref id = 0;
    Ref name = undefined;
    Ref description = undefined;
    std::uint8_t mode = 0;   ///< lower half: how values are meant; upper half: which time they are about
    std::uint8_t base = 0;   ///< 0: of 2, 1: of 10
    std::int64_t power = 0;  ///< of the base, by which values are multiplied
    Ref unit = undefined;
};
/// Metrics that are recorded together; classes and instances share their ids.
struct MetricClassDefinition {
    Ref id = 0;
    std::vector<Ref> metrics;
};
/// A class about something else than the location that records it.
struct MetricInstanceDefinition {
    Ref id = 0;
    Ref of = undefined;  ///< the class
    std::uint8_t scope = 0;
    std::uint64_t about = 0;  ///< by scope: location, process, node or group
};

struct Definitions {
    std::uint64_t ticksPerSecond = 0;
    std::unordered_map<Ref, std::string> strings;
    std::map<Ref, Ref> attributes;  ///< their names
    std::map<Ref, NodeDefinition> nodes;
    std::map<Ref, ProcessDefinition> processes;
    std::vector<LocationDefinition> locations;
    std::vector<RegionDefinition> regions;
    std::vector<GroupDefinition> groups;
    std::vector<CommDefinition> comms;
    std::vector<WindowDefinition> windows;
    std::vector<ParameterDefinition> parameters;
    std::map<Ref, Ref> ioParadigms;  ///< their names
    std::map<Ref, Ref> files;        ///< likewise
    std::vector<FileHandleDefinition> fileHandles;
    std::vector<PropertyDefinition> locationProperties;
    std::vector<PropertyDefinition> nodeProperties;
    std::map<Ref, DimensionDefinition> dimensions;
    std::vector<TopologyDefinition> topologies;
    std::vector<CoordinateDefinition> coordinates;
    std::vector<MetricDefinition> metrics;
    std::vector<MetricClassDefinition> metricClasses;
    std::vector<MetricInstanceDefinition> metricInstances;
    std::uint64_t count = 0;  ///< all definitions, of any kind
    bool whole = false;       ///< the file ends as it should

    [[nodiscard]] std::string words(Ref id) const;
};

/// The global definitions. Throws Error when there is no such file; a damaged one gives what lies before the damage.
Definitions readDefinitions(const Anchor& anchor, const engine::Progress& progress = {});

/// Ids of one location and of the whole archive.
class IdMap {
public:
    [[nodiscard]] bool empty() const { return !defined_; }
    [[nodiscard]] std::uint64_t operator()(std::uint64_t local) const;
    void read(Cursor& record);

private:
    bool defined_ = false;
    std::vector<std::uint64_t> dense_;
    std::unordered_map<std::uint64_t, std::uint64_t> sparse_;
};

struct OffsetDefinition {
    std::uint64_t at = 0;
    std::int64_t offset = 0;
    double deviation = 0;
};

/// What the file of one location adds: how to translate its ids and its clock.
struct LocalDefinitions {
    IdMap strings;
    IdMap attributes;
    IdMap regions;
    IdMap comms;
    IdMap windows;
    IdMap groups;
    IdMap parameters;
    IdMap fileHandles;
    IdMap metrics;
    std::vector<OffsetDefinition> offsets;  ///< rising
    bool there = false;
    bool whole = false;
};

LocalDefinitions readLocalDefinitions(const Anchor& anchor, std::uint64_t location);

}  // namespace traces::reading
