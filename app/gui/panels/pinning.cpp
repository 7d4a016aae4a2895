// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/pinning.hpp"

#include "app/gui/scenes/pinned.hpp"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace app::gui {
namespace {

QString noteWords(const char* words) { return QCoreApplication::translate("Pinning", words); }

/// An ampersand of the user's is no shortcut.
QString inMenu(const PinnedNote& note) { return shortly(note).replace('&', QStringLiteral("&&")); }

void askForWords(QWidget& asking, const QString& title, const QString& text,
                 std::function<void(const std::string&)> then) {
    auto* dialog = new QInputDialog{&asking};
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("note");
    dialog->setWindowTitle(title);
    dialog->setLabelText(noteWords("Words of the note"));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setTextValue(text);
    QObject::connect(dialog, &QInputDialog::textValueSelected, &asking,
                     [then = std::move(then)](const QString& words) { then(words.trimmed().toStdString()); });
    dialog->open();
}

/// `change` is done to the note that is `which`, if it is still there.
void change(Playback& playback, const PinnedNote& which,
            const std::function<void(std::vector<PinnedNote>&, std::vector<PinnedNote>::iterator)>& change) {
    std::vector<PinnedNote> notes = playback.state().notes;
    const auto at = std::find(notes.begin(), notes.end(), which);
    if (at == notes.end()) return;
    change(notes, at);
    playback.setNotes(std::move(notes));
}

void remove(Playback& playback, const PinnedNote& note) {
    change(playback, note, [](auto& notes, auto at) { notes.erase(at); });
}

void edit(QWidget& asking, Playback& playback, const PinnedNote& note) {
    askForWords(asking, noteWords("Edit note"), QString::fromStdString(note.text),
                [&playback, note](const std::string& words) {
                    if (words.empty()) return remove(playback, note);
                    change(playback, note, [&](auto&, auto at) { at->text = words; });
                });
}

void bringHere(Playback& playback, const PinnedNote& note, PinnedNote place) {
    place.text = note.text;
    change(playback, note, [&](auto&, auto at) { *at = place; });
}

}  // namespace

void askForNote(QWidget& asking, Playback& playback, const PinnedNote& place) {
    askForWords(asking, noteWords("New note"), {}, [&playback, place](const std::string& words) {
        if (words.empty()) return;
        std::vector<PinnedNote> notes = playback.state().notes;
        notes.push_back(place);
        notes.back().text = words;
        playback.setNotes(std::move(notes));
    });
}

void fillNoteMenu(QMenu& menu, QWidget& asking, Playback& playback, const PinnedNote& place) {
    menu.addAction(noteWords("Put a &note here..."), &asking,
                   [&asking, &playback, place] { askForNote(asking, playback, place); });
    QMenu* elsewhere = nullptr;
    for (const PinnedNote& note : playback.state().notes) {
        if (note.beside(place)) {
            menu.addAction(noteWords("&Edit note '%1'...").arg(inMenu(note)), &asking,
                           [&asking, &playback, note] { edit(asking, playback, note); });
            menu.addAction(noteWords("Remo&ve note '%1'").arg(inMenu(note)), &asking,
                           [&playback, note] { remove(playback, note); });
        }
        if (note.time.has_value() != place.time.has_value() || (note.beside(place) && !note.time)) continue;
        if (elsewhere == nullptr) elsewhere = menu.addMenu(noteWords("&Move a note here"));
        elsewhere->addAction(inMenu(note), &asking, [&playback, note, place] { bringHere(playback, note, place); });
    }
    if (playback.canUndoNotes())
        menu.addAction(noteWords("&Undo the last change of notes"), &asking, [&playback] { playback.undoNotes(); });
}

}  // namespace app::gui
