// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/copied_notices.hpp"

#include "traces/otf2/check.hpp"

namespace traces::otf2 {

OTF2_CommRef teamOf(const Recording& recording, std::uint32_t team) {
    return static_cast<OTF2_CommRef>(recording.communicators.size()) + team;
}

void writeNotice(const Recording& recording, const Notice& notice, OTF2_EvtWriter* writer, OTF2_TimeStamp time,
                 const std::string& doing) {
    const OTF2_Paradigm paradigm = notice.detail;
    const auto order = static_cast<std::uint32_t>(notice.number);
    OTF2_ErrorCode code = OTF2_SUCCESS;
    switch (notice.kind) {
        case NoticeKind::fork:
            code = OTF2_EvtWriter_ThreadFork(writer, nullptr, time, OTF2_PARADIGM_OPENMP, order);
            break;
        case NoticeKind::join: code = OTF2_EvtWriter_ThreadJoin(writer, nullptr, time, OTF2_PARADIGM_OPENMP); break;
        case NoticeKind::teamBegin:
            code = OTF2_EvtWriter_ThreadTeamBegin(writer, nullptr, time, teamOf(recording, notice.subject));
            break;
        case NoticeKind::teamEnd:
            code = OTF2_EvtWriter_ThreadTeamEnd(writer, nullptr, time, teamOf(recording, notice.subject));
            break;
        case NoticeKind::acquireLock:
            code = OTF2_EvtWriter_ThreadAcquireLock(writer, nullptr, time, paradigm, notice.subject, order);
            break;
        case NoticeKind::releaseLock:
            code = OTF2_EvtWriter_ThreadReleaseLock(writer, nullptr, time, paradigm, notice.subject, order);
            break;
    }
    check(code, doing);
}

}  // namespace traces::otf2
