// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QCompleter>
#include <QLineEdit>
#include <QMenu>
#include <QStringListModel>
#include <QToolButton>

#include <utility>

namespace app::gui {

/// Several entries in one line, parted by ";". What is offered completes the one that is typed, and can be chosen from
/// a list, which Down opens.
class WordsLine final : public QWidget {
    Q_OBJECT

public:
    /// An entry, and what speaks for it.
    using Offer = std::pair<QString, QString>;

    /// `name`: what a screen reader calls it.
    explicit WordsLine(const QString& name);

    void setPlaceholder(const QString& words) { line_->setPlaceholderText(words); }
    void offer(const QList<Offer>& offers);
    [[nodiscard]] const QList<Offer>& offers() const { return offers_; }
    [[nodiscard]] QStringList words() const;
    void setWords(const QStringList& words);
    /// In place of what is only begun, if `word` begins so or has it within; nothing where it is there already.
    void add(const QString& word);
    [[nodiscard]] QLineEdit& line() const { return *line_; }

Q_SIGNALS:
    /// An entry was chosen from the list.
    void chosen();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void openList();

    QLineEdit* line_;
    QToolButton* opens_;
    QMenu* menu_;
    QStringListModel* known_;
    QList<Offer> offers_;
};

}  // namespace app::gui
