// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/markers.hpp"

#include "traces/reading/files/chunks.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <system_error>

namespace traces::reading {
namespace {

constexpr std::uint8_t defined = 5, marked = 6;          ///< records of the file
constexpr std::uint8_t everything = 0, oneLocation = 1;  ///< what a marker may be about, of more
constexpr std::size_t longestText = 256;

struct MarkerKind {
    std::string group;
    std::string category;
};

}  // namespace

std::vector<Marker> readMarkers(const Anchor& anchor, const World& world, const Clock& clock) {
    std::filesystem::path path = anchor.path;
    path.replace_extension(".marker");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    std::map<std::uint64_t, std::int32_t> locations;
    for (std::size_t i = 0; i < world.locations.size(); ++i)
        locations.try_emplace(world.locations[i].id, static_cast<std::int32_t>(i));
    std::map<std::uint32_t, MarkerKind> kinds;
    std::vector<Marker> markers;
    ChunkedFile file{path, anchor.definitionChunk};
    bool more = true;
    for (Cursor chunk; more && file.next(chunk);)
        while (more && !chunk.atEnd()) {
            const std::uint8_t kind = chunk.byte();
            if (kind == mark::endOfChunk) break;
            if (kind == mark::endOfBuffer) continue;
            more = kind != mark::endOfFile;
            if (!more) break;
            Cursor r = chunk.record();
            if (kind == defined) {
                const std::uint32_t id = r.number32();
                MarkerKind its{std::string{r.string().substr(0, longestText)},
                               std::string{r.string().substr(0, longestText)}};
                if (!r.broken()) kinds[id] = std::move(its);
            } else if (kind == marked) {
                Marker marker;
                const std::uint64_t begin = r.number64();
                const std::uint64_t duration = r.number64();
                const auto its = kinds.find(r.number32());
                const std::uint8_t scope = r.byte();
                const auto about = locations.find(r.number64());
                marker.text = r.string().substr(0, longestText);
                // What is about a process or a node is about some ranks: there is no word for those here.
                const bool whole = scope == everything;
                const bool one = scope == oneLocation && about != locations.end();
                if (!r.broken() && its != kinds.end() && (whole || one)) {
                    marker.group = its->second.group;
                    marker.category = its->second.category;
                    marker.begin = clock.at(begin);
                    marker.end = std::max(marker.begin, clock.at(begin + std::min(duration, ~begin)));
                    if (one) marker.location = about->second;
                    markers.push_back(std::move(marker));
                }
            }
            more = !chunk.broken() && !r.broken();
        }
    std::stable_sort(markers.begin(), markers.end(),
                     [](const Marker& a, const Marker& b) { return a.begin < b.begin; });
    return markers;
}

}  // namespace traces::reading
