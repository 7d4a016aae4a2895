// SPDX-License-Identifier: BSD-3-Clause
#include "traces/calls.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/otf2/definition_writer.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/staging.hpp"
#include "traces/vocabulary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace traces {
namespace otf2 {
namespace {

using engine::Error;
using engine::text;
using engine::live::Call;
using engine::live::Called;
using engine::live::Calls;
using engine::live::Record;
using engine::live::Team;
using engine::live::TeamKind;

constexpr std::uint64_t nanoseconds = 1'000'000'000;
constexpr OTF2_AttributeRef algorithm = 0;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_FlushCallbacks flushCallbacks{flush, nullptr};

OTF2_CollectiveOp operationOf(Called called) {
    switch (engine::live::blockingOf(called)) {
        case Called::allgather: return OTF2_COLLECTIVE_OP_ALLGATHER;
        case Called::allgatherv: return OTF2_COLLECTIVE_OP_ALLGATHERV;
        case Called::allreduce: return OTF2_COLLECTIVE_OP_ALLREDUCE;
        case Called::alltoall: return OTF2_COLLECTIVE_OP_ALLTOALL;
        case Called::alltoallv: return OTF2_COLLECTIVE_OP_ALLTOALLV;
        case Called::alltoallw: return OTF2_COLLECTIVE_OP_ALLTOALLW;
        case Called::bcast: return OTF2_COLLECTIVE_OP_BCAST;
        case Called::exscan: return OTF2_COLLECTIVE_OP_EXSCAN;
        case Called::gather: return OTF2_COLLECTIVE_OP_GATHER;
        case Called::gatherv: return OTF2_COLLECTIVE_OP_GATHERV;
        case Called::reduce: return OTF2_COLLECTIVE_OP_REDUCE;
        case Called::reduceScatter: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
        case Called::reduceScatterBlock: return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
        case Called::scan: return OTF2_COLLECTIVE_OP_SCAN;
        case Called::scatter: return OTF2_COLLECTIVE_OP_SCATTER;
        case Called::scatterv: return OTF2_COLLECTIVE_OP_SCATTERV;
        default: return OTF2_COLLECTIVE_OP_BARRIER;
    }
}

OTF2_RegionRole roleOf(Called called) {
    switch (engine::live::blockingOf(called)) {
        case Called::bcast:
        case Called::scatter:
        case Called::scatterv: return OTF2_REGION_ROLE_COLL_ONE2ALL;
        case Called::gather:
        case Called::gatherv:
        case Called::reduce: return OTF2_REGION_ROLE_COLL_ALL2ONE;
        case Called::exscan:
        case Called::scan: return OTF2_REGION_ROLE_COLL_OTHER;
        case Called::barrier: return OTF2_REGION_ROLE_BARRIER;
        default: return OTF2_REGION_ROLE_COLL_ALL2ALL;
    }
}

std::uint32_t rootOf(std::int32_t root) {
    switch (root) {
        case engine::live::root::none: return OTF2_UNDEFINED_UINT32;
        case engine::live::root::self: return OTF2_COLLECTIVE_ROOT_SELF;
        case engine::live::root::sameGroup: return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
        default: return static_cast<std::uint32_t>(root);
    }
}

/// A location: the thread of a process that calls.
struct Caller {
    std::int32_t process = 0;
    std::uint16_t thread = 0;
    std::uint64_t events = 0;
};

class CallsWriter {
public:
    CallsWriter(const Calls& calls, const std::filesystem::path& place, const std::filesystem::path& named)
        : calls_{calls},
          teams_{engine::live::teamsOf(calls.teamFiles)},
          doing_{text("write the archive ", named.string())} {
        archive_.reset(checked(OTF2_Archive_Open(place.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                                 definitionChunk(), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
                               doing_));
        check(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flushCallbacks, nullptr), doing_);
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()), doing_);
        check(OTF2_Archive_SetCreator(archive_.get(), own::creator), doing_);
    }

    CallsWritten write() {
        DefinitionWriter strings{archive_.get(), doing_};
        writer_ = checked(OTF2_Archive_GetGlobalDefWriter(archive_.get()), doing_);
        for (const std::string& way : teams_.ways) ways_.push_back(strings.string(way));
        for (std::int32_t process = 0; process < calls_.processes; ++process) callers_.push_back({process, 0, 0});
        check(OTF2_Archive_OpenEvtFiles(archive_.get()), doing_);
        for (std::int32_t process = 0; process < calls_.processes; ++process) events(calls_.recordOf(process));
        check(OTF2_Archive_CloseEvtFiles(archive_.get()), doing_);
        localDefinitions();
        definitions(strings);
        check(OTF2_Archive_Close(archive_.release()), doing_);
        return written_;
    }

private:
    /// A group lists every member with up to ten bytes, in one chunk.
    [[nodiscard]] std::uint64_t definitionChunk() const {
        const std::uint64_t needed = static_cast<std::uint64_t>(calls_.processes) * 11 + 4096;
        if (needed > OTF2_CHUNK_SIZE_MAX)
            throw Error{text("an OTF2 archive holds at most ", OTF2_CHUNK_SIZE_MAX / 11, " processes; the program had ",
                             calls_.processes)};
        return std::max<std::uint64_t>(needed, OTF2_CHUNK_SIZE_MIN);
    }

    /// Thread after thread; the calls of one follow each other.
    void events(const Record& record) {
        std::map<std::uint16_t, std::vector<Call>> byThread{{0, {}}};
        for (const Call& call : engine::live::callsOf(record)) byThread[call.thread].push_back(call);
        hosts_.push_back(record.host);
        written_.dropped += record.dropped;
        for (const auto& [thread, calls] : byThread) {
            const std::size_t place = thread == 0 ? engine::asSize(record.process) : callers_.size();
            if (thread != 0) callers_.push_back({record.process, thread, 0});
            events(record, calls, place);
        }
    }

    void events(const Record& record, const std::vector<Call>& calls, std::size_t place) {
        OTF2_EvtWriter* writer = checked(OTF2_Archive_GetEvtWriter(archive_.get(), place), doing_);
        const Attributes attributes{OTF2_AttributeList_New()};
        std::uint64_t count = 0;
        OTF2_TimeStamp last = timeOf(record, record.clock[0].at);
        for (const Call& call : calls) {
            // Clocks of two hosts are only known so well: what must not happen is that time goes back on one of them.
            const OTF2_TimeStamp begin = std::max(last, timeOf(record, call.begin));
            const OTF2_TimeStamp end = last = std::max(begin, timeOf(record, call.end));
            const auto region = static_cast<OTF2_RegionRef>(call.called);
            check(OTF2_EvtWriter_Enter(writer, nullptr, begin, region), doing_);
            check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, begin), doing_);
            if (call.way != 0 && call.way < ways_.size()) {
                check(OTF2_AttributeList_AddStringRef(attributes.get(), algorithm, ways_[call.way]), doing_);
                ++written_.replaced;
            }
            check(OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes.get(), end, operationOf(call.called),
                                                  communicatorOf(record, call), rootOf(call.root),
                                                  static_cast<std::uint64_t>(call.sent),
                                                  static_cast<std::uint64_t>(call.received)),
                  doing_);
            check(OTF2_EvtWriter_Leave(writer, nullptr, end, region), doing_);
            count += 4;
            first_ = std::min(first_, begin);
        }
        if (record.dropped > 0) {
            check(OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, last, OTF2_MEASUREMENT_OFF), doing_);
            last = std::max(last, timeOf(record, record.turnBegan));
            check(OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, last, OTF2_MEASUREMENT_ON), doing_);
            count += 2;
        }
        last_ = std::max(last_, last);
        written_.calls += static_cast<std::int64_t>(calls.size());
        callers_[place].events = count;
        check(OTF2_Archive_CloseEvtWriter(archive_.get(), writer), doing_);
    }

    static OTF2_TimeStamp timeOf(const Record& record, std::int64_t own) {
        return static_cast<OTF2_TimeStamp>(std::max<std::int64_t>(0, record.common(own)));
    }

    [[nodiscard]] OTF2_CommRef communicatorOf(const Record& record, const Call& call) const {
        const auto& own = teams_.ofProcess[engine::asSize(record.process)];
        if (call.team < 0 || engine::asSize(call.team) >= own.size())
            throw Error{
                text("the record of process ", record.process, " names a communicator that it does not describe")};
        return static_cast<OTF2_CommRef>(own[engine::asSize(call.team)]);
    }

    void localDefinitions() {
        check(OTF2_Archive_OpenDefFiles(archive_.get()), doing_);
        for (std::size_t place = 0; place < callers_.size(); ++place)
            check(OTF2_Archive_CloseDefWriter(archive_.get(),
                                              checked(OTF2_Archive_GetDefWriter(archive_.get(), place), doing_)),
                  doing_);
        check(OTF2_Archive_CloseDefFiles(archive_.get()), doing_);
    }

    void definitions(DefinitionWriter& strings) {
        first_ = std::min(first_, last_);
        check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, nanoseconds, first_, last_ - first_,
                                                        OTF2_UNDEFINED_TIMESTAMP),
              doing_);
        check(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, strings.string("MPI"),
                                                 OTF2_PARADIGM_CLASS_PROCESS),
              doing_);
        check(OTF2_GlobalDefWriter_WriteAttribute(writer_, algorithm, strings.string("algorithm"),
                                                  strings.string("what replaced the library's own collective"),
                                                  OTF2_TYPE_STRING),
              doing_);
        hosts(strings);
        for (const Called called : engine::live::everyCalled) {
            const OTF2_StringRef name = strings.string(engine::live::nameOfCall(called));
            check(OTF2_GlobalDefWriter_WriteRegion(writer_, static_cast<OTF2_RegionRef>(called), name, name,
                                                   strings.string(""), roleOf(called), OTF2_PARADIGM_MPI,
                                                   OTF2_REGION_FLAG_NONE, strings.string(""), 0, 0),
                  doing_);
        }
        communicators(strings);
    }

    void hosts(DefinitionWriter& strings) {
        const OTF2_StringRef host = strings.string("host");
        std::map<std::string, OTF2_SystemTreeNodeRef> nodes;
        for (const std::string& name : hosts_) {
            const auto [entry, isNew] = nodes.try_emplace(name, static_cast<OTF2_SystemTreeNodeRef>(nodes.size()));
            if (isNew)
                check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, entry->second, strings.string(name), host,
                                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                      doing_);
        }
        for (std::int32_t process = 0; process < calls_.processes; ++process)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(
                      writer_, static_cast<OTF2_LocationGroupRef>(process), strings.string(text("rank ", process)),
                      OTF2_LOCATION_GROUP_TYPE_PROCESS, nodes[hosts_[engine::asSize(process)]],
                      OTF2_UNDEFINED_LOCATION_GROUP),
                  doing_);
        for (std::size_t i = 0; i < callers_.size(); ++i) {
            const Caller& caller = callers_[i];
            const std::string name = caller.thread == 0 ? text("rank ", caller.process)
                                                        : text("rank ", caller.process, ", thread ", caller.thread);
            check(OTF2_GlobalDefWriter_WriteLocation(writer_, i, strings.string(name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     caller.events, static_cast<OTF2_LocationGroupRef>(caller.process)),
                  doing_);
        }
    }

    /// The group of all locations comes first, and groups before the communicators made of them.
    void communicators(DefinitionWriter& strings) {
        std::vector<std::int32_t> all(engine::asSize(calls_.processes));
        std::iota(all.begin(), all.end(), 0);
        group(strings, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
        for (std::size_t i = 0; i < teams_.all.size(); ++i) {
            const Team& team = teams_.all[i];
            const auto id = static_cast<OTF2_CommRef>(i);
            const OTF2_StringRef name = strings.string(team.name);
            if (team.kind == TeamKind::inter) {
                const OTF2_GroupRef first = group(strings, OTF2_GROUP_TYPE_COMM_GROUP, team.members);
                const OTF2_GroupRef second = group(strings, OTF2_GROUP_TYPE_COMM_GROUP, team.others);
                check(OTF2_GlobalDefWriter_WriteInterComm(writer_, id, name, first, second, OTF2_UNDEFINED_COMM,
                                                          OTF2_COMM_FLAG_NONE),
                      doing_);
                continue;
            }
            const OTF2_GroupRef members =
                group(strings, team.kind == TeamKind::self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
                      team.members);
            check(OTF2_GlobalDefWriter_WriteComm(writer_, id, name, members, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                  doing_);
        }
    }

    OTF2_GroupRef group(DefinitionWriter& strings, OTF2_GroupType type, const std::vector<std::int32_t>& ranks) {
        const std::vector<std::uint64_t> members{ranks.begin(), ranks.end()};
        check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups_, strings.string(""), type, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
                                              members.data()),
              doing_);
        return groups_++;
    }

    const Calls& calls_;
    engine::live::Teams teams_;
    std::string doing_;
    Archive archive_;
    OTF2_GlobalDefWriter* writer_ = nullptr;
    OTF2_GroupRef groups_ = 0;
    std::vector<OTF2_StringRef> ways_;
    std::vector<Caller> callers_;
    std::vector<std::string> hosts_;
    OTF2_TimeStamp first_ = std::numeric_limits<OTF2_TimeStamp>::max();
    OTF2_TimeStamp last_ = 0;
    CallsWritten written_;
};

}  // namespace
}  // namespace otf2

CallsWritten writeCalls(const engine::live::Calls& calls, const std::filesystem::path& folder) {
    Staging staging{folder, Overwrite::refuse};
    const otf2::Complaints complaints;
    const CallsWritten written = otf2::CallsWriter{calls, staging.place(), folder}.write();
    staging.publish();
    return written;
}

}  // namespace traces
