// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/notices.hpp"

#include "traces/reading/files/events.hpp"

#include <limits>

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

constexpr std::uint32_t everyone = std::numeric_limits<std::uint32_t>::max();  // of a window, as OTF2 writes it

/// The window that comes next in the record, and whose memory it is where `peer` is true.
std::optional<Notice> ofWindow(NoticeKind kind, Cursor& r, const LocalDefinitions& local, const World& world, bool peer,
                               Rank self) {
    const std::uint32_t id = r.number32();
    const std::int32_t window = world.windowOf(local.windows.empty() ? id : local.windows(id));
    const std::uint32_t remote = peer ? r.number32() : 0;
    if (window == noIndex || r.broken()) return std::nullopt;
    Notice notice{.subject = static_cast<std::uint32_t>(window), .kind = kind};
    if (peer)
        notice.peer = remote == everyone
                          ? everyRank
                          : world.rankOf(world.windows[engine::asSize(window)].communicator, remote, self);
    return notice;
}

std::optional<Notice> ofGroup(Cursor& r, const LocalDefinitions& local, const World& world) {
    const std::uint32_t level = r.number32();
    std::optional<Notice> notice = ofWindow(NoticeKind::syncGroup, r, local, world, false, noRank);
    const std::uint32_t id = r.number32();
    const std::int32_t group = world.groupOf(local.groups.empty() ? id : local.groups(id));
    if (!notice || group == noIndex) return std::nullopt;
    notice->number = static_cast<std::uint64_t>(group);
    notice->detail = static_cast<std::uint8_t>(level);
    return notice;
}

std::optional<Notice> ofWindowLock(NoticeKind kind, Cursor& r, const LocalDefinitions& local, const World& world,
                                   Rank self) {
    std::optional<Notice> notice = ofWindow(kind, r, local, world, true, self);
    const std::uint64_t number = r.number64();
    const std::uint8_t type = kind == NoticeKind::releaseWindow ? 0 : r.byte();
    if (!notice) return notice;
    notice->number = number;
    notice->detail = type;
    return notice;
}

std::optional<Notice> ofTransfer(NoticeKind kind, Cursor& r, const LocalDefinitions& local, const World& world,
                                 Rank self) {
    std::optional<Notice> notice = ofWindow(kind, r, local, world, true, self);
    if (kind == NoticeKind::atomic) r.byte();  // what is done there
    std::uint64_t bytes = r.number64();
    if (kind == NoticeKind::atomic) bytes += r.number64();
    if (notice) notice->number = bytes;
    return notice;
}

std::optional<Notice> ofParameter(ParameterType type, Cursor& r, const LocalDefinitions& local, const World& world) {
    const std::uint32_t id = r.number32();
    const std::int32_t parameter = world.parameterOf(local.parameters.empty() ? id : local.parameters(id));
    std::uint64_t value = type == ParameterType::words ? r.number32() : r.number64();
    if (type == ParameterType::words && !local.strings.empty()) value = local.strings(value);
    if (parameter == noIndex) return std::nullopt;
    return Notice{.number = value,
                  .subject = static_cast<std::uint32_t>(parameter),
                  .kind = NoticeKind::parameter,
                  .detail = static_cast<std::uint8_t>(type)};
}

}  // namespace

std::optional<Notice> noticeOf(std::uint8_t kind, Cursor& record, const LocalDefinitions& local, const World& world,
                               Rank self) {
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
        case event::rmaGroupSync: notice = ofGroup(record, local, world); break;
        case event::rmaRequestLock: notice = ofWindowLock(NoticeKind::requestWindow, record, local, world, self); break;
        case event::rmaAcquireLock: notice = ofWindowLock(NoticeKind::acquireWindow, record, local, world, self); break;
        case event::rmaReleaseLock: notice = ofWindowLock(NoticeKind::releaseWindow, record, local, world, self); break;
        case event::rmaSync: notice = ofWindow(NoticeKind::flushWindow, record, local, world, true, self); break;
        case event::rmaPut: notice = ofTransfer(NoticeKind::put, record, local, world, self); break;
        case event::rmaGet: notice = ofTransfer(NoticeKind::get, record, local, world, self); break;
        case event::rmaAtomic: notice = ofTransfer(NoticeKind::atomic, record, local, world, self); break;
        case event::parameterString: notice = ofParameter(ParameterType::words, record, local, world); break;
        case event::parameterInt: notice = ofParameter(ParameterType::integer, record, local, world); break;
        case event::parameterUnsignedInt: notice = ofParameter(ParameterType::natural, record, local, world); break;
        default: return std::nullopt;
    }
    return record.broken() ? std::nullopt : notice;
}

}  // namespace traces::reading
