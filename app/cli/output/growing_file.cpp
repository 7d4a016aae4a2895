// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/growing_file.hpp"

#include "app/cli/output/files.hpp"
#include "engine/base/error.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <sstream>
#include <utility>

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::text;

constexpr std::int64_t mostOfTable = std::int64_t{1} << 32;  // of a table that is to go on

/// Whether the open file still has this name.
bool isCalled(int descriptor, const fs::path& name) {
    struct stat open {
    }, named{};
    return ::fstat(descriptor, &open) == 0 && ::lstat(name.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

}  // namespace

GrowingFile::GrowingFile(fs::path file, engine::Existing existing, Begin begin, RowForm form)
    : file_{std::move(file)}, part_{file_}, existing_{existing}, form_{std::move(form)} {
    part_ += ".part";
    std::error_code ignored;
    const bool isThere = fs::exists(fs::symlink_status(part_, ignored));
    const bool goesOn = begin == Begin::whereItStopped;
    if (goesOn && !isThere && existing == engine::Existing::refuse && fs::is_regular_file(file_, ignored))
        throw Error{text("--resume: ", file_.string(),
                         " is complete: there was no sweep that was stopped; to sweep again, replace --resume by "
                         "--force or choose another name")};
    requireFree(file_, existing == engine::Existing::replace);
    if (isThere && !goesOn && existing == engine::Existing::refuse)
        throw Error{text("--output: ", part_.string(),
                         " is left of a sweep that was stopped; add --resume to go on or "
                         "--force to start again")};
    open(isThere);
    try {
        if (isThere) bytes_ = takeUp(goesOn);
        if (::ftruncate(descriptor_, bytes_) != 0 || ::lseek(descriptor_, bytes_, SEEK_SET) < 0)
            throw Error{text("cannot write '", part_.string(), "': ", engine::whyUnwritable(errno))};
        empty_ = !isThere;  // what was there is never removed
        if (bytes_ == 0) append(form_.header);
    } catch (...) {
        if (!isThere) ::unlink(part_.c_str());
        ::close(descriptor_);
        throw;
    }
}

GrowingFile::~GrowingFile() {
    if (descriptor_ < 0) return;
    if (empty_) ::unlink(part_.c_str());
    ::close(descriptor_);
}

void GrowingFile::open(bool isThere) {
    const int kind = isThere ? 0 : O_CREAT | O_EXCL;
    descriptor_ = ::open(part_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | kind, 0666);
    if (descriptor_ < 0 && errno == ELOOP) throw Error{text("--output: ", part_.string(), " is a link; move it away")};
    if (descriptor_ < 0) throw Error{text("cannot write '", part_.string(), "': ", engine::whyUnwritable(errno))};
    const bool free = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 && isCalled(descriptor_, part_);
    if (free) return;
    ::close(descriptor_);
    throw Error{text("--output: another sweep is writing ", part_.string(), "; choose another name")};
}

/// Whole rows only: the last one may have been cut when the sweep was stopped. Returns their bytes; none are kept where
/// the sweep starts again, but a file of something else is never touched.
std::int64_t GrowingFile::takeUp(bool keep) {
    std::istringstream in{engine::bytesOf(part_, mostOfTable, text("--output: cannot read '", part_.string(), "'"))};
    std::string line;
    if (!std::getline(in, line)) return 0;
    const std::string& header = form_.header;
    if (!line.starts_with(header.substr(0, header.find(',') + 1)))
        throw Error{text("--output: ", part_.string(), " is in the way and was not written by sweep; move it away")};
    if (!keep) return 0;
    if (line != header)
        throw Error{
            text("--resume: ", part_.string(), " was not written by this version of sweep; start again with --force")};
    auto bytes = static_cast<std::int64_t>(line.size() + 1);
    while (std::getline(in, line) && !in.eof()) {
        if (!form_.isRow(line)) break;
        found_.push_back(line);
        bytes += static_cast<std::int64_t>(line.size() + 1);
    }
    return bytes;
}

void GrowingFile::add(const std::string& row) {
    append(row);
    empty_ = false;
}

void GrowingFile::append(const std::string& line) {
    const std::string words = line + '\n';
    for (std::size_t at = 0; at < words.size();) {
        const ssize_t written = ::write(descriptor_, words.data() + at, words.size() - at);
        if (written >= 0) {
            at += static_cast<std::size_t>(written);
            continue;
        }
        if (errno == EINTR) continue;
        const std::string reason = engine::whyUnwritable(errno);
        const bool cut = ::ftruncate(descriptor_, bytes_) == 0;
        throw Error{text("cannot write '", part_.string(), "': ", reason,
                         cut && !empty_ ? "; it keeps the rows so far, --resume continues" : "")};
    }
    bytes_ += static_cast<std::int64_t>(words.size());
}

void GrowingFile::finish() {
    const auto refuse = [&](int code) {
        throw Error{text("cannot write '", file_.string(), "': ", engine::whyUnwritable(code), "; the rows are in ",
                         part_.string())};
    };
    if (::fsync(descriptor_) != 0) refuse(errno);
    if (const std::error_code failed = engine::moveTo(part_, file_, existing_)) refuse(failed.value());
    ::close(std::exchange(descriptor_, -1));
}

}  // namespace app::cli
