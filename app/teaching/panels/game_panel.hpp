// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/teaching/exercises/hand_play.hpp"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QWidget>

#include <optional>

namespace app::gui {

class RunProgress;

/// A schedule that is played by hand: the choice of the next message, the messages of the round, and the verdict of the
/// search after each round. It plays and searches nothing itself.
class GamePanel final : public QWidget {
    Q_OBJECT

public:
    GamePanel();

    /// Shows where the game stands. The choice of sender, receiver and block stays where they exist.
    void show(const HandPlay& game);
    /// Chooses; nothing: none.
    void choose(std::optional<std::int32_t> from, std::optional<std::int32_t> to, std::optional<std::int32_t> block);
    [[nodiscard]] std::optional<std::int32_t> from() const { return numberIn(*from_); }
    [[nodiscard]] std::optional<std::int32_t> to() const { return numberIn(*to_); }
    [[nodiscard]] std::optional<std::int32_t> block() const { return numberIn(*block_); }
    /// Why a move was refused, or what to do next; empty: nothing.
    void say(const QString& sentence, bool wrong);
    void setVerdict(const QString& sentence) { verdict_->setText(sentence); }

    [[nodiscard]] QString said() const { return said_->text(); }
    [[nodiscard]] QString verdict() const { return verdict_->text(); }
    [[nodiscard]] RunProgress& progress() { return *progress_; }

Q_SIGNALS:
    void sent();
    void roundEnded();
    void undone();
    void restarted();
    void saved();
    void left();

private:
    static std::optional<std::int32_t> numberIn(const QComboBox& box);

    QLabel* head_;
    QComboBox* from_;
    QComboBox* to_;
    QComboBox* block_;
    QLabel* said_;
    QListWidget* moves_;
    QPushButton* end_;
    QPushButton* undo_;
    QPushButton* restart_;
    QPushButton* save_;
    QLabel* verdict_;
    RunProgress* progress_;
};

}  // namespace app::gui
