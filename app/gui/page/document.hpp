// SPDX-License-Identifier: BSD-3-Clause
// A page: pictures that are played, and beside them a story whose steps say what they show. All of it is there without
// a click and without a script, which only moves the pictures.
#pragma once

#include "app/gui/page/page_figures.hpp"

namespace app::gui::page {

/// A part of the story that the pictures follow. `html` is written by this program, with every name escaped.
struct Step {
    QByteArray id;  ///< what links say: "round=4"
    QString heading;
    QByteArray html;
    std::size_t run = 0;
    std::size_t shot = 0;
    std::optional<engine::Rank> rank{};  ///< chosen there
    bool pictured = false;               ///< has pictures of its own for whoever has no script
};

struct Chapter {
    QByteArray id;
    QString title;
    QByteArray before;
    std::vector<Step> steps;
    QByteArray after;
};

/// A number that can be turned; the runs for each combination are there.
struct Axis {
    QByteArray key;  ///< in links
    QString label;
    QStringList values;
    int at = 0;  ///< that of the first run
};

struct Document {
    QString title;
    QByteArray lead;               ///< below the title
    std::vector<QString> results;  ///< of each run, in a sentence
    std::vector<const Footage*> runs;
    std::vector<QByteArray> stories;  ///< steps of runs that take the first one's place, else empty
    std::vector<Chapter> chapters;
    std::vector<Axis> axes{};
    std::vector<int> grid{};  ///< numbers of runs, the last axis fastest
    QByteArray rest;          ///< sections below
    QByteArray foot;
    bool keep = true;  ///< what is chosen stays chosen from step to step
};

QByteArray htmlOf(const Document& document, const Drawing& drawing, const Inks& inks);

/// The steps of a chapter.
QByteArray storyOf(const Chapter& chapter, const Document& document, const Drawing& drawing);

/// A table, and how many rows it has beyond `most`. Row 17 is "ids=17" for links, where there are `ids`.
QByteArray tableOf(const Table& table, const QString& caption, std::size_t most, const QByteArray& ids = {});
/// Rich text of the window, whose links lead to parts of the page: "rank:3" to "#rank=3".
QByteArray linked(const QString& html);
/// Plain words.
QByteArray escaped(const QString& words);

/// The words that the page uses, as definitions.
QByteArray glossarySection();

}  // namespace app::gui::page
