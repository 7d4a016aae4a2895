// SPDX-License-Identifier: BSD-3-Clause
// Every term, once: resources/docs/glossary.md. The window shows them on F2, pages as definitions.
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace app::gui {

struct Term {
    QString word;
    QString meaning;  ///< a clause, or several parted by semicolons
    QString html;     ///< the same with <code> and <em>
};

/// In the order of the alphabet.
const std::vector<Term>& glossary();

/// Shows them in a window of their own, with a field that looks for words.
void showGlossary(QWidget* parent);

}  // namespace app::gui
