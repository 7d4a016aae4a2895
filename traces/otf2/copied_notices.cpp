// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/copied_notices.hpp"

#include "traces/otf2/check.hpp"

namespace traces::otf2 {
namespace {

OTF2_ErrorCode writeOfThreads(const Recording& recording, const Notice& notice, OTF2_EvtWriter* writer,
                              OTF2_TimeStamp time) {
    const OTF2_Paradigm paradigm = notice.detail;
    const auto order = static_cast<std::uint32_t>(notice.number);
    switch (notice.kind) {
        case NoticeKind::fork: return OTF2_EvtWriter_ThreadFork(writer, nullptr, time, OTF2_PARADIGM_OPENMP, order);
        case NoticeKind::join: return OTF2_EvtWriter_ThreadJoin(writer, nullptr, time, OTF2_PARADIGM_OPENMP);
        case NoticeKind::teamBegin:
            return OTF2_EvtWriter_ThreadTeamBegin(writer, nullptr, time, teamOf(recording, notice.subject));
        case NoticeKind::teamEnd:
            return OTF2_EvtWriter_ThreadTeamEnd(writer, nullptr, time, teamOf(recording, notice.subject));
        case NoticeKind::acquireLock:
            return OTF2_EvtWriter_ThreadAcquireLock(writer, nullptr, time, paradigm, notice.subject, order);
        default: return OTF2_EvtWriter_ThreadReleaseLock(writer, nullptr, time, paradigm, notice.subject, order);
    }
}

constexpr std::uint32_t nobody = std::numeric_limits<std::int32_t>::max();  // of any window

OTF2_ErrorCode writeOneSided(CopiedDefinitions& definitions, const Recording& recording, Rank self,
                             const Notice& notice, OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
    const std::uint32_t window = notice.subject;
    const std::int32_t communicator = recording.windows[window].communicator;
    const std::uint32_t peer = notice.peer == everyRank ? OTF2_UNDEFINED_UINT32
                               : notice.peer == noRank  ? nobody
                                                        : definitions.peerOf(communicator, notice.peer, self);
    const OTF2_LockType lock = notice.detail;
    switch (notice.kind) {
        case NoticeKind::syncGroup:
            return OTF2_EvtWriter_RmaGroupSync(writer, nullptr, time, notice.detail, window, groupOf(notice.number));
        case NoticeKind::requestWindow:
            return OTF2_EvtWriter_RmaRequestLock(writer, nullptr, time, window, peer, notice.number, lock);
        case NoticeKind::acquireWindow:
            return OTF2_EvtWriter_RmaAcquireLock(writer, nullptr, time, window, peer, notice.number, lock);
        case NoticeKind::releaseWindow:
            return OTF2_EvtWriter_RmaReleaseLock(writer, nullptr, time, window, peer, notice.number);
        case NoticeKind::flushWindow:
            return OTF2_EvtWriter_RmaSync(writer, nullptr, time, window, peer, OTF2_RMA_SYNC_TYPE_MEMORY);
        case NoticeKind::put: return OTF2_EvtWriter_RmaPut(writer, nullptr, time, window, peer, notice.number, 0);
        case NoticeKind::get: return OTF2_EvtWriter_RmaGet(writer, nullptr, time, window, peer, notice.number, 0);
        default:
            return OTF2_EvtWriter_RmaAtomic(writer, nullptr, time, window, peer, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
                                            notice.number, 0, 0);
    }
}

OTF2_ErrorCode writeParameter(CopiedDefinitions& definitions, const Recording& recording, const Notice& notice,
                              OTF2_EvtWriter* writer, OTF2_TimeStamp time) {
    const OTF2_ParameterRef parameter = notice.subject;
    switch (static_cast<ParameterType>(notice.detail)) {
        case ParameterType::words:
            return OTF2_EvtWriter_ParameterString(
                writer, nullptr, time, parameter,
                definitions.string(recording.parameters[notice.subject].words[engine::asSize(notice.number)]));
        case ParameterType::integer:
            return OTF2_EvtWriter_ParameterInt(writer, nullptr, time, parameter,
                                               static_cast<std::int64_t>(notice.number));
        case ParameterType::natural: break;
    }
    return OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, time, parameter, notice.number);
}

OTF2_ErrorCode writeOfFile(const Notice& notice, OperationNumbers& operations, OTF2_EvtWriter* writer,
                           OTF2_TimeStamp time) {
    const OTF2_IoHandleRef handle = notice.subject;
    switch (notice.kind) {
        case NoticeKind::openFile:
            return OTF2_EvtWriter_IoCreateHandle(writer, nullptr, time, handle, notice.detail,
                                                 OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
        case NoticeKind::closeFile: return OTF2_EvtWriter_IoDestroyHandle(writer, nullptr, time, handle);
        case NoticeKind::beginOperation:
            return OTF2_EvtWriter_IoOperationBegin(writer, nullptr, time, handle, notice.detail,
                                                   OTF2_IO_OPERATION_FLAG_NONE, notice.number, operations(notice));
        case NoticeKind::endOperation:
            return OTF2_EvtWriter_IoOperationComplete(writer, nullptr, time, handle, notice.number, operations(notice));
        case NoticeKind::cancelOperation:
            return OTF2_EvtWriter_IoOperationCancelled(writer, nullptr, time, handle, operations(notice));
        case NoticeKind::seekFile:
            return OTF2_EvtWriter_IoSeek(writer, nullptr, time, handle, static_cast<std::int64_t>(notice.number),
                                         OTF2_IO_SEEK_FROM_START, notice.number);
        case NoticeKind::lockFile: return OTF2_EvtWriter_IoAcquireLock(writer, nullptr, time, handle, notice.detail);
        case NoticeKind::unlockFile: return OTF2_EvtWriter_IoReleaseLock(writer, nullptr, time, handle, notice.detail);
        default: return OTF2_EvtWriter_IoTryLock(writer, nullptr, time, handle, notice.detail);
    }
}

}  // namespace

std::uint64_t OperationNumbers::operator()(const Notice& notice) {
    if (notice.kind == NoticeKind::beginOperation) ofSlot_[notice.slot] = ++last_;
    return ofSlot_[notice.slot];
}

void writeNotice(CopiedDefinitions& definitions, const Recording& recording, const Location& location,
                 const Notice& notice, OperationNumbers& operations, OTF2_EvtWriter* writer, OTF2_TimeStamp time,
                 const std::string& doing) {
    check(isOneSided(notice.kind) ? writeOneSided(definitions, recording, location.rank, notice, writer, time)
          : isOfFile(notice.kind) ? writeOfFile(notice, operations, writer, time)
          : notice.kind == NoticeKind::parameter ? writeParameter(definitions, recording, notice, writer, time)
                                                 : writeOfThreads(recording, notice, writer, time),
          doing);
}

}  // namespace traces::otf2
