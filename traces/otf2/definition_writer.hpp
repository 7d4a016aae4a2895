// SPDX-License-Identifier: BSD-3-Clause
// What an archive says once for all ranks: names, ranks, groups, stages, the shape of the network.
#pragma once

#include "engine/run/run.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace traces::otf2 {

/// Writes the definitions of a run. Strings may be added at any time before the others.
class DefinitionWriter {
public:
    /// `doing`: for errors.
    DefinitionWriter(OTF2_Archive* archive, std::string doing);

    /// The id of `words`, each defined once.
    OTF2_StringRef string(std::string_view words);

    /// Everything else. `events`: how many each rank has.
    void write(const engine::Run& run, std::span<const std::uint64_t> events);

    /// A property of the machine; after `write`.
    void property(const std::string& name, std::string_view value);

private:
    void attributes();
    void places(const engine::Run& run, std::span<const std::uint64_t> events);
    void stages(const engine::Run& run);
    void groups(const engine::Run& run);
    void grid(const engine::Run& run);

    OTF2_GlobalDefWriter* writer_;
    std::string doing_;
    std::unordered_map<std::string, OTF2_StringRef> strings_;
};

}  // namespace traces::otf2
