// SPDX-License-Identifier: BSD-3-Clause
// The pictures that a page plays: the window's scenes at some moments of a run, laid out for a desk and for a phone.
#pragma once

#include "app/gui/page/svg_drawing.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <array>
#include <span>

namespace app::gui::page {

/// A page has every picture twice.
enum class Screen : std::uint8_t { desk, phone };
inline constexpr std::array screens{Screen::desk, Screen::phone};

/// A picture that is played.
struct StageView {
    std::string_view name;
    std::array<QSize, screens.size()> sizes;

    [[nodiscard]] QSize size(Screen screen) const { return sizes[static_cast<std::size_t>(screen)]; }
};
std::span<const StageView> stageViews();

/// Whether those messages are lit that belong to a rank or a block: a page names them all, which has no room for very
/// many.
bool areLit(const DrawableRun& subject);

/// A picture at a moment.
Frame frameOf(Drawing& drawing, const StageView& view, Screen screen, const DrawableRun& subject,
              const ViewState& state);

/// The <svg> element of a frame; `title` is what it shows, in words.
QByteArray pictureOf(const Drawing& drawing, const StageView& view, Screen screen, const Frame& frame,
                     const QString& title);

/// One run on the stage. A shot is a state that can be shown.
class Footage {
public:
    Footage(DrawableRunPtr subject, std::vector<ViewState> shots, Drawing& drawing,
            const engine::Progress& progress = {});

    [[nodiscard]] const DrawableRun& subject() const { return *subject_; }
    [[nodiscard]] const std::vector<ViewState>& shots() const { return shots_; }
    /// The shot at `time`, or the last one before it.
    [[nodiscard]] std::size_t shotAt(engine::Picoseconds time) const;
    [[nodiscard]] const Frame& frame(std::size_t view, Screen screen, std::size_t shot) const;
    /// What the page says of a shot: the moment, and what is in flight.
    [[nodiscard]] QString words(std::size_t shot) const;
    /// Frames, words, what belongs to ranks and blocks, and what each mark says, as members of a JSON object.
    [[nodiscard]] QByteArray json() const;
    /// Bytes of the frames.
    [[nodiscard]] qsizetype bytes() const { return bytes_; }

private:
    using Reel = std::array<std::vector<Frame>, screens.size()>;

    void traceRoutes(Drawing& drawing);

    DrawableRunPtr subject_;
    std::vector<ViewState> shots_;
    std::vector<Reel> reels_;                                // by view
    std::vector<std::array<Frame, screens.size()>> routes_;  // by block
    qsizetype bytes_ = 0;
};

/// The moments of a run that are worth a shot, `most` at most: steps within every round, `wanted` among them.
std::vector<engine::Picoseconds> momentsOf(const DrawableRun& subject, std::size_t most,
                                           std::vector<engine::Picoseconds> wanted);

}  // namespace app::gui::page
