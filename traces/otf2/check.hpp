// SPDX-License-Identifier: BSD-3-Clause
// Codes and complaints of the OTF2 library as sentences for the user.
#pragma once

#include "traces/otf2/handles.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace traces::otf2 {

/// Collects what the library complains about on this thread, instead of letting it print. Some calls answer "success"
/// although writing failed and tell the truth only here: a full disk when a file is closed, for one.
class Complaints {
public:
    Complaints();
    Complaints(const Complaints&) = delete;
    Complaints& operator=(const Complaints&) = delete;
    ~Complaints();

    /// The first one since the beginning or since `forget`: the cause of those after it. OTF2_SUCCESS when none.
    [[nodiscard]] OTF2_ErrorCode first() const { return first_; }
    void note(OTF2_ErrorCode code) {
        if (first_ == OTF2_SUCCESS) first_ = code;
    }
    void forget() { first_ = OTF2_SUCCESS; }

private:
    OTF2_ErrorCode first_ = OTF2_SUCCESS;
    Complaints* outer_;
};

/// Throws Error{"cannot <doing>: <reason>; <what would be right>"} when `code` or a complaint says that it failed.
void check(OTF2_ErrorCode code, std::string_view doing);

/// The same for calls that answer a null pointer when they fail.
template <class Handle>
Handle* checked(Handle* handle, std::string_view doing) {
    check(handle == nullptr ? OTF2_ERROR_PROCESSED_WITH_FAULTS : OTF2_SUCCESS, doing);
    return handle;
}

/// Where an archive is being written, and in which words complaints say so.
struct Destination {
    std::filesystem::path folder;
    std::string doing;
};

/// Begins the archive `name` in the folder of `to`, which outlives it: it goes to its files as long as there is room,
/// else what is being written throws Error, through the library. A write that fails must not happen: after one the
/// library reads memory that it has given back, and ends the process (OTF2 3.0.2). `chunk`: bytes of definitions that
/// are written at once.
Archive beginArchive(const Destination& to, const std::string& name, std::uint64_t chunk, const std::string& creator);

}  // namespace traces::otf2
