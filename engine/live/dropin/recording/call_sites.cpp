// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/dropin/recording/call_sites.hpp"

#include <dlfcn.h>
#include <link.h>

namespace engine::mpi::dropin {

live::Site Sites::lookUp(const void* address) {
    // The address after the call may be that of another line, even of another function.
    const auto* const call = static_cast<const char*>(address) - 1;
    Dl_info info{};
    void* map = nullptr;
    if (dladdr1(call, &info, &map, RTLD_DL_LINKMAP) == 0 || info.dli_fname == nullptr || map == nullptr)
        return {.object = "?"};
    std::error_code ignored;
    const auto whole = std::filesystem::canonical(info.dli_fname, ignored);
    return {.object = whole.empty() ? std::string{info.dli_fname} : whole.string(),
            .offset = reinterpret_cast<std::intptr_t>(call) -
                      static_cast<std::intptr_t>(static_cast<const link_map*>(map)->l_addr),
            .function = info.dli_sname != nullptr ? info.dli_sname : ""};
}

}  // namespace engine::mpi::dropin
