// SPDX-License-Identifier: BSD-3-Clause
// A recording as an OTF2 archive again: what other tools read of a selected part.
#include "traces/export/copy.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/otf2/check.hpp"
#include "traces/otf2/copied_definitions.hpp"
#include "traces/otf2/copied_notices.hpp"
#include "traces/otf2/handles.hpp"
#include "traces/recording/staging.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace traces {
namespace otf2 {
namespace {

using engine::text;

/// Who recorded it is who counted its bytes, and stays named.
std::string copiedBy(const std::string& recorder) {
    constexpr std::string_view copied = "copied by Collscope";
    if (recorder.find(copied) != std::string::npos) return recorder;
    return recorder.empty() ? std::string{copied} : text(recorder, ", ", copied);
}

/// The operation that OTF2 has for one of these, whose region or attribute says the rest.
Operation ofAllRanks(Operation operation) {
    switch (operation) {
        case Operation::fence: return Operation::barrier;
        case Operation::neighborAllgather: return Operation::allgather;
        case Operation::neighborAllgatherv: return Operation::allgatherv;
        case Operation::neighborAlltoall: return Operation::alltoall;
        case Operation::neighborAlltoallv: return Operation::alltoallv;
        case Operation::neighborAlltoallw: return Operation::alltoallw;
        default: return operation;
    }
}

/// A record of communication at its time; `index` is that of the message, half or participant.
struct Record {
    enum class Kind : std::uint8_t {
        send,
        postSend,
        completeSend,
        receive,
        postReceive,
        completeReceive,
        beginCollective,
        endCollective,
        halfSend,
        halfReceive,
        inside,
        metrics,
        notice
    };
    /// What comes first of records of one time.
    enum class Phase : std::uint8_t { endsWhatBegan, begins, endsAtOnce };
    Picoseconds time{};
    Kind kind{};
    Phase phase{};
    std::size_t index = 0;
    /// Of a collective; the set of samples; the location of a notice; of a message of the library a Record::Kind.
    std::size_t instance = 0;
};

class Copying {
public:
    Copying(const Recording& recording, const std::filesystem::path& place, const std::string& name,
            const std::filesystem::path& target)
        : all_{recording}, doing_{text("write the archive ", target.string())}, destination_{place, doing_} {
        archive_ = beginArchive(destination_, name, OTF2_CHUNK_SIZE_MAX, copiedBy(recording.creator));
        for (const auto& [property, value] : recording.properties)
            if (isCopied(property) && !value.empty() && value.size() <= own::longestProperty)
                check(OTF2_Archive_SetProperty(archive_.get(), property.c_str(), value.c_str(), false), doing_);
    }

    void write(const engine::Progress& progress) {
        const std::vector<std::vector<Record>> records = recordsByLocation();
        std::vector<std::uint64_t> counts;
        definitions_.emplace(all_, checked(OTF2_Archive_GetGlobalDefWriter(archive_.get()), doing_), doing_);
        check(OTF2_Archive_OpenEvtFiles(archive_.get()), doing_);
        for (std::size_t i = 0; i < all_.locations.size(); ++i) {
            progress.at(0.9 * static_cast<double>(i) / static_cast<double>(all_.locations.size()));
            counts.push_back(events(i, records[i]));
        }
        check(OTF2_Archive_CloseEvtFiles(archive_.get()), doing_);
        check(OTF2_Archive_OpenDefFiles(archive_.get()), doing_);
        for (const Location& location : all_.locations) {
            OTF2_DefWriter* writer = checked(OTF2_Archive_GetDefWriter(archive_.get(), location.id), doing_);
            check(OTF2_Archive_CloseDefWriter(archive_.get(), writer), doing_);
        }
        check(OTF2_Archive_CloseDefFiles(archive_.get()), doing_);
        definitions_->write(counts);
        markers();
        check(OTF2_Archive_Close(archive_.release()), doing_);
    }

private:
    /// By the rank and the time of a call: the stream or thread of it.
    using Lanes = std::map<std::tuple<Rank, Picoseconds, Picoseconds>, std::size_t>;
    [[nodiscard]] Lanes lanesOfCollectives() const {
        Lanes lanes;
        for (std::size_t location = 0; location < all_.locations.size(); ++location) {
            const States& states = all_.states[location];
            for (std::size_t i = 0; i < states.size(); ++i)
                if (all_.regions[engine::asSize(states.region[i])].call == Call::collective)
                    lanes.try_emplace({all_.locations[location].rank, states.begin[i], states.end[i]}, location);
        }
        return lanes;
    }

    /// What every location has to tell of messages and collectives, in the order of time.
    [[nodiscard]] std::vector<std::vector<Record>> recordsByLocation() const {
        using Kind = Record::Kind;
        std::vector<std::size_t> speaker(engine::asSize(all_.ranks), all_.locations.size());
        for (std::size_t i = 0; i < all_.locations.size(); ++i)
            if (all_.locations[i].speaksForRank) speaker[all_.locations[i].rank.index()] = i;
        std::vector<std::vector<Record>> records(all_.locations.size());
        const auto add = [&](Rank rank, Picoseconds time, Kind kind, Record::Phase phase, std::size_t index,
                             std::size_t instance = 0) {
            const std::size_t location = speaker[rank.index()];
            if (location < records.size()) records[location].push_back({time, kind, phase, index, instance});
        };
        const auto begins = [&](Rank rank, Picoseconds time, Kind kind, std::size_t index, std::size_t instance = 0) {
            add(rank, time, kind, Record::Phase::begins, index, instance);
        };
        const auto ends = [&](Rank rank, Picoseconds begin, Picoseconds time, Kind kind, std::size_t index,
                              std::size_t instance = 0) {
            add(rank, time, kind, begin < time ? Record::Phase::endsWhatBegan : Record::Phase::endsAtOnce, index,
                instance);
        };
        for (std::size_t i = 0; i < all_.messages.size(); ++i) {
            const Message m = all_.messages[i];
            if ((m.flags & flag::sendNonBlocking) == 0) begins(m.from, m.sendBegin, Kind::send, i);
            else begins(m.from, m.sendBegin, Kind::postSend, i);
            if ((m.flags & (flag::sendNonBlocking | flag::sendEndUnknown)) == flag::sendNonBlocking)
                ends(m.from, m.sendBegin, m.sendEnd, Kind::completeSend, i);
            if ((m.flags & flag::receiveNonBlocking) == 0) ends(m.to, m.receiveBegin, m.receiveEnd, Kind::receive, i);
            else begins(m.to, m.receiveBegin, Kind::postReceive, i);
            if ((m.flags & (flag::receiveNonBlocking | flag::receiveInferred)) == flag::receiveNonBlocking)
                ends(m.to, m.receiveBegin, m.receiveEnd, Kind::completeReceive, i);
        }
        for (std::size_t i = 0; i < all_.halves.size(); ++i) {
            const Half& half = all_.halves[i];
            if (half.communicator == noIndex) continue;  // a request that never completed says nothing
            if (half.side == Side::send) begins(half.self, half.begin, Kind::halfSend, i);
            else ends(half.self, half.begin, half.end, Kind::halfReceive, i);
        }
        const Lanes lanes = isTraining(all_) ? lanesOfCollectives() : Lanes{};
        for (std::size_t i = 0; i < all_.collectives.instances.size(); ++i) {
            const Collective& instance = all_.collectives.instances[i];
            for (std::size_t k = instance.first; k < instance.first + instance.count; ++k) {
                const Participant& part = all_.collectives.participants[k];
                if (const auto lane = lanes.find({part.rank, part.begin, part.end}); lane != lanes.end()) {
                    const auto phase = part.begin < part.end ? Record::Phase::endsWhatBegan : Record::Phase::endsAtOnce;
                    records[lane->second].push_back({part.begin, Kind::beginCollective, Record::Phase::begins, k, i});
                    records[lane->second].push_back({part.end, Kind::endCollective, phase, k, i});
                    continue;
                }
                begins(part.rank, part.begin, Kind::beginCollective, k, i);
                ends(part.rank, part.begin, part.end, Kind::endCollective, k, i);
            }
        }
        const auto step = [](Kind kind) { return static_cast<std::size_t>(kind); };
        for (std::size_t i = 0; i < all_.library.messages.size(); ++i) {
            const Message m = all_.library.messages[i];
            begins(m.from, m.sendBegin, Kind::inside, i, step(Kind::postSend));
            ends(m.from, m.sendBegin, m.sendEnd, Kind::inside, i, step(Kind::completeSend));
            begins(m.to, m.receiveBegin, Kind::inside, i, step(Kind::postReceive));
            ends(m.to, m.receiveBegin, m.receiveEnd, Kind::inside, i, step(Kind::completeReceive));
        }
        for (std::size_t set = 0; set < all_.samples.size(); ++set) {
            const MetricSamples& samples = all_.samples[set];
            for (std::size_t i = 0; i < samples.time.size(); ++i)
                records[engine::asSize(samples.location)].push_back(
                    {samples.time[i], Kind::metrics, Record::Phase::endsWhatBegan, i, set});
        }
        for (std::size_t i = 0; i < all_.notices.size(); ++i)
            for (std::size_t k = 0; k < all_.notices[i].size(); ++k)
                records[i].push_back({all_.notices[i][k].time, Kind::notice, Record::Phase::endsWhatBegan, k, i});
        for (std::vector<Record>& its : records)
            std::stable_sort(its.begin(), its.end(), [](const Record& a, const Record& b) {
                return std::tie(a.time, a.phase) < std::tie(b.time, b.phase);
            });
        return records;
    }

    /// Calls nest as they did; at one time a call is entered, its records follow, then it is left. Where one is left
    /// when the next is entered, what begins then is of the next.
    std::uint64_t events(std::size_t location, const std::vector<Record>& records) {
        OTF2_EvtWriter* writer =
            checked(OTF2_Archive_GetEvtWriter(archive_.get(), all_.locations[location].id), doing_);
        const States& states = all_.states[location];
        operations_ = {};
        std::uint64_t count = 0;
        std::size_t next = 0;
        OTF2_TimeStamp latest = 0;
        const auto at = [&](Picoseconds time) { return latest = std::max(latest, all_.clock.tickOf(time)); };
        const auto recordsWhile = [&](auto isDue) {
            for (; next < records.size() && isDue(records[next]); ++next) {
                record(records[next], writer, at(records[next].time));
                ++count;
            }
        };
        // What no record here tells of: mostly the program's begin and end.
        const Location& its = all_.locations[location];
        const Picoseconds first = std::min(states.size() == 0 ? its.last : states.begin[0],
                                           records.empty() ? its.last : records.front().time);
        if (its.first < first) {
            check(OTF2_EvtWriter_ProgramBegin(writer, nullptr, at(its.first), OTF2_UNDEFINED_STRING, 0, nullptr),
                  doing_);
            ++count;
        }
        std::vector<std::size_t> stack;
        std::size_t entered = 0;
        const auto leaveBefore = [&](Picoseconds nextBegin) {
            const std::size_t state = stack.back();
            stack.pop_back();
            const Picoseconds end = states.end[state];
            recordsWhile([&](const Record& record) {
                return record.time < end ||
                       (record.time == end && (record.kind == Record::Kind::notice
                                                   ? isDue(record, entered)
                                                   : record.phase == Record::Phase::endsWhatBegan || nextBegin != end));
            });
            if (std::binary_search(states.open.begin(), states.open.end(), static_cast<std::uint32_t>(state))) return;
            check(OTF2_EvtWriter_Leave(writer, nullptr, at(states.end[state]),
                                       static_cast<OTF2_RegionRef>(states.region[state])),
                  doing_);
            ++count;
        };
        for (std::size_t i = 0; i < states.size(); ++i) {
            const Picoseconds begin = states.begin[i];
            while (!stack.empty() && states.depth[stack.back()] >= states.depth[i]) leaveBefore(begin);
            recordsWhile([&](const Record& record) {
                return record.time < begin || (record.time == begin && isDue(record, entered));
            });
            check(OTF2_EvtWriter_Enter(writer, nullptr, at(states.begin[i]),
                                       static_cast<OTF2_RegionRef>(states.region[i])),
                  doing_);
            ++count;
            ++entered;
            stack.push_back(i);
        }
        while (!stack.empty()) leaveBefore(Picoseconds::max());
        recordsWhile([](const Record&) { return true; });
        if (count > 0 && latest < all_.clock.tickOf(its.last)) {
            check(OTF2_EvtWriter_ProgramEnd(writer, nullptr, at(its.last), OTF2_UNDEFINED_INT64), doing_);
            ++count;
        }
        check(OTF2_Archive_CloseEvtWriter(archive_.get(), writer), doing_);
        return count;
    }

    void markers() {
        if (all_.markers.empty()) return;
        OTF2_MarkerWriter* writer = checked(OTF2_Archive_GetMarkerWriter(archive_.get()), doing_);
        std::map<std::pair<std::string, std::string>, OTF2_MarkerRef> kinds;
        for (const Marker& marker : all_.markers) {
            const auto [kind, isNew] =
                kinds.try_emplace({marker.group, marker.category}, static_cast<OTF2_MarkerRef>(kinds.size()));
            if (isNew)
                check(OTF2_MarkerWriter_WriteDefMarker(writer, kind->second, marker.group.c_str(),
                                                       marker.category.c_str(), OTF2_SEVERITY_NONE),
                      doing_);
            const bool all = marker.location == noIndex;
            const std::uint64_t begin = all_.clock.tickOf(marker.begin);
            check(OTF2_MarkerWriter_WriteMarker(writer, begin, all_.clock.tickOf(marker.end) - begin, kind->second,
                                                all ? OTF2_MARKER_SCOPE_GLOBAL : OTF2_MARKER_SCOPE_LOCATION,
                                                all ? 0 : all_.locations[engine::asSize(marker.location)].id,
                                                marker.text.c_str()),
                  doing_);
        }
        check(OTF2_Archive_CloseMarkerWriter(archive_.get(), writer), doing_);
    }

    /// Whether it is a notice that came when so many calls had been entered.
    [[nodiscard]] bool isDue(const Record& record, std::size_t entered) const {
        return record.kind == Record::Kind::notice && all_.notices[record.instance][record.index].entered <= entered;
    }

    void record(const Record& record, OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
        using Kind = Record::Kind;
        const std::size_t i = record.index;
        if (record.kind == Kind::beginCollective) {
            if (!all_.collectives.participants[i].nonBlocking)
                check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time), doing_);
            else check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, time, i), doing_);
            return;
        }
        if (record.kind == Kind::endCollective) return endCollective(record, writer, time);
        if (record.kind == Kind::inside) return inside(record, writer, time);
        if (record.kind == Kind::metrics) return metrics(record, writer, time);
        if (record.kind == Kind::notice)
            return writeNotice(*definitions_, all_, all_.locations[record.instance], all_.notices[record.instance][i],
                               operations_, writer, time, doing_);
        if (record.kind == Kind::halfSend || record.kind == Kind::halfReceive) {
            const Half& half = all_.halves[i];
            const std::uint32_t peer = definitions_->peerOf(half.communicator, half.peer, half.self);
            const auto comm = static_cast<OTF2_CommRef>(half.communicator);
            const auto bytes = static_cast<std::uint64_t>(half.bytes);
            check(record.kind == Kind::halfSend
                      ? OTF2_EvtWriter_MpiSend(writer, nullptr, time, peer, comm, half.tag, bytes)
                      : OTF2_EvtWriter_MpiRecv(writer, nullptr, time, peer, comm, half.tag, bytes),
                  doing_);
            return;
        }
        const Message m = all_.messages[i];
        const auto comm = static_cast<OTF2_CommRef>(m.communicator);
        const auto bytes = static_cast<std::uint64_t>(m.bytes);
        const auto to = [&] { return definitions_->peerOf(m.communicator, m.to, m.from); };
        const auto from = [&] { return definitions_->peerOf(m.communicator, m.from, m.to); };
        OTF2_ErrorCode code = OTF2_SUCCESS;
        switch (record.kind) {
            case Kind::send: code = OTF2_EvtWriter_MpiSend(writer, nullptr, time, to(), comm, m.tag, bytes); break;
            case Kind::postSend:
                code = OTF2_EvtWriter_MpiIsend(writer, nullptr, time, to(), comm, m.tag, bytes, 2 * i);
                break;
            case Kind::completeSend: code = OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time, 2 * i); break;
            case Kind::receive: code = OTF2_EvtWriter_MpiRecv(writer, nullptr, time, from(), comm, m.tag, bytes); break;
            case Kind::postReceive: code = OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time, 2 * i + 1); break;
            default:
                code = OTF2_EvtWriter_MpiIrecv(writer, nullptr, time, from(), comm, m.tag, bytes, 2 * i + 1);
                break;
        }
        check(code, doing_);
    }

    /// The request of the nonblocking collective that a message of the library is of; nothing of a blocking one.
    [[nodiscard]] std::optional<std::size_t> requestOf(std::size_t message) const {
        const std::int32_t number = all_.library.collective[message];
        if (number == noIndex) return std::nullopt;
        const Collective& instance = all_.collectives.instances[engine::asSize(number)];
        for (std::size_t k = instance.first; k < instance.first + instance.count; ++k)
            if (const Participant& part = all_.collectives.participants[k];
                part.rank == all_.library.messages.from[message])
                return part.nonBlocking ? std::optional{k} : std::nullopt;
        return std::nullopt;
    }

    void inside(const Record& record, OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
        using Kind = Record::Kind;
        const Message m = all_.library.messages[record.index];
        const auto comm = insideOf(all_, m.communicator);
        const auto bytes = static_cast<std::uint64_t>(m.bytes);
        const auto peer = [&](Rank of, Rank self) {
            return m.communicator == noIndex ? static_cast<std::uint32_t>(of.value)
                                             : definitions_->peerOf(m.communicator, of, self);
        };
        const std::uint64_t send = own::firstInside + 2 * record.index, receive = send + 1;
        OTF2_AttributeList* list = nullptr;
        switch (static_cast<Kind>(record.instance)) {
            case Kind::postSend:
                if (const auto request = requestOf(record.index)) {
                    list = attributes_.get();
                    check(OTF2_AttributeList_AddUint64(list, withinAttribute, *request), doing_);
                }
                check(OTF2_EvtWriter_MpiIsend(writer, list, time, peer(m.to, m.from), comm, m.tag, bytes, send),
                      doing_);
                break;
            case Kind::completeSend: check(OTF2_EvtWriter_MpiIsendComplete(writer, list, time, send), doing_); break;
            case Kind::postReceive: check(OTF2_EvtWriter_MpiIrecvRequest(writer, list, time, receive), doing_); break;
            default:
                check(OTF2_EvtWriter_MpiIrecv(writer, list, time, peer(m.from, m.to), comm, m.tag, bytes, receive),
                      doing_);
                break;
        }
    }

    void metrics(const Record& record, OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
        const MetricSamples& samples = all_.samples[record.instance];
        const std::vector<OTF2_Type> types(samples.values.size(), OTF2_TYPE_DOUBLE);
        std::vector<OTF2_MetricValue> values(samples.values.size());
        for (std::size_t k = 0; k < values.size(); ++k) values[k].floating_point = samples.values[k][record.index];
        check(OTF2_EvtWriter_Metric(writer, nullptr, time, static_cast<OTF2_MetricRef>(record.instance),
                                    static_cast<std::uint8_t>(values.size()), types.data(), values.data()),
              doing_);
    }

    /// As the rank passed it: ranks may disagree.
    std::uint32_t rootOf(const Collective& instance, const Participant& part) {
        if (part.root == Participant::rootSelf) return OTF2_COLLECTIVE_ROOT_SELF;
        if (part.root == Participant::rootSameGroup) return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
        const Communicator& within = all_.communicators[engine::asSize(instance.communicator)];
        const bool fromMembers =
            std::find(within.members.begin(), within.members.end(), part.rank) != within.members.end();
        const std::vector<Rank>& others =
            within.kind == CommunicatorKind::inter && fromMembers ? within.remote : within.members;
        Rank root = instance.root;
        if (part.root >= 0 && engine::asSize(part.root) < others.size()) root = others[engine::asSize(part.root)];
        if (root == noRank) return OTF2_COLLECTIVE_ROOT_NONE;
        return definitions_->peerOf(instance.communicator, root, root == part.rank ? noRank : part.rank);
    }

    void endCollective(const Record& record, OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
        const Collective& instance = all_.collectives.instances[record.instance];
        const Participant& part = all_.collectives.participants[record.index];
        const auto comm = static_cast<OTF2_CommRef>(instance.communicator);
        const auto operation = static_cast<OTF2_CollectiveOp>(ofAllRanks(instance.operation));
        const std::uint32_t root = rootOf(instance, part);
        const auto sent = static_cast<std::uint64_t>(part.sent), received = static_cast<std::uint64_t>(part.received);
        OTF2_AttributeList* list = nullptr;
        if (part.reduction != noIndex) {
            list = attributes_.get();
            check(OTF2_AttributeList_AddStringRef(
                      list, reductionAttribute, definitions_->string(all_.reductions[engine::asSize(part.reduction)])),
                  doing_);
        }
        const auto addName = [&](OTF2_AttributeRef attribute, const std::vector<std::string>& names,
                                 std::int32_t index) {
            if (index == noIndex) return;
            list = attributes_.get();
            check(OTF2_AttributeList_AddStringRef(list, attribute, definitions_->string(names[engine::asSize(index)])),
                  doing_);
        };
        if (isAmongNeighbours(instance.operation)) {
            list = attributes_.get();
            check(OTF2_AttributeList_AddUint64(list, amongNeighboursAttribute, 1), doing_);
        }
        addName(algorithmAttribute, all_.algorithms, instance.algorithm);
        addName(ofLibraryAttribute, all_.library.algorithms, instance.ofLibrary);
        addName(componentAttribute, all_.library.components, instance.component);
        check(part.nonBlocking
                  ? OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, list, time, operation, comm, root, sent,
                                                                 received, record.index)
                  : OTF2_EvtWriter_MpiCollectiveEnd(writer, list, time, operation, comm, root, sent, received),
              doing_);
    }

    const Recording& all_;
    std::string doing_;
    Destination destination_;
    Archive archive_;
    std::optional<CopiedDefinitions> definitions_;
    OperationNumbers operations_;  ///< of the location that is written
    Attributes attributes_{OTF2_AttributeList_New()};
};

}  // namespace
}  // namespace otf2

void writeCopy(const Recording& recording, const std::filesystem::path& target, const engine::Progress& progress,
               Overwrite overwrite) {
    const otf2::Complaints complaints;
    stage(target, overwrite, [&](const std::filesystem::path& folder, const std::string& name) {
        otf2::Copying{recording, folder, name, target}.write(progress);
        progress.at(1);
    });
}

}  // namespace traces
