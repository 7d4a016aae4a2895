// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/check.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <cctype>
#include <cstdarg>
#include <string>
#include <system_error>

namespace traces::otf2 {
namespace {

// The library knows one callback for the whole process, and no handle in it: the thread tells whose complaint it is.
thread_local Complaints* listener = nullptr;

OTF2_ErrorCode complain(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*,
                        std::va_list) {
    if (listener != nullptr && code > OTF2_SUCCESS) listener->note(code);
    return code;
}

std::string reasonOf(OTF2_ErrorCode code) {
    if (code == OTF2_ERROR_PROCESSED_WITH_FAULTS) return "the OTF2 library could not";
    std::string words = OTF2_Error_GetDescription(code);
    if (words.size() > 1 && std::islower(static_cast<unsigned char>(words[1])) != 0)
        words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
    while (!words.empty() && words.back() == '.') words.pop_back();
    return words;
}

std::string_view adviceFor(OTF2_ErrorCode code) {
    switch (code) {
        case OTF2_ERROR_ENOSPC:
        case OTF2_ERROR_EDQUOT:
        case OTF2_ERROR_EFBIG: return "make room or name another folder";
        case OTF2_ERROR_EACCES:
        case OTF2_ERROR_EPERM:
        case OTF2_ERROR_EROFS: return "name a place you have the rights for";
        case OTF2_ERROR_ENOENT: return "all files of the archive must be there";
        case OTF2_ERROR_EMFILE:
        case OTF2_ERROR_ENFILE: return "allow more open files (ulimit -n)";
        default: return "the archive must be whole and undamaged";
    }
}

/// What the library may still have to write of one archive at a time: its buffers and those of its files.
constexpr std::uint64_t room = std::uint64_t{6} << 20;

OTF2_FlushType flush(void* destination, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    const auto& to = *static_cast<const Destination*>(destination);
    struct statvfs disk {};
    if (::statvfs(to.folder.c_str(), &disk) == 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < room)
        check(OTF2_ERROR_ENOSPC, to.doing);
    rlimit size{};
    if (::getrlimit(RLIMIT_FSIZE, &size) != 0 || size.rlim_cur == RLIM_INFINITY) return OTF2_FLUSH;
    std::error_code ignored;
    for (const auto& file : std::filesystem::recursive_directory_iterator{to.folder, ignored})
        if (file.is_regular_file(ignored) && file.file_size(ignored) + room > size.rlim_cur)
            check(OTF2_ERROR_EFBIG, to.doing);
    return OTF2_FLUSH;
}

// Without a second callback no BUFFER_FLUSH event lands among ours.
OTF2_FlushCallbacks flushCallbacks{flush, nullptr};

}  // namespace

Archive beginArchive(const Destination& to, const std::string& name, std::uint64_t chunk, const std::string& creator) {
    Archive archive{checked(OTF2_Archive_Open(to.folder.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                              chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
                            to.doing)};
    check(OTF2_Archive_SetFlushCallbacks(archive.get(), &flushCallbacks, const_cast<Destination*>(&to)), to.doing);
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()), to.doing);
    check(OTF2_Archive_SetCreator(archive.get(), creator.c_str()), to.doing);
    return archive;
}

Complaints::Complaints() : outer_{listener} {
    [[maybe_unused]] static const auto before = OTF2_Error_RegisterCallback(complain, nullptr);
    listener = this;
}

Complaints::~Complaints() { listener = outer_; }

void check(OTF2_ErrorCode code, std::string_view doing) {
    const OTF2_ErrorCode cause = listener != nullptr && listener->first() != OTF2_SUCCESS ? listener->first() : code;
    if (cause == OTF2_SUCCESS) return;
    throw engine::Error{engine::text("cannot ", doing, ": ", reasonOf(cause), "; ", adviceFor(cause))};
}

}  // namespace traces::otf2
