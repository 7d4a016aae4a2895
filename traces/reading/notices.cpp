// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/notices.hpp"

#include "traces/reading/events.hpp"

namespace traces::reading {
namespace {

std::optional<Notice> ofTeam(NoticeKind kind, Cursor& r, const LocalDefinitions& local, const World& world) {
    const std::uint32_t id = r.number32();
    const std::int32_t team = world.teamOf(local.comms.empty() ? id : local.comms(id));
    if (team == noIndex) return std::nullopt;
    return Notice{.subject = static_cast<std::uint32_t>(team), .kind = kind};
}

Notice ofLock(NoticeKind kind, std::uint8_t paradigm, Cursor& r) {
    Notice notice{.subject = r.number32(), .kind = kind, .detail = paradigm};
    notice.number = r.number32();
    return notice;
}

}  // namespace

std::optional<Notice> noticeOf(std::uint8_t kind, Cursor& record, const LocalDefinitions& local, const World& world) {
    std::optional<Notice> notice;
    switch (kind) {
        case event::threadFork:
            record.byte();  // model
            notice = {.number = record.number32(), .kind = NoticeKind::fork};
            break;
        case event::ompJoin:
        case event::threadJoin: notice = {.kind = NoticeKind::join}; break;
        case event::threadTeamBegin: notice = ofTeam(NoticeKind::teamBegin, record, local, world); break;
        case event::threadTeamEnd: notice = ofTeam(NoticeKind::teamEnd, record, local, world); break;
        case event::threadAcquireLock:
        case event::threadReleaseLock: {
            const std::uint8_t paradigm = record.byte();
            notice = ofLock(kind == event::threadAcquireLock ? NoticeKind::acquireLock : NoticeKind::releaseLock,
                            paradigm, record);
            break;
        }
        case event::ompAcquireLock:
        case event::ompReleaseLock:
            notice = ofLock(kind == event::ompAcquireLock ? NoticeKind::acquireLock : NoticeKind::releaseLock,
                            otf2::paradigmOpenMp, record);
            break;
        default: return std::nullopt;
    }
    return record.broken() ? std::nullopt : notice;
}

}  // namespace traces::reading
