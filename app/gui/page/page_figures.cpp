// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/page_figures.hpp"

#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/picture/views.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/error.hpp"

#include <algorithm>

namespace app::gui::page {
namespace {

constexpr std::size_t stepsPerRound = 10;
constexpr std::size_t mostHops = 4000;            // of all blocks, in lines of routes
constexpr std::size_t mostLookedAt = 50'000'000;  // messages, for what belongs to blocks
constexpr std::size_t mostTips = 3000;            // marks that say something
constexpr std::size_t mostLit = 20'000;           // messages

constexpr std::array views{
    StageView{"network", {QSize{540, 330}, QSize{360, 300}}},
    StageView{"holdings", {QSize{340, 330}, QSize{360, 300}}},
    StageView{"timeline", {QSize{880, 290}, QSize{360, 300}}},
};

ViewState onDark(ViewState state) {
    state.dark = true;
    return state;
}

QByteArray listOf(const std::vector<std::uint32_t>& numbers) {
    QByteArray words = "[";
    for (const std::uint32_t number : numbers) words += (words.size() > 1 ? "," : "") + QByteArray::number(number);
    return words + ']';
}

/// Messages that a rank sends or receives, where they are few enough to be lit.
std::vector<std::uint32_t> messagesOf(const DrawableRun& subject, engine::Rank rank) {
    if (!areLit(subject)) return {};
    std::vector<std::uint32_t> all{subject.sentBy(rank).begin(), subject.sentBy(rank).end()};
    all.insert(all.end(), subject.receivedBy(rank).begin(), subject.receivedBy(rank).end());
    return all;
}

std::vector<std::uint32_t> messagesWith(const DrawableRun& subject, std::int32_t block) {
    if (!areLit(subject)) return {};
    std::vector<std::uint32_t> all;
    for (const analysis::Hop& hop : subject.routeOf(block)->hops) all.push_back(hop.message);
    return all;
}

/// How many blocks can be followed: none where looking for their ways would take long.
std::int32_t followedBlocks(const DrawableRun& subject) {
    const std::int32_t blocks = subject.columns().count();
    return static_cast<std::size_t>(blocks) * subject.run().messages.size() > mostLookedAt ? 0 : blocks;
}

/// "name": [of 0, of 1, ...]
template <class Of>
QByteArray member(const char* name, std::size_t count, Of of) {
    QByteArray words = QByteArray{"\""} + name + "\":[";
    for (std::size_t i = 0; i < count; ++i) words += (i > 0 ? "," : "") + of(i);
    return words + ']';
}

/// What messages, ranks and links say when the mouse is over them.
QByteArray tipsOf(const DrawableRun& subject) {
    QByteArray words = "\"tips\":{";
    std::size_t count = 0;
    const auto add = [&](Meaning::Kind kind, std::int64_t all) {
        for (std::int64_t i = 0; i < all && count < mostTips; ++i, ++count) {
            const Meaning meaning{kind, i, -1};
            words += (count > 0 ? "," : "") + ('"' + nameOf(meaning)) + "\":" + toJson(wordsFor(subject, meaning));
        }
    };
    add(Meaning::Kind::rank, subject.run().ranks);
    add(Meaning::Kind::message, static_cast<std::int64_t>(subject.run().messages.size()));
    if (subject.report().network) add(Meaning::Kind::link, subject.report().network->links());
    return words + '}';
}

}  // namespace

bool areLit(const DrawableRun& subject) { return subject.run().messages.size() <= mostLit; }

std::span<const StageView> stageViews() { return views; }

Frame frameOf(Drawing& drawing, const StageView& view, Screen screen, const DrawableRun& subject,
              const ViewState& state) {
    const QSizeF size = view.size(screen);
    const SceneFunction scene = viewNamed(view.name).scene;
    return drawing.add(scene(subject, state, size), scene(subject, onDark(state), size));
}

QByteArray pictureOf(const Drawing& drawing, const StageView& view, Screen screen, const Frame& frame,
                     const QString& title) {
    const QSize size = view.size(screen);
    return "<svg class=\"" + QByteArray{screen == Screen::desk ? "desk" : "phone"} + "\" viewBox=\"0 0 " +
           QByteArray::number(size.width()) + ' ' + QByteArray::number(size.height()) + "\" role=\"img\"><title>" +
           title.toHtmlEscaped().toUtf8() + "</title><g>" + drawing.svg(frame) + "</g></svg>";
}

Footage::Footage(DrawableRunPtr subject, std::vector<ViewState> shots, Drawing& drawing,
                 const engine::Progress& progress)
    : subject_{std::move(subject)}, shots_{std::move(shots)}, reels_(views.size()) {
    const qsizetype before = drawing.bytes();
    for (std::size_t shot = 0; shot < shots_.size(); ++shot) {
        progress.at(static_cast<double>(shot) / static_cast<double>(shots_.size()));
        for (std::size_t view = 0; view < views.size(); ++view)
            for (const Screen screen : screens) {
                std::vector<Frame>& frames = reels_[view][static_cast<std::size_t>(screen)];
                frames.push_back(frameOf(drawing, views[view], screen, *subject_, shots_[shot]));
                bytes_ += toJson(frames.back()).size() + 1;
            }
    }
    traceRoutes(drawing);
    bytes_ += drawing.bytes() - before;
}

// A route is what the network draws of a block when all is over, and nothing else is in flight.
void Footage::traceRoutes(Drawing& drawing) {
    const std::int32_t blocks = followedBlocks(*subject_);
    std::size_t hops = 0;
    for (std::int32_t block = 0; block < blocks; ++block) {
        hops += subject_->routeOf(block)->hops.size();
        if (hops > mostHops) return;
        const auto route = [&](Screen screen, bool dark) {
            Scene scene = networkForeground(*subject_, {.time = subject_->run().duration, .dark = dark, .block = block},
                                            views[0].size(screen));
            std::erase_if(scene.shapes, [](const Shape& shape) {
                return shape.kind != Shape::Kind::line || shape.meaning.kind != Meaning::Kind::message;
            });
            return scene;
        };
        auto& frames = routes_.emplace_back();
        for (const Screen screen : screens)
            frames[static_cast<std::size_t>(screen)] = drawing.add(route(screen, false), route(screen, true));
    }
}

std::size_t Footage::shotAt(engine::Picoseconds time) const {
    std::size_t found = 0;
    for (std::size_t shot = 0; shot < shots_.size(); ++shot)
        if (!shots_[shot].veil && shots_[shot].time <= time) found = shot;
    return found;
}

const Frame& Footage::frame(std::size_t view, Screen screen, std::size_t shot) const {
    return reels_[view][static_cast<std::size_t>(screen)][shot];
}

QString Footage::words(std::size_t shot) const {
    const ViewState& state = shots_[shot];
    return momentOf(*subject_, state.time) + QStringLiteral(". ") +
           (state.veil ? hiddenWords() : eventsOf(*subject_, state.time));
}

QByteArray Footage::json() const {
    const auto perScreen = [](const std::array<Frame, screens.size()>& frames) {
        return '[' + toJson(frames[0]) + ',' + toJson(frames[1]) + ']';
    };
    QByteArray json;
    for (std::size_t view = 0; view < views.size(); ++view) {
        json += (view == 0 ? "\"views\":{\"" : ",\"") + QByteArray{views[view].name.data()} + "\":[";
        for (const Screen screen : screens) {
            json += screen == Screen::desk ? "[" : ",[";
            for (std::size_t shot = 0; shot < shots_.size(); ++shot)
                json += (shot > 0 ? "," : "") + toJson(frame(view, screen, shot));
            json += ']';
        }
        json += ']';
    }
    const auto ranks = static_cast<std::size_t>(subject_->run().ranks);
    json += "},\n" + member("words", shots_.size(), [&](std::size_t shot) { return toJson(words(shot)); });
    json += ",\n" + member("rounds", shots_.size(), [&](std::size_t shot) {
                return QByteArray::number(static_cast<qlonglong>(subject_->roundAt(shots_[shot].time).value));
            });
    // Shots of questions are not on the way from begin to end.
    json += ",\n" + member("hidden", shots_.size(),
                           [&](std::size_t shot) { return QByteArray{shots_[shot].veil ? "1" : "0"}; });
    json += ",\n" + member("ofRank", ranks, [&](std::size_t rank) {
                return listOf(messagesOf(*subject_, engine::Rank{static_cast<std::int32_t>(rank)}));
            });
    const auto blocks = static_cast<std::size_t>(followedBlocks(*subject_));
    json += ",\n" + member("ofBlock", blocks, [&](std::size_t block) {
                return listOf(messagesWith(*subject_, static_cast<std::int32_t>(block)));
            });
    json += ",\n" + member("blocks", blocks, [&](std::size_t block) {
                return toJson(subject_->columnName(static_cast<std::int32_t>(block)));
            });
    json += ",\n" + member("routes", routes_.size(), [&](std::size_t block) { return perScreen(routes_[block]); });
    return json + ",\n" + tipsOf(*subject_);
}

std::vector<engine::Picoseconds> momentsOf(const DrawableRun& subject, std::size_t most,
                                           std::vector<engine::Picoseconds> wanted) {
    const std::vector<engine::Picoseconds>& stops = subject.stops();
    std::vector<engine::Picoseconds> moments = std::move(wanted);
    moments.push_back({});
    moments.push_back(subject.run().duration);
    const std::size_t every = stops.size() / std::max<std::size_t>(most, 1) + 1;
    const auto steps =
        static_cast<int>(std::clamp<std::size_t>(most / std::max<std::size_t>(stops.size(), 1), 1, stepsPerRound));
    engine::Picoseconds begin{};
    for (std::size_t stop = 0; stop < stops.size(); stop += every) {
        for (int step = 1; step <= steps; ++step) moments.push_back(begin + (stops[stop] - begin) * step / steps);
        begin = stops[stop];
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

}  // namespace app::gui::page
