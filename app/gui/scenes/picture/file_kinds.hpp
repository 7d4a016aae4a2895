// SPDX-License-Identifier: BSD-3-Clause
// What a run becomes in a file: the ending of its name decides. The one list that writing, its refusals and the
// dialog of the window draw on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace app::gui {

struct FileKind {
    enum class What : std::uint8_t {
        picture,   ///< of one moment
        film,      ///< of the whole run
        page,      ///< all views and moments
        messages,  ///< a table, one line per message
    };

    std::string_view ending;  ///< ".png"
    std::string_view title;   ///< what people call it
    What what;
};

inline constexpr auto fileKinds = std::to_array<FileKind>({
    {".png", "Picture, PNG", FileKind::What::picture},
    {".svg", "Picture, SVG: sharp at every size", FileKind::What::picture},
    {".pdf", "Picture, PDF: sharp at every size", FileKind::What::picture},
    {".gif", "Film, GIF", FileKind::What::film},
    {".mp4", "Film, MP4", FileKind::What::film},
    {".webm", "Film, WebM", FileKind::What::film},
    {".html", "Page to read, HTML", FileKind::What::page},
    {".csv", "Table of messages, CSV", FileKind::What::messages},
});

/// The kind with that ending; null where there is none.
constexpr const FileKind* fileKind(std::string_view ending) {
    for (const FileKind& kind : fileKinds)
        if (kind.ending == ending) return &kind;
    return nullptr;
}

constexpr std::size_t countOf(FileKind::What what) {
    return static_cast<std::size_t>(std::ranges::count(fileKinds, what, &FileKind::what));
}

/// Their endings, in the order of the list.
template <FileKind::What what>
constexpr auto endingsOf() {
    std::array<std::string_view, countOf(what)> endings{};
    std::size_t next = 0;
    for (const FileKind& kind : fileKinds)
        if (kind.what == what) endings[next++] = kind.ending;
    return endings;
}

}  // namespace app::gui
