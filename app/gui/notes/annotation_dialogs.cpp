// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/notes/annotation_dialogs.hpp"

#include "app/gui/scenes/common/annotation_notes.hpp"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <functional>

namespace app::gui {
namespace {

QString noteWords(const char* words) { return QCoreApplication::translate("Noting", words); }

void ask(QWidget& asking, const QString& title, const std::string& note, std::function<void(const std::string&)> then) {
    auto* dialog = new QInputDialog{&asking};
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("note");
    dialog->setWindowTitle(title);
    dialog->setLabelText(noteWords("Words of the note"));
    dialog->setTextValue(QString::fromStdString(note));
    QObject::connect(dialog, &QInputDialog::textValueSelected, &asking,
                     [then = std::move(then)](const QString& words) { then(words.trimmed().toStdString()); });
    dialog->open();
}

/// As long as the dialog was open, the note may have gone, or stand at another number.
std::optional<std::size_t> numberOf(const Playback& playback, const Mark& mark) {
    const std::vector<Mark>& marks = playback.state().marks;
    const auto at = std::find(marks.begin(), marks.end(), mark);
    return at == marks.end() ? std::nullopt : std::optional{static_cast<std::size_t>(at - marks.begin())};
}

/// An ampersand of the user's is no shortcut.
QString inMenu(const Mark& mark) { return shortly(mark).replace('&', QStringLiteral("&&")); }

}  // namespace

void askForNote(QWidget& asking, Playback& playback, const Mark& place) {
    ask(asking, noteWords("New note"), {}, [&playback, place](const std::string& words) {
        if (words.empty()) return;
        Mark mark = place;
        mark.note = words;
        playback.addMark(mark);
    });
}

void askForWords(QWidget& asking, Playback& playback, std::size_t number) {
    const Mark mark = playback.state().marks[number];
    ask(asking, noteWords("Edit note"), mark.note, [&playback, mark](const std::string& words) {
        const std::optional<std::size_t> now = numberOf(playback, mark);
        if (!now) return;
        if (words.empty()) return playback.removeMark(*now);
        Mark changed = mark;
        changed.note = words;
        playback.changeMark(*now, changed);
    });
}

void fillNoteMenu(QMenu& menu, QWidget& asking, Playback& playback, const std::optional<Meaning>& meaning,
                  const std::optional<Mark>& place) {
    const qsizetype before = menu.actions().size();
    const std::vector<Mark>& marks = playback.state().marks;
    if (meaning && meaning->kind == Meaning::Kind::note) {
        const auto number = static_cast<std::size_t>(meaning->index);
        menu.addAction(noteWords("&Edit note..."), &asking,
                       [&asking, &playback, number] { askForWords(asking, playback, number); });
        menu.addAction(noteWords("Remo&ve note"), &asking, [&playback, number] { playback.removeMark(number); });
    }
    if (place) {
        menu.addAction(noteWords("Put a &note here..."), &asking,
                       [&asking, &playback, place = *place] { askForNote(asking, playback, place); });
        QMenu* elsewhere = nullptr;
        for (std::size_t number = 0; number < marks.size(); ++number) {
            if (marks[number].on != place->on) continue;
            if (elsewhere == nullptr) elsewhere = menu.addMenu(noteWords("&Move a note here"));
            elsewhere->addAction(inMenu(marks[number]), &asking, [&playback, number, place = *place] {
                Mark moved = place;
                moved.note = playback.state().marks[number].note;
                playback.changeMark(number, moved);
            });
        }
    }
    if (playback.canUndoMarks())
        menu.addAction(noteWords("&Undo the last change of notes"), &playback, &Playback::undoMarks);
    if (menu.actions().size() > before) menu.addSeparator();
}

}  // namespace app::gui
