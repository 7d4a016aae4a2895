// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/interception/foreign_library.hpp"

#include "engine/base/text.hpp"
#include "engine/live/pmpi/recording/recorder_session.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace engine::mpi::pmpi {
namespace {

#ifdef OMPI_MAJOR_VERSION
constexpr std::string_view ownName = "Open MPI";
constexpr const char* rankVariable = "OMPI_COMM_WORLD_RANK";
bool isForeign(std::string_view library) {
    return library.starts_with("libmpich.so.") ||
           (library.starts_with("libmpi.so.") && !library.starts_with("libmpi.so.40"));
}
#else
constexpr std::string_view ownName = "MPICH";
constexpr const char* rankVariable = "PMI_RANK";
/// Libraries named libmpi.so.12 have the binary interface of MPICH.
bool isForeign(std::string_view library) { return library.starts_with("libmpi.so.40"); }
#endif

/// The other MPI library in this process; empty: none.
std::string foreignLibrary() {
    std::string found;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* result) {
            const std::string name = std::filesystem::path{object->dlpi_name}.filename().string();
            if (!isForeign(name)) return 0;
            *static_cast<std::string*>(result) = name;
            return 1;
        },
        &found);
    return found;
}

/// One of the processes that a launcher starts speaks for all.
bool isFirst() {
    const char* const rank = std::getenv(rankVariable);
    return rank == nullptr || std::string_view{rank} == "0";
}

/// LD_PRELOAD without the recorder.
std::string otherPreloaded(std::string_view all) {
    Dl_info own{};
    if (dladdr(reinterpret_cast<const void*>(&foreignLibrary), &own) == 0) return std::string{all};
    const std::filesystem::path name = std::filesystem::path{own.dli_fname}.filename();
    std::string others;
    while (!all.empty()) {
        const std::string_view one = all.substr(0, all.find_first_of(": "));
        all.remove_prefix(std::min(all.size(), one.size() + 1));
        if (!one.empty() && std::filesystem::path{one}.filename() != name)
            others += text(others.empty() ? "" : ":", one);
    }
    return others;
}

/// Before main(): nothing of the program has run yet, so that it may start again.
[[gnu::constructor]] void leaveForeignProgram(int, char** arguments, char**) {
    const std::string library = foreignLibrary();
    const char* const preloaded = std::getenv("LD_PRELOAD");
    if (library.empty() || preloaded == nullptr) return;
    const std::string others = otherPreloaded(preloaded);
    std::error_code failed;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
    if (failed || others == preloaded) return;
    if (isFirst())
        complain(text(std::filesystem::path{program}.filename().string(), " is not recorded: it needs ", library,
                      ", and the recorder is for ", ownName));
    if (others.empty()) unsetenv("LD_PRELOAD");
    else setenv("LD_PRELOAD", others.c_str(), 1);
    execv(program.c_str(), arguments);
}

}  // namespace

void requireOwnLibrary() {
    const std::string library = foreignLibrary();
    if (library.empty()) return;
    if (isFirst())
        complain(text("the program has loaded ", library, ", and the recorder is for ", ownName,
                      "; start it with the launcher of its own MPI"));
    _exit(2);
}

}  // namespace engine::mpi::pmpi
