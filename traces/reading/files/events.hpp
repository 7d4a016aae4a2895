// SPDX-License-Identifier: BSD-3-Clause
// Event records of one location, told to a listener one by one. Records that nobody asked for are counted and skipped
// by their length, so later versions of the format can be read too.
#pragma once

#include "traces/reading/files/chunks.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace traces::reading {

/// Event records by the numbers in their files.
namespace event {
constexpr std::uint8_t measurementOnOff = 11, enter = 12, leave = 13, mpiSend = 14, mpiIsend = 15,
                       mpiIsendComplete = 16, mpiIrecvRequest = 17, mpiRecv = 18, mpiIrecv = 19, mpiRequestTest = 20,
                       mpiRequestCancelled = 21, mpiCollectiveBegin = 22, mpiCollectiveEnd = 23, ompFork = 24,
                       ompJoin = 25, ompAcquireLock = 26, ompReleaseLock = 27, ompTaskCreate = 28, ompTaskSwitch = 29,
                       ompTaskComplete = 30, metric = 31, parameterString = 32, parameterInt = 33,
                       parameterUnsignedInt = 34, windowCollectiveBegin = 37, windowCollectiveEnd = 38,
                       rmaGroupSync = 39, rmaRequestLock = 40, rmaAcquireLock = 41, rmaReleaseLock = 43, rmaSync = 44,
                       rmaPut = 46, rmaGet = 47, rmaAtomic = 48, threadFork = 53, threadJoin = 54, threadTeamBegin = 55,
                       threadTeamEnd = 56, threadAcquireLock = 57, threadReleaseLock = 58, ioCreateHandle = 69,
                       ioDestroyHandle = 70, ioSeek = 72, ioOperationBegin = 75, ioOperationComplete = 78,
                       ioOperationCancelled = 79, ioAcquireLock = 80, ioReleaseLock = 81, ioTryLock = 82,
                       collectiveRequest = 85, collectiveComplete = 86;
}  // namespace event

/// "MPI_SEND", as otf2-print calls them; empty for numbers of later versions.
std::string_view recordName(std::uint8_t kind);

/// Who the other side of a record is, in the location's own words.
struct Envelope {
    std::uint32_t peer = 0;
    std::uint32_t communicator = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
};

struct CollectiveRecord {
    std::uint8_t operation = 0;
    std::uint32_t communicator = 0;
    std::uint32_t root = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
};

enum class Ending : std::uint8_t {
    whole,    ///< the file ends as it should
    cutOff,   ///< it ends in the middle
    damaged,  ///< a record cannot be right
};

/// `most`: a record of more bytes is damaged.
inline Envelope envelopeOf(Cursor& r, std::uint64_t most) {
    Envelope envelope;
    envelope.peer = r.number32();
    envelope.communicator = r.number32();
    envelope.tag = r.number32();
    envelope.bytes = r.number64();
    if (envelope.bytes > most) r.spoil();
    return envelope;
}

inline CollectiveRecord collectiveOf(Cursor& r, std::uint64_t most) {
    CollectiveRecord record;
    record.operation = r.byte();
    record.communicator = r.number32();
    record.root = r.number32();
    record.sent = r.number64();
    record.received = r.number64();
    if (record.sent > most || record.received > most) r.spoil();
    return record;
}

/// Of a window, which stands in the place of the communicator.
inline CollectiveRecord windowCollectiveOf(Cursor& r, std::uint64_t most) {
    CollectiveRecord record;
    record.operation = r.byte();
    r.number32();  // whom it synchronises
    record.communicator = r.number32();
    record.root = r.number32();
    record.sent = r.number64();
    record.received = r.number64();
    if (record.sent > most || record.received > most) r.spoil();
    return record;
}

/// Tells `listener` the records of `chunk`. Returns whether the file goes on behind it.
///
/// A listener has: time(ticks), count(kind), attributes(Cursor), enter(region), leave(region), send(Envelope),
/// postSend(Envelope, request), completeSend(request), postReceive(request), receive(Envelope),
/// completeReceive(Envelope, request), cancel(request), beginCollective(), endCollective(CollectiveRecord),
/// endWindowCollective(CollectiveRecord), requestCollective(request), completeCollective(CollectiveRecord, request),
/// measure(bool), metric(Cursor&), fork(threads), other(kind, Cursor&) of all that is left, mostBytes().
template <class Listener>
bool tellRecords(Cursor& chunk, Listener& listener, Ending& ending) {
    // The loop is hot: its reader lives in registers, not behind the reference.
    Cursor in = chunk;
    const auto stop = [&](Ending how) {
        ending = how;
        return false;
    };
    while (!in.atEnd()) {
        const std::uint8_t kind = in.byte();
        switch (kind) {
            case mark::endOfChunk: return true;
            case mark::endOfBuffer: break;
            case mark::endOfFile: return stop(Ending::whole);
            case mark::timestamp:
                if (in.left() < 8) return stop(Ending::cutOff);
                listener.time(in.full64());
                break;
            case mark::attributes: {
                const Cursor list = in.record();
                if (in.broken()) return stop(Ending::damaged);
                listener.attributes(list);
                break;
            }
            case event::enter:
            case event::leave: {
                const std::uint32_t region = in.number32();
                if (in.broken()) return stop(Ending::damaged);
                listener.count(kind);
                kind == event::enter ? listener.enter(region) : listener.leave(region);
                break;
            }
            case event::mpiIsendComplete:
            case event::mpiIrecvRequest:
            case event::mpiRequestTest:
            case event::mpiRequestCancelled:
            case event::ompFork:
            case event::ompTaskCreate:
            case event::ompTaskSwitch:
            case event::ompTaskComplete: {
                const std::uint64_t number = in.number64();
                if (in.broken()) return stop(Ending::damaged);
                listener.count(kind);
                if (kind == event::mpiIsendComplete) listener.completeSend(number);
                else if (kind == event::mpiIrecvRequest) listener.postReceive(number);
                else if (kind == event::mpiRequestCancelled) listener.cancel(number);
                else if (kind == event::ompFork) listener.fork(number);
                break;
            }
            default: {
                Cursor r = in.record();
                if (in.broken()) return stop(Ending::damaged);
                listener.count(kind);
                switch (kind) {
                    case event::mpiSend: {
                        const Envelope envelope = envelopeOf(r, listener.mostBytes());
                        if (!r.broken()) listener.send(envelope);
                        break;
                    }
                    case event::mpiRecv: {
                        const Envelope envelope = envelopeOf(r, listener.mostBytes());
                        if (!r.broken()) listener.receive(envelope);
                        break;
                    }
                    case event::mpiIsend: {
                        const Envelope envelope = envelopeOf(r, listener.mostBytes());
                        const std::uint64_t request = r.number64();
                        if (!r.broken()) listener.postSend(envelope, request);
                        break;
                    }
                    case event::mpiIrecv: {
                        const Envelope envelope = envelopeOf(r, listener.mostBytes());
                        const std::uint64_t request = r.number64();
                        if (!r.broken()) listener.completeReceive(envelope, request);
                        break;
                    }
                    case event::mpiCollectiveBegin:
                    case event::windowCollectiveBegin: listener.beginCollective(); break;
                    case event::windowCollectiveEnd: {
                        const CollectiveRecord record = windowCollectiveOf(r, listener.mostBytes());
                        if (!r.broken()) listener.endWindowCollective(record);
                        break;
                    }
                    case event::mpiCollectiveEnd: {
                        const CollectiveRecord record = collectiveOf(r, listener.mostBytes());
                        if (!r.broken()) listener.endCollective(record);
                        break;
                    }
                    case event::collectiveRequest: {
                        const std::uint64_t request = r.number64();
                        if (!r.broken()) listener.requestCollective(request);
                        break;
                    }
                    case event::collectiveComplete: {
                        const CollectiveRecord record = collectiveOf(r, listener.mostBytes());
                        const std::uint64_t request = r.number64();
                        if (!r.broken()) listener.completeCollective(record, request);
                        break;
                    }
                    case event::metric: listener.metric(r); break;
                    case event::measurementOnOff: {
                        const std::uint8_t mode = r.byte();
                        if (!r.broken()) listener.measure(mode == 1);
                        break;
                    }
                    default: listener.other(kind, r); break;
                }
                if (r.broken()) return stop(Ending::damaged);
                break;
            }
        }
    }
    return true;
}

}  // namespace traces::reading
