// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/files/anchor.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/reading/files/chunks.hpp"

namespace traces::reading {

using engine::Error;
using engine::text;

namespace {

/// The OTF2 library takes the anchor for one chunk of definitions.
constexpr std::uint64_t largestAnchor = largestChunk;

[[noreturn]] void refuseAnchor(const std::filesystem::path& path, std::string_view how) {
    throw Error{text("cannot read the archive ", path.string(), ": ", how)};
}

}  // namespace

std::filesystem::path Anchor::definitionFile() const { return std::filesystem::path{path}.replace_extension(".def"); }

std::filesystem::path Anchor::fileOf(std::uint64_t location, const char* kind) const {
    return std::filesystem::path{path}.replace_extension("") / (std::to_string(location) + kind);
}

Anchor readAnchor(const std::filesystem::path& path) {
    const std::vector<std::uint8_t> file = wholeFile(path, largestAnchor);
    const std::span<const std::uint8_t> content{file.data(), file.size() - padding};
    constexpr std::string_view damaged =
        "is no OTF2 anchor file or is cut off; the archive must be whole and undamaged";
    const bool big = content.size() > 1 && content[1] == 0x23;
    if (content.size() < 8 || content[0] != mark::header || (!big && content[1] != 0x42))
        refuseAnchor(path, text(path.filename().string(), " ", damaged));
    Cursor bytes{content.subspan(2), big};
    if (bytes.string() != "OTF2") refuseAnchor(path, text(path.filename().string(), " ", damaged));
    for (int i = 0; i < 5; ++i) bytes.byte();  // kind of file (2), version of the library (3)

    Anchor anchor{.path = path, .machine = {}, .creator = {}, .description = {}, .properties = {}};
    anchor.eventChunk = bytes.full64();
    anchor.definitionChunk = bytes.full64();
    const std::uint8_t substrate = bytes.byte();
    const std::uint8_t compression = bytes.byte();
    anchor.locations = bytes.full64();
    anchor.definitions = bytes.full64();
    anchor.machine = bytes.string();
    anchor.creator = bytes.string();
    anchor.description = bytes.string();
    const std::uint32_t properties = bytes.full32();
    for (std::uint32_t i = 0; i < properties && !bytes.broken(); ++i) {
        std::string name{bytes.string()};
        anchor.properties[std::move(name)] = bytes.string();
    }
    for (int i = 0; i < 2; ++i) bytes.full64();  // identifier of the trace; snapshots and thumbnails
    const bool ended = bytes.byte() == mark::endOfFile;
    if (bytes.broken() || !ended) refuseAnchor(path, text(path.filename().string(), " ", damaged));
    if (substrate != 1)
        refuseAnchor(path, "its files are packed into one (SIONlib); record it with one file per location");
    if (compression > 1) refuseAnchor(path, "its files are compressed; record it without compression");
    if (anchor.eventChunk < smallestChunk || anchor.eventChunk > largestChunk ||
        anchor.definitionChunk < smallestChunk || anchor.definitionChunk > largestChunk)
        refuseAnchor(path, text(path.filename().string(), " is damaged: its chunks have an impossible size"));
    return anchor;
}

}  // namespace traces::reading
