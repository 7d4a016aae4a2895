// SPDX-License-Identifier: BSD-3-Clause
#include "engine/error.hpp"
#include "engine/text.hpp"
#include "traces/archive.hpp"
#include "traces/otf2/foreign.hpp"
#include "traces/otf2/own.hpp"
#include "traces/otf2/source.hpp"
#include "traces/staging.hpp"

#include <new>

namespace traces {

engine::Run read(const std::filesystem::path& path, const engine::Progress& progress) {
    const std::filesystem::path anchor = anchorOf(path);
    try {
        otf2::Source source{anchor};
        const auto properties = source.properties();
        return otf2::isOwn(properties) ? otf2::readOwn(source, properties, progress)
                                       : otf2::readForeign(source, progress);
    } catch (const std::bad_alloc&) {
        throw engine::Error{engine::text("cannot read the archive ", anchor.string(),
                                         ": there is not enough memory for it; read it on a larger machine")};
    }
}

}  // namespace traces
