// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/glossary.hpp"

#include "engine/base/error.hpp"

#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

static void loadGlossary() { Q_INIT_RESOURCE(glossary); }

namespace app::gui {
namespace {

/// `code` and *emphasis* of Markdown, between other marks: "<code>\\1</code>", or "\\1" for none.
QString withMarks(QString markdown, const QString& code, const QString& emphasis) {
    static const QRegularExpression ticks{QStringLiteral("`([^`]*)`")};
    static const QRegularExpression stars{QStringLiteral("\\*([^*]+)\\*")};
    return markdown.replace(ticks, code).replace(stars, emphasis);
}

/// Rows of the first table of the file, without the places in the code.
std::vector<Term> readGlossary(const QString& words) {
    std::vector<Term> terms;
    for (const QString& line : words.section(QStringLiteral("\n## "), 0, 0).split('\n')) {
        const QStringList cells = line.split('|');
        if (cells.size() < 4 || cells[1].startsWith('-') || cells[1].trimmed() == QLatin1String("word")) continue;
        const QString meaning = cells[2].trimmed();
        const QString same = QStringLiteral("\\1");
        terms.push_back(
            {cells[1].trimmed(), withMarks(meaning, same, same),
             withMarks(meaning.toHtmlEscaped(), QStringLiteral("<code>\\1</code>"), QStringLiteral("<em>\\1</em>"))});
    }
    return terms;
}

QString pageOf(const QString& sought) {
    QString html;
    for (const Term& term : glossary())
        if (sought.isEmpty() || term.word.contains(sought, Qt::CaseInsensitive) ||
            term.meaning.contains(sought, Qt::CaseInsensitive))
            html += QStringLiteral("<p><b>%1</b> \u2013 %2</p>").arg(term.word.toHtmlEscaped(), term.html);
    return html.isEmpty() ? QDialog::tr("<p>No term of the glossary contains it.</p>") : html;
}

}  // namespace

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = [] {
        loadGlossary();
        QFile file{QStringLiteral(":/glossary.md")};
        ENSURE(file.open(QIODevice::ReadOnly), "the glossary is part of the program");
        return readGlossary(QString::fromUtf8(file.readAll()));
    }();
    return terms;
}

void showGlossary(QWidget* parent) {
    auto* made = new QDialog{parent};
    made->setAttribute(Qt::WA_DeleteOnClose);
    made->setWindowTitle(QDialog::tr("Glossary"));
    auto* sought = new QLineEdit;
    sought->setAccessibleName(QDialog::tr("Look for a word"));
    sought->setPlaceholderText(QDialog::tr("Look for a word"));
    sought->setClearButtonEnabled(true);
    auto* terms = new QTextBrowser;
    terms->setAccessibleName(QDialog::tr("Words and what they mean"));
    terms->setHtml(pageOf({}));
    QObject::connect(sought, &QLineEdit::textChanged, terms,
                     [terms](const QString& words) { terms->setHtml(pageOf(words)); });
    auto* column = new QVBoxLayout{made};
    column->addWidget(sought);
    column->addWidget(terms);
    made->resize(560, 600);
    made->show();
}

}  // namespace app::gui
