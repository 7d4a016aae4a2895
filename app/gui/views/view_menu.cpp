// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/view_menu.hpp"

#include "app/gui/notes/annotation_dialogs.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/views/table_window.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>

namespace app::gui {
namespace {

QString menuWords(const char* words) { return QCoreApplication::translate("ViewMenu", words); }

void addFollow(QMenu& menu, Playback& playback, std::int32_t column) {
    const QString name = playback.subject()->columnName(column);
    const bool followed = playback.state().block == column;
    QAction* action = menu.addAction(
        followed ? menuWords("&Follow %1 no longer").arg(name) : menuWords("&Follow %1").arg(name), &playback,
        [&playback, column, followed] { playback.selectBlock(followed ? std::nullopt : std::optional{column}); });
    action->setObjectName("follow");
}

void addGoTo(QMenu& menu, Playback& playback, engine::Picoseconds time, const QString& words) {
    menu.addAction(words, &playback, [&playback, time] {
        playback.pause();
        playback.seek(time);
    });
}

void addFor(QMenu& menu, Playback& playback, const Meaning& meaning) {
    const DrawableRun& subject = *playback.subject();
    const auto number = static_cast<std::int32_t>(meaning.index);
    const auto ask = [&menu, &playback](const Meaning& about, const QString& words) {
        menu.addAction(words, &playback, [&playback, about] {
            if (playback.state().asked != about) playback.select(about);
        });
    };
    switch (meaning.kind) {
        case Meaning::Kind::rank:
            ask({meaning.kind, meaning.index, -1}, menuWords("&Select rank %1").arg(number));
            break;
        case Meaning::Kind::still:
            ask(meaning, menuWords("&Why rank %1 is still here").arg(number));
            ask({Meaning::Kind::rank, meaning.index, -1}, menuWords("&Select rank %1").arg(number));
            break;
        case Meaning::Kind::message: {
            const auto message = static_cast<std::size_t>(meaning.index);
            ask(meaning, menuWords("&Select %1").arg(subject.cargoInWords(message)));
            if (const std::int32_t column = subject.columnOf(message); column >= 0) addFollow(menu, playback, column);
            addGoTo(menu, playback, subject.run().messages.sendBegin()[message], menuWords("Go to its &begin"));
            addGoTo(menu, playback, subject.run().messages.receiveEnd()[message], menuWords("Go to its &end"));
            break;
        }
        case Meaning::Kind::link: ask({meaning.kind, meaning.index, -1}, menuWords("&Select this link")); break;
        case Meaning::Kind::block: addFollow(menu, playback, number); break;
        case Meaning::Kind::round:
            addGoTo(menu, playback, subject.run().perRound[static_cast<std::size_t>(meaning.index)].begin,
                    menuWords("&Go to round %1").arg(meaning.index + 1));
            break;
        case Meaning::Kind::bound: ask(meaning, menuWords("&Why this bound")); break;
        case Meaning::Kind::cause: ask(meaning, menuWords("&Why this time")); break;
        case Meaning::Kind::call:
        case Meaning::Kind::wait:
        case Meaning::Kind::collective:
            ask(meaning, menuWords("&Tell about it"));
            menu.addAction(menuWords("Open its &rounds"), &playback, [&playback, meaning] { playback.open(meaning); })
                ->setObjectName("open");
            break;
        case Meaning::Kind::iteration:
        case Meaning::Kind::metric:
        case Meaning::Kind::path: ask(meaning, menuWords("&Tell about it")); break;
        case Meaning::Kind::note:
        case Meaning::Kind::own:
        case Meaning::Kind::group:
        case Meaning::Kind::none:
        case Meaning::Kind::stage:
        case Meaning::Kind::axis: break;
    }
}

}  // namespace

void fillViewMenu(QMenu& menu, ViewWidget& view, Playback& playback, const std::optional<Meaning>& meaning,
                  const std::optional<Mark>& place) {
    if (playback.subject()) {
        if (meaning) addFor(menu, playback, *meaning);
        const ViewState& state = playback.state();
        if (state.asked || state.rank || state.block)
            menu.addAction(menuWords("Select &nothing"), &playback, [&playback] { playback.selectRank(std::nullopt); });
        menu.addSeparator();
    }
    fillNoteMenu(menu, view, playback, meaning, place);
    for (QAction* action : view.actions())
        if (action->isEnabled()) menu.addAction(action);
    menu.addSeparator();
    menu.addAction(menuWords("&Copy picture"), &view,
                   [&view] { QGuiApplication::clipboard()->setPixmap(view.grab()); });
    menu.addAction(menuWords("Show as a &table"), &view, [&view, &playback] {
        (new TableWindow{view, playback, view.window()})->show();
    });
}

}  // namespace app::gui
