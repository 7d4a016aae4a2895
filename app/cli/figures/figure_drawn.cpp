// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_drawn.hpp"

#include "app/session/options/specification.hpp"
#include "engine/base/text.hpp"

namespace app::cli {
namespace {

using engine::text;

gui::Picture pictureOf(const figures::DrawnPanel& panel, const engine::Run& run) {
    using Senders = gui::RoundsShown::Senders;
    if (panel.afterRound > std::ssize(run.perRound) || panel.rank >= std::ssize(run.perRank))
        throw engine::Error{text("the run has ", run.perRank.size(), " ranks and ", run.perRound.size(), " rounds")};
    gui::Picture picture;
    picture.view = panel.view;
    if (panel.afterRound == 0) picture.time = engine::Picoseconds{0};
    if (panel.afterRound > 0) picture.time = run.perRound[engine::asSize(panel.afterRound - 1)].end;
    if (panel.rank >= 0) picture.rank = engine::Rank{panel.rank};
    picture.rounds = {.first = panel.first - 1,
                      .count = panel.count,
                      .together = panel.together,
                      .senders = panel.senders == 'A'   ? Senders::groupA
                                 : panel.senders == 'B' ? Senders::groupB
                                                        : Senders::all,
                      .held = panel.held,
                      .borders = panel.borders,
                      .bordersTo = panel.bordersTo};
    return picture;
}

}  // namespace

gui::Panels drawnPanelsOf(const FigureResult& made, const engine::Progress& progress) {
    const figures::Drawn& drawn = made.item->drawn;
    const std::string verdict = text("Verdict: ", verdictInWords(made), ". ", reasonOf(made));
    gui::Panels panels{.title = text(made.name(), ": ", made.item->shows),
                       .below = drawn.below.empty() ? verdict : text(drawn.below, ' ', verdict),
                       .columns = drawn.columns,
                       .sameTime = drawn.sameTime,
                       .panels = {}};
    for (const figures::DrawnPanel& panel : drawn.panels) {
        panels.panels.push_back(at(panel.where, [&] {
            Report report = execute(specified(panel.run).run, progress);
            gui::Picture picture = pictureOf(panel, *report.run);
            return gui::Panel{panel.title, Trace{std::move(report)}, std::move(picture)};
        }));
    }
    return panels;
}

std::vector<std::string> commandsOf(const figures::Drawn& drawn) {
    std::vector<std::string> commands;
    for (const figures::DrawnPanel& panel : drawn.panels) {
        std::string command = text("collscope export ", panel.run, " --view ", panel.view, " -o FILE.svg");
        if (commands.empty() || commands.back() != command) commands.push_back(std::move(command));
    }
    return commands;
}

}  // namespace app::cli
