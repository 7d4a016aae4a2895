// SPDX-License-Identifier: BSD-3-Clause
// Large traces are read once: their columns are kept in an index file and mapped the next time.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/hang_diagnosis/hang_diagnosis.hpp"
#include "engine/live/source_lines.hpp"
#include "traces/flight_recorder/dump.hpp"
#include "traces/index/index_file.hpp"
#include "traces/kineto/job.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/calls.hpp"
#include "traces/recording/staging.hpp"
#include "traces/storage/cache.hpp"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace traces {

namespace fs = std::filesystem;

namespace {

/// Where the index of this archive lies; empty when none is kept, or there is no place for it.
fs::path placeFor(const fs::path& anchor, const index::Fingerprint& print, const Opening& opening) {
    if (print.eventBytes < opening.smallest) return {};
    if (opening.keep == Keep::besideTrace) return anchor.string() + ".index";
    const fs::path cache = index::cacheFolder();
    return cache.empty() ? fs::path{} : index::placeInCache(cache, anchor);
}

/// Makes the folder of the cache; throws Error when nothing can be written beside the trace.
void preparePlace(const fs::path& place, const fs::path& anchor, Keep keep) {
    std::error_code ignored;
    if (keep == Keep::inCache) fs::create_directories(place.parent_path(), ignored);
    else if (fs::exists(fs::symlink_status(place, ignored)) && !index::isIndex(place))
        throw engine::Error{
            engine::text("no index can be written next to ", anchor.string(), ": ", place.string(),
                         " is no index of ours; move it away, keep the index in the cache or keep none")};
    else if (::access(place.parent_path().empty() ? "." : place.parent_path().c_str(), W_OK) != 0)
        throw engine::Error{engine::text("no index can be written next to ", anchor.string(), ": ",
                                         std::strerror(errno), "; keep it in the cache or keep none")};
}

void keepIndex(const Recording& recording, const fs::path& anchor, const index::Fingerprint& print,
               const fs::path& place, Keep keep, const engine::Progress& progress) {
    // An archive that was written to meanwhile is not what was read.
    if (index::fingerprintOf(anchor) != print) return;
    if (keep == Keep::inCache && !index::makeRoom(place.parent_path(), index::sizeOf(recording))) return;
    if (!index::write(recording, print, place, progress)) return;
    // Who may read the trace may read what lies beside it.
    std::error_code ignored;
    if (keep == Keep::besideTrace) fs::permissions(place, fs::status(anchor, ignored).permissions(), ignored);
}

/// A folder for as long as it is read.
class Passing {
public:
    Passing() {
        std::string name = (fs::temp_directory_path() / "collscope-records-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw engine::Error{engine::text("cannot write to ", name, ": ", std::strerror(errno))};
        folder_ = name;
    }
    ~Passing() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;
    [[nodiscard]] fs::path archive() const { return folder_ / "archive"; }

private:
    fs::path folder_;
};

/// The records of a program that hangs or died, by way of an archive of them.
RecordingPtr readRecords(const fs::path& records, const Opening& opening, const engine::Progress& progress) {
    const Passing passing;
    (void)writeRecords(records, passing.archive());
    auto recording = std::make_shared<Recording>(*readRecording(passing.archive(), progress, opening.memory));
    recording->name = records.string();
    return recording;
}

std::string dumpsAreNoTrace(const fs::path& path) {
    return engine::text(path.string(), " contains Flight Recorder dumps, which have no timeline; collscope open ",
                        path.string(), " lists the last calls of each rank, and collscope rollcall ", path.string(),
                        " names the missing ranks");
}

}  // namespace

CallsWritten writeRecords(const fs::path& records, const fs::path& folder) {
    engine::live::Calls calls = engine::live::callsIn(records);
    engine::live::addLines(calls.teamFiles);
    if (!engine::live::allAreDone(records)) calls.hangReport = engine::live::hangReport(records);
    return writeCalls(calls, folder);
}

bool isRecords(const fs::path& path) {
    std::error_code absent;
    const fs::path folder = path.filename().empty() ? path.parent_path() : path;
    return folder.extension() == ".records" && fs::exists(engine::live::fileOf(folder, 0), absent);
}

RecordingPtr openRecording(const fs::path& path, const Opening& opening, const engine::Progress& progress) {
    if (isRecords(path) && opening.crew == nullptr) return readRecords(path, opening, progress);
    if (flight::isDumps(path)) throw engine::Error{dumpsAreNoTrace(path)};
    if (kineto::isJob(path) && opening.crew == nullptr) return kineto::readJob(path, progress, opening.before);
    if (opening.keep == Keep::nowhere)
        return readRecording(path, progress, opening.memory, opening.crew, opening.before);
    const fs::path anchor = anchorOf(path);
    const index::Fingerprint print = index::fingerprintOf(anchor);
    const fs::path place = placeFor(anchor, print, opening);
    if (place.empty()) return readRecording(path, progress, opening.memory, opening.crew, opening.before);
    if (RecordingPtr known = index::load(place, print, opening.memory.bytes, anchor)) {
        index::touch(place);
        auto named = std::make_shared<Recording>(*known);
        named->name = path.string();
        progress.at(1);
        return named;
    }
    preparePlace(place, anchor, opening.keep);
    RecordingPtr recording = readRecording(path, progress, opening.memory, opening.crew, opening.before);
    const auto keep = [recording, anchor, print, place, where = opening.keep](const engine::Progress& told) {
        keepIndex(*recording, anchor, print, place, where, told);
    };
    if (opening.later) opening.later(keep);
    else keep(progress);
    return recording;
}

void requireOpenable(const fs::path& path, const Opening& opening) {
    if (isRecords(path)) return;
    if (flight::isDumps(path)) throw engine::Error{dumpsAreNoTrace(path)};
    if (kineto::isJob(path)) return;
    requireReadable(path);
    if (opening.keep != Keep::besideTrace) return;
    const fs::path anchor = anchorOf(path);
    const index::Fingerprint print = index::fingerprintOf(anchor);
    const fs::path place = placeFor(anchor, print, opening);
    if (!place.empty() && !index::isIndex(place)) preparePlace(place, anchor, opening.keep);
}

}  // namespace traces
