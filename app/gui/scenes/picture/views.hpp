// SPDX-License-Identifier: BSD-3-Clause
// Every view of a run: how its picture and its table are made, what it is called where, and how a widget shows it.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"

#include <span>
#include <string_view>

namespace app::gui {

/// What makes a picture.
using SceneFunction = Scene (*)(const DrawableRun&, const ViewState&, QSizeF);

struct View {
    using TableFunction = Table (*)(const DrawableRun&, const ViewState&);

    std::string_view name{};        ///< as `--view` calls it
    std::string_view heading{};     ///< what people, and screen readers, call it
    SceneFunction scene = nullptr;  ///< all of it
    TableFunction table = nullptr;

    // A widget paints a lower layer once and keeps it while `depends` stays the same.
    SceneFunction upper = nullptr;  ///< null: it has one layer, `scene`
    SceneFunction lower = nullptr;
    /// The state with everything blanked that the lower layer, or the only one, does not depend on; null: it is painted
    /// whenever anything changes.
    ViewState (*depends)(const DrawableRun&, ViewState) = nullptr;
    /// Whether what it shows is there without waiting; null: always.
    bool (*ready)(const DrawableRun&) = nullptr;
    /// What it shows until it is ready, with nothing to point at; nothing: not even that is there. Null: never
    /// anything.
    std::optional<Scene> (*meanwhile)(const DrawableRun&, const ViewState&, QSizeF) = nullptr;
    /// What lies where no shape says so; null: nothing.
    std::optional<Meaning> (*at)(const DrawableRun&, const ViewState&, QSizeF, QPointF) = nullptr;
    bool lights = false;                              ///< its upper layer shows the chain that is lit
    QSize preferred{420, 300};                        ///< of its widget
    const char* keys = "Up and Down select a rank.";  ///< of its widget, in words
    const char* tab = nullptr;                        ///< of a chart: what is short enough for its tab

    enum class Note : std::uint8_t { none, moment, leftOut } note = Note::none;  ///< beside the heading of a picture
    bool grows = false;       ///< a picture needs only so much room, and is larger where there is more
    bool ofPrograms = false;  ///< a traced program alone has it
};

/// In the order of pictureViews.
std::span<const View> views();
/// Throws Error for another name.
const View& viewNamed(std::string_view name);

}  // namespace app::gui
