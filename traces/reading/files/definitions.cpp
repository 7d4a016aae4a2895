// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/files/definitions.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/reading/files/chunks.hpp"

#include <algorithm>

namespace traces::reading {

namespace {

/// Records of global definitions by the numbers in their files.
enum Kind : std::uint8_t {
    clockProperties = 5,
    ioParadigm = 8,
    string = 10,
    attribute = 11,
    systemTreeNode = 12,
    locationGroup = 13,
    location = 14,
    region = 15,
    group = 18,
    metric = 19,
    metricClass = 20,
    metricInstance = 21,
    comm = 22,
    parameter = 23,
    window = 24,
    nodeProperty = 26,
    locationProperty = 29,
    cartDimension = 30,
    cartTopology = 31,
    cartCoordinate = 32,
    ioRegularFile = 38,
    ioDirectory = 39,
    ioHandle = 40,
    interComm = 43,
    mappingTable = 5,  ///< local definitions
    clockOffset = 6    ///< local definitions
};

/// `count` numbers, of which each has at least a byte: a count that lies does not ask for memory.
template <class T>
std::vector<T> numbers(Cursor& record, std::uint64_t count) {
    std::vector<T> values;
    values.reserve(engine::asSize(std::min<std::uint64_t>(count, record.left())));
    for (std::uint64_t i = 0; i < count && !record.broken(); ++i) values.push_back(static_cast<T>(record.number64()));
    if (record.broken()) values.clear();
    return values;
}

void readRegion(Cursor& r, Definitions& all) {
    RegionDefinition region{.id = r.number32(), .name = r.number32(), .description = r.number32()};
    r.byte();                                  // kind before version 1.2
    for (int i = 0; i < 3; ++i) r.number32();  // file and lines
    if (!r.atEnd()) {
        r.number32();  // canonical name
        region.role = r.byte();
        region.paradigm = r.byte();
    }
    all.regions.push_back(region);
}

void readGroup(Cursor& r, Definitions& all) {
    GroupDefinition group{.id = r.number32(), .name = r.number32(), .members = {}};
    const std::uint8_t former = r.byte();
    group.members = numbers<std::uint64_t>(r, r.number32());
    if (!r.atEnd()) {
        group.type = r.byte();
        group.paradigm = r.byte();
    } else if (former >= 4) {  // before version 1.2: MPI_GROUP, MPI_LOCATIONS, MPI_COMM_SELF
        group.type = former == 4 ? otf2::groupCommGroup : former == 5 ? otf2::groupCommSelf : otf2::groupCommLocations;
        group.paradigm = otf2::paradigmMpi;
    }
    all.groups.push_back(std::move(group));
}

MetricDefinition readMetric(Cursor& r) {
    MetricDefinition metric{.id = r.number32(), .name = r.number32(), .description = r.number32()};
    r.byte();  // where it comes from
    metric.mode = r.byte();
    r.byte();  // type of the values, which events say again
    metric.base = r.byte();
    metric.power = r.signed64();
    metric.unit = r.number32();
    return metric;
}

PropertyDefinition readProperty(Cursor& r, std::uint64_t owner) {
    PropertyDefinition property{.owner = owner, .name = r.number32()};
    property.value = r.number32();
    property.type = otf2::typeString;
    if (r.atEnd()) return property;
    property.type = r.byte();
    if (property.type == otf2::typeString) property.value = r.number32();
    else if (property.type == otf2::typeUint64 || property.type == otf2::typeInt64) property.value = r.number64();
    else property.type = 0;
    return property;
}

void readRecord(std::uint8_t kind, Cursor& r, Definitions& all) {
    switch (kind) {
        case clockProperties: all.ticksPerSecond = r.number64(); break;
        case string: {
            const Ref id = r.number32();
            all.strings[id] = r.string();
            break;
        }
        case attribute: {
            const Ref id = r.number32();
            all.attributes[id] = r.number32();
            break;
        }
        case systemTreeNode: {
            const Ref id = r.number32();
            NodeDefinition node{.name = r.number32()};
            r.number32();  // class
            node.parent = r.number32();
            all.nodes[id] = node;
            break;
        }
        case locationGroup: {
            const Ref id = r.number32();
            ProcessDefinition process{.name = r.number32()};
            r.byte();  // process or accelerator
            process.node = r.number32();
            all.processes[id] = process;
            break;
        }
        case location: {
            LocationDefinition location{.id = r.number64(), .name = r.number32()};
            location.type = r.byte();
            location.events = r.number64();
            location.process = r.number32();
            all.locations.push_back(location);
            break;
        }
        case region: readRegion(r, all); break;
        case group: readGroup(r, all); break;
        case metric: all.metrics.push_back(readMetric(r)); break;
        case metricClass: {
            MetricClassDefinition together{.id = r.number32(), .metrics = {}};
            together.metrics = numbers<Ref>(r, r.byte());
            all.metricClasses.push_back(std::move(together));
            break;
        }
        case metricInstance: {
            MetricInstanceDefinition instance{.id = r.number32(), .of = r.number32()};
            r.number64();  // the location that records it, which events say again
            instance.scope = r.byte();
            instance.about = r.number64();
            all.metricInstances.push_back(instance);
            break;
        }
        case comm: {
            CommDefinition comm{.id = r.number32(), .name = r.number32()};
            comm.group = r.number32();
            comm.parent = r.number32();
            all.comms.push_back(comm);
            break;
        }
        case window: {
            WindowDefinition defined{.id = r.number32()};
            r.number32();  // name
            defined.comm = r.number32();
            all.windows.push_back(defined);
            break;
        }
        case parameter: {
            const Ref id = r.number32();
            all.parameters.push_back({id, r.number32()});
            break;
        }
        case ioParadigm: {
            const Ref id = r.byte();
            r.number32();  // its name among Score-P's
            all.ioParadigms[id] = r.number32();
            break;
        }
        case ioRegularFile:
        case ioDirectory: {
            const Ref id = r.number32();
            all.files[id] = r.number32();
            break;
        }
        case ioHandle: {
            FileHandleDefinition handle{.id = r.number32(), .name = r.number32()};
            handle.file = r.number32();
            handle.paradigm = r.byte();
            all.fileHandles.push_back(handle);
            break;
        }
        case interComm: {
            CommDefinition comm{.id = r.number32(), .name = r.number32()};
            comm.group = r.number32();
            comm.remote = r.number32();
            comm.parent = r.number32();
            all.comms.push_back(comm);
            break;
        }
        case nodeProperty: {
            const Ref owner = r.number32();
            all.nodeProperties.push_back(readProperty(r, owner));
            break;
        }
        case locationProperty: {
            const std::uint64_t owner = r.number64();
            all.locationProperties.push_back(readProperty(r, owner));
            break;
        }
        case cartDimension: {
            const Ref id = r.number32();
            r.number32();  // name
            DimensionDefinition dimension{.length = r.number32()};
            dimension.periodic = r.byte() != 0;
            all.dimensions[id] = dimension;
            break;
        }
        case cartTopology: {
            TopologyDefinition topology{.id = r.number32(), .name = r.number32(), .dimensions = {}};
            topology.comm = r.number32();
            topology.dimensions = numbers<Ref>(r, r.byte());
            all.topologies.push_back(std::move(topology));
            break;
        }
        case cartCoordinate: {
            CoordinateDefinition coordinate{.topology = r.number32(), .rank = r.number32(), .at = {}};
            coordinate.at = numbers<std::uint32_t>(r, r.byte());
            all.coordinates.push_back(std::move(coordinate));
            break;
        }
        default: break;
    }
}

/// Calls `each(kind, record)` for every definition of a file; whether the file ends as it should.
template <class Each>
bool readRecords(ChunkedFile& file, const engine::Progress& progress, Each each) {
    for (Cursor chunk; file.next(chunk);) {
        progress.at(0);
        while (!chunk.atEnd()) {
            const std::uint8_t kind = chunk.byte();
            if (kind == mark::endOfChunk) break;
            if (kind == mark::endOfFile) return true;
            if (kind == mark::endOfBuffer) continue;
            Cursor record = chunk.record();
            if (chunk.broken()) return false;
            each(kind, record);
        }
    }
    return false;
}

}  // namespace

std::string Definitions::words(Ref id) const {
    const auto entry = strings.find(id);
    return entry == strings.end() ? std::string{} : entry->second;
}

Definitions readDefinitions(const Anchor& anchor, const engine::Progress& progress) {
    ChunkedFile file{anchor.definitionFile(), anchor.definitionChunk};
    Definitions all;
    all.whole = readRecords(file, progress, [&](std::uint8_t kind, Cursor& record) {
        ++all.count;
        readRecord(kind, record, all);
    });
    return all;
}

std::uint64_t IdMap::operator()(std::uint64_t local) const {
    if (local < dense_.size()) return dense_[engine::asSize(local)];
    if (sparse_.empty()) return local;
    const auto entry = sparse_.find(local);
    return entry == sparse_.end() ? local : entry->second;
}

void IdMap::read(Cursor& record) {
    const std::uint64_t count = record.number64();
    const std::uint8_t mode = record.byte();
    defined_ = true;
    if (mode == 0) {
        dense_ = numbers<std::uint64_t>(record, count);
        return;
    }
    for (std::uint64_t i = 0; i < count && !record.broken(); ++i) {
        const std::uint64_t local = record.number64();
        const std::uint64_t global = record.number64();
        if (!record.broken()) sparse_[local] = global;
    }
}

LocalDefinitions readLocalDefinitions(const Anchor& anchor, std::uint64_t location) {
    LocalDefinitions local;
    const std::filesystem::path path = anchor.fileOf(location, ".def");
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return local;
    local.there = true;
    ChunkedFile file{path, anchor.definitionChunk};
    local.whole = readRecords(file, {}, [&](std::uint8_t kind, Cursor& record) {
        if (kind == mappingTable) {
            constexpr std::uint8_t ofStrings = 0, ofAttributes = 1, ofRegions = 3, ofGroups = 4, ofMetrics = 5,
                                   ofComms = 6, ofParameters = 7, ofWindows = 8, ofFileHandles = 13;
            const std::uint8_t what = record.byte();
            if (what == ofStrings) local.strings.read(record);
            if (what == ofAttributes) local.attributes.read(record);
            if (what == ofRegions) local.regions.read(record);
            if (what == ofGroups) local.groups.read(record);
            if (what == ofParameters) local.parameters.read(record);
            if (what == ofFileHandles) local.fileHandles.read(record);
            if (what == ofMetrics) local.metrics.read(record);
            if (what == ofComms) local.comms.read(record);
            if (what == ofWindows) local.windows.read(record);
        } else if (kind == clockOffset) {
            OffsetDefinition offset{.at = record.full64()};
            offset.offset = record.signed64();
            offset.deviation = record.fullDouble();
            if (!record.broken()) local.offsets.push_back(offset);
        }
    });
    std::stable_sort(local.offsets.begin(), local.offsets.end(),
                     [](const OffsetDefinition& a, const OffsetDefinition& b) { return a.at < b.at; });
    return local;
}

}  // namespace traces::reading
