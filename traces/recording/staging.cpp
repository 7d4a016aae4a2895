// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/staging.hpp"

#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/records/collective_records.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace traces {

using engine::Error;
using engine::text;
namespace fs = std::filesystem;

namespace {

/// In the order of leaving: without its anchor an archive is none. They arrive the other way round.
constexpr std::array<std::string_view, 4> parts{"traces.otf2", "traces.marker", "traces.def", "traces"};

std::vector<fs::path> anchorsIn(const fs::path& folder) {
    std::vector<fs::path> anchors;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder})
        if (entry.path().extension() == ".otf2" && !entry.is_directory()) anchors.push_back(entry.path());
    std::sort(anchors.begin(), anchors.end());
    return anchors;
}

/// Removes the files of the archive in `folder`, and the folder when nothing else is in it.
void removeArchive(const fs::path& folder) noexcept {
    std::error_code ignored;
    for (fs::directory_iterator at{folder / "traces", ignored}, end; !ignored && at != end; at.increment(ignored))
        if (std::error_code failed; isOfLocation(at->path())) fs::remove(at->path(), failed);
    for (const std::string_view part : parts) fs::remove(folder / part, ignored);
    fs::remove(folder, ignored);
}

[[noreturn]] void refuse(const fs::path& folder, const std::error_code& reason) {
    throw Error{text("cannot write to ", folder.string(), ": ", engine::whyUnwritable(reason.value()),
                     "; name a folder that can be written")};
}

/// Never over something that is there, also when it came a moment ago.
void move(const fs::path& from, const fs::path& to) {
    if (const std::error_code failed = engine::moveTo(from, to, engine::Existing::refuse))
        throw fs::filesystem_error{"moving", from, to, failed};
}

/// What stands in `folder` and must not be touched; returns when an archive may be put there.
void inspect(const fs::path& folder, Overwrite overwrite) {
    const std::string name = folder.string();
    for (const fs::path& anchor : anchorsIn(folder))
        if (anchor.filename() != parts.front())
            throw Error{text(name, " holds the archive ", anchor.filename().string(), "; name another folder")};
    const bool holdsArchive = fs::exists(folder / parts.front());
    if (overwrite == Overwrite::refuse && holdsArchive)
        throw Error{text(name, " contains an archive already; name another folder, or replace it with ",
                         engine::Field{"force"})};
    if (overwrite == Overwrite::refuse && !fs::is_empty(folder))
        throw Error{text(name, " contains other files; name a new or an empty folder")};
    for (const std::string_view part : parts)
        if (!holdsArchive && fs::exists(folder / part))
            throw Error{
                text((folder / part).string(), " is in the way and belongs to no archive; name another folder")};
}

}  // namespace

Staging::Staging(const fs::path& folder, Overwrite overwrite) {
    if (folder.empty()) throw Error{"the archive needs a folder; its name is empty"};
    target_ = fs::absolute(folder).lexically_normal();
    if (!target_.has_filename()) target_ = target_.parent_path();
    try {
        existed_ = fs::exists(target_);
        if (existed_ && !fs::is_directory(target_))
            throw Error{text(folder.string(), " is a file; name a folder for the archive")};
        if (existed_) inspect(target_, overwrite);
        else makeFolder(target_.parent_path());
        const fs::path beside = existed_ ? target_ : target_.parent_path();
        for (int attempt = 0; hidden_.empty(); ++attempt) {
            const fs::path name = beside / text(".collscope-", ::getpid(), "-", attempt);
            if (fs::create_directory(name)) hidden_ = name;
        }
        fresh_ = hidden_ / "new";
        former_ = hidden_ / "former";
    } catch (const fs::filesystem_error& failure) {
        for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
            std::error_code ignored;
            fs::remove(*made, ignored);
        }
        refuse(folder, failure.code());
    }
}

void requireWritable(const fs::path& target, Overwrite overwrite) {
    if (isAnchor(target)) {
        const AnchorStaging tried{target};
    } else {
        const Staging tried{target, overwrite};
    }
}

Staging::~Staging() {
    std::error_code ignored;
    removeArchive(fresh_);
    removeArchive(former_);
    fs::remove(hidden_, ignored);
    for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, ignored);
}

void Staging::makeFolder(const fs::path& folder) {
    if (fs::is_directory(folder)) return;
    if (fs::exists(folder)) throw Error{text(folder.string(), " is a file; name a folder for the archive")};
    makeFolder(folder.parent_path());
    if (fs::create_directory(folder)) made_.push_back(folder);
}

void Staging::publish() {
    try {
        if (existed_) exchange();
        else move(fresh_, target_);
        made_.clear();
    } catch (const fs::filesystem_error& failure) {
        refuse(target_, failure.code());
    }
}

AnchorStaging::AnchorStaging(const fs::path& anchor) : anchor_{fs::absolute(anchor)}, name_{anchor.stem().string()} {
    if (!isAnchor(anchor) || name_.empty())
        throw Error{text(anchor.string(), " is no name of an archive; it must end in .otf2")};
    for (const std::string_view ending : {".otf2", ".marker", ".def", ""})
        if (const fs::path there = fs::path{anchor}.replace_extension(ending); fs::exists(fs::symlink_status(there)))
            throw Error{text(there.string(), " is there already; name another file")};
    std::string hidden = (anchor_.parent_path() / ".collscope-XXXXXX").string();
    if (::mkdtemp(hidden.data()) == nullptr) refuse(anchor_.parent_path(), {errno, std::generic_category()});
    hidden_ = hidden;
}

AnchorStaging::~AnchorStaging() {
    std::error_code ignored;
    fs::remove_all(hidden_, ignored);
}

void AnchorStaging::publish() {
    std::vector<fs::path> moved;
    try {
        for (const char* ending : {"", ".def", ".marker", ".otf2"}) {
            const fs::path part = name_ + ending;
            if (!fs::exists(hidden_ / part)) continue;  // few archives have markers
            move(hidden_ / part, anchor_.parent_path() / part);
            moved.push_back(anchor_.parent_path() / part);
        }
    } catch (const fs::filesystem_error& failure) {
        std::error_code ignored;
        for (const fs::path& part : moved) fs::remove_all(part, ignored);
        refuse(anchor_.parent_path(), failure.code());
    }
}

/// The former archive leaves, the new one comes; when that fails the former one comes back.
void Staging::exchange() {
    const auto moved = [](const fs::path& from, const fs::path& to, std::string_view part) {
        if (fs::exists(fs::symlink_status(from / part))) move(from / part, to / part);
    };
    fs::create_directory(former_);
    try {
        for (const std::string_view part : parts) moved(target_, former_, part);
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) moved(fresh_, target_, *part);
    } catch (const fs::filesystem_error&) {
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            if (!fs::exists(former_ / *part)) continue;
            moved(target_, fresh_, *part);
            moved(former_, target_, *part);
        }
        throw;
    }
    if (!fs::is_directory(former_ / "traces")) return;
    for (const fs::directory_entry& entry : fs::directory_iterator{former_ / "traces"})
        if (!isOfLocation(entry.path())) move(entry.path(), target_ / "traces" / entry.path().filename());
}

bool isOfLocation(const fs::path& file) {
    const std::string stem = file.stem().string();
    const fs::path kind = file.extension();
    return !stem.empty() &&
           std::all_of(stem.begin(), stem.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
           (kind == ".evt" || kind == ".def" || kind == ".snap");
}

fs::path anchorOf(const fs::path& path) {
    constexpr std::string_view right =
        "name an OTF2 anchor file (*.otf2), a PyTorch profiler trace (*.json, *.json.gz), an NCCL log, a Flight Recorder dump, or a folder of these";
    try {
        if (const fs::path records = engine::live::recordsOf(path); !fs::exists(path) && fs::exists(records))
            throw Error{text(path.string(),
                             " does not exist; the records of a program that did not end normally are in ",
                             records.string())};
        if (!fs::exists(path)) throw Error{text(path.string(), " does not exist; ", right)};
        if (!fs::is_directory(path)) {
            const fs::path ending = path.extension();
            if (ending == ".goal")
                throw Error{text(path.string(), " is a GOAL text, not a trace; collscope replay ", path.string(),
                                 " runs it in virtual time")};
            if (ending == ".et" || ending == ".xml" || ending == ".lua")
                throw Error{text(path.string(), " is an algorithm, not a trace; collscope run ", path.string(),
                                 " runs it in virtual time")};
            if (ending != ".otf2") throw Error{text(path.string(), " is not a trace; ", right)};
            return path;
        }
        const std::vector<fs::path> anchors = anchorsIn(path);
        const fs::path folder = path.filename().empty() ? path.parent_path() : path;
        if (anchors.empty() && folder.extension() == ".records")
            throw Error{text(folder.string(),
                             " contains the records of a program that has not finished; collscope rollcall shows its "
                             "calls, and collscope-mpi collect ",
                             folder.string(), " OUT makes an archive of them")};
        if (anchors.empty()) throw Error{text(path.string(), " contains no OTF2 archive; ", right)};
        if (anchors.size() > 1)
            throw Error{text(path.string(), " holds ", anchors.size(), " archives, ", anchors[0].filename().string(),
                             " and ", anchors[1].filename().string(), " among them; name one of them")};
        return anchors.front();
    } catch (const fs::filesystem_error& failure) {
        throw Error{text("cannot open ", path.string(), ": ", failure.code().message(), "; ", right)};
    }
}

}  // namespace traces
