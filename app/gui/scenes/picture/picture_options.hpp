// SPDX-License-Identifier: BSD-3-Clause
// Which views can be exported as pictures, and the options of a picture or film. No Qt type.
#pragma once

#include "app/gui/scenes/drawing/annotation.hpp"
#include "app/gui/scenes/drawing/rounds_shown.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::gui {

/// A view that can be a picture.
struct PictureView {
    std::string_view name;
    std::string_view heading;  ///< what people call it
};

/// In the order in which they are listed; "poster" is several in one. The whole window is the view "window".
inline constexpr auto pictureViews = std::to_array<PictureView>({
    {"poster", "All in one"},
    {"network", "Network"},
    {"timeline", "Timeline"},
    {"tracks", "Timeline of a program"},
    {"messages", "Messages in flight"},
    {"where", "Call tree"},
    {"when", "Iterations"},
    {"strip", "Round by round"},
    {"holdings", "Block ownership"},
    {"bounds", "Bounds"},
    {"idle", "How each rank spent the run"},
    {"waits", "Waiting time by rank"},
    {"links", "Links by round"},
    {"matrix", "Communication matrix"},
    {"brackets", "Reduction order"},
    {"pattern", "Communication pattern"},
    {"partials", "Partial results"},
});

inline std::vector<std::string> viewNames() {
    std::vector<std::string> names;
    for (const PictureView& view : pictureViews) names.emplace_back(view.name);
    return names;
}

/// How a picture or film is to look.
struct Picture {
    /// One of pictureViews; "window" for writeWindowPicture.
    std::string view = "poster";
    int width = 1600;                         ///< pixels, 200..8192
    int height = 1000;                        ///< pixels, 200..8192
    std::optional<engine::Picoseconds> time;  ///< the moment shown; nothing: the counterexample, of the network a
                                              ///< round near the middle, else the end of the run. Films ignore it
    double seconds = 10;                      ///< length of a film (GIF, MP4, WebM), above 0
    std::optional<std::int64_t> block{};      ///< number of the block that is followed
    std::optional<engine::Rank> rank{};       ///< the rank that is selected
    RoundsShown rounds{};                     ///< of the view "strip"
    std::vector<Mark> marks{};                ///< the user's, on the picture
    bool dark = false;
    engine::Existing existing = engine::Existing::refuse;  ///< of a file that has the name already
};

}  // namespace app::gui
