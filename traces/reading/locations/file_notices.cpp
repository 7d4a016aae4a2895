// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/file_notices.hpp"

#include "traces/reading/files/events.hpp"

#include <algorithm>
#include <limits>

namespace traces::reading {
namespace {

/// Bytes of an operation; 0 where they are not known, or more than any machine moves at once.
std::uint64_t bytesOf(Cursor& record) {
    constexpr std::uint64_t most = std::uint64_t{1} << 48;
    const std::uint64_t bytes = record.number64();
    return bytes > most ? 0 : bytes;
}

/// A place in a file; 0 where no file is so long.
std::uint64_t placeIn(Cursor& record) {
    const std::uint64_t place = record.number64();
    return place >> 62 != 0 ? 0 : place;
}

bool isOfOperation(NoticeKind kind) {
    return kind >= NoticeKind::beginOperation && kind <= NoticeKind::cancelOperation;
}

}  // namespace

bool FileNotices::areOf(std::uint8_t kind) {
    return kind == event::ioCreateHandle || kind == event::ioDestroyHandle || kind == event::ioSeek ||
           kind == event::ioOperationBegin || (kind >= event::ioOperationComplete && kind <= event::ioTryLock);
}

std::optional<std::uint16_t> FileOperations::begin(const Operation& operation) {
    if (free_.empty()) {
        if (used_ == std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
        free_.insert(used_++);
    }
    // One of that number that never ended is lost.
    const auto [entry, isNew] = underWay_.try_emplace(operation, *free_.begin());
    if (isNew) free_.erase(free_.begin());
    return entry->second;
}

std::optional<std::uint16_t> FileOperations::end(const Operation& operation) {
    const auto entry = underWay_.extract(operation);
    if (entry.empty()) return std::nullopt;
    free_.insert(entry.mapped());
    return entry.mapped();
}

std::optional<Notice> FileNotices::noticeOf(std::uint8_t kind, Cursor& record, const LocalDefinitions& local,
                                            const World& world) {
    const std::uint32_t handle = record.number32();
    const std::int32_t file = world.fileOf(local.fileHandles.empty() ? handle : local.fileHandles(handle));
    Notice notice{.subject = static_cast<std::uint32_t>(file)};
    std::uint64_t number = 0;
    switch (kind) {
        case event::ioCreateHandle:
            notice.kind = NoticeKind::openFile;
            notice.detail = record.byte();
            break;
        case event::ioDestroyHandle: notice.kind = NoticeKind::closeFile; break;
        case event::ioSeek:
            notice.kind = NoticeKind::seekFile;
            record.number64();  // as it was asked for,
            record.byte();      // and from where
            notice.number = placeIn(record);
            break;
        case event::ioAcquireLock:
        case event::ioReleaseLock:
        case event::ioTryLock:
            notice.kind = kind == event::ioAcquireLock   ? NoticeKind::lockFile
                          : kind == event::ioReleaseLock ? NoticeKind::unlockFile
                                                         : NoticeKind::tryFile;
            notice.detail = record.byte();
            break;
        case event::ioOperationBegin:
            notice.kind = NoticeKind::beginOperation;
            notice.detail = std::min(record.byte(), static_cast<std::uint8_t>(FileOperation::other));
            record.number32();  // whether it blocks, and the like
            notice.number = bytesOf(record);
            number = record.number64();
            break;
        case event::ioOperationComplete:
            notice.kind = NoticeKind::endOperation;
            notice.number = bytesOf(record);
            number = record.number64();
            break;
        default:
            notice.kind = NoticeKind::cancelOperation;
            number = record.number64();
            break;
    }
    if (record.broken() || file == noIndex) return std::nullopt;
    if (!isOfOperation(notice.kind)) return notice;
    const FileOperations::Operation operation{handle, number};
    const auto slot =
        notice.kind == NoticeKind::beginOperation ? operations_.begin(operation) : operations_.end(operation);
    if (!slot) return std::nullopt;
    notice.slot = *slot;
    return notice;
}

}  // namespace traces::reading
