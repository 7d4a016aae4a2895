// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/panels/game_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/scroll_area.hpp"
#include "app/gui/widgets/slim_button.hpp"

#include <QVBoxLayout>

namespace app::gui {
namespace {

constexpr int leastList = 40;  // pixels
constexpr int fewLetters = 4;  // of numbers in a box

/// Fills a box with numbers behind an item for none, which has its name; what was chosen stays.
void fill(QComboBox& box, const std::vector<std::int32_t>& numbers) {
    const QString before = box.currentText();
    box.clear();
    box.addItem(box.accessibleName());
    for (const std::int32_t number : numbers) box.addItem(QString::number(number), number);
    box.setCurrentIndex(std::max(0, box.findText(before)));
}

}  // namespace

GamePanel::GamePanel()
    : head_{new QLabel},
      from_{slimBox()},
      to_{slimBox()},
      block_{slimBox()},
      said_{new QLabel},
      moves_{new QListWidget},
      end_{new SlimButton{tr("End round")}},
      undo_{new SlimButton{tr("Undo")}},
      restart_{new SlimButton{tr("Restart")}},
      save_{new SlimButton{tr("Save...")}},
      verdict_{new QLabel},
      progress_{new RunProgress{tr("Progress of the search"), tr("Cancel the search"), RunProgress::shortBar}} {
    head_->setTextFormat(Qt::RichText);
    for (QLabel* each : {head_, said_, verdict_}) each->setWordWrap(true);
    said_->setAccessibleName(tr("Message"));
    verdict_->setAccessibleName(tr("Verdict of the search"));
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QComboBox* each : {from_, to_, block_}) each->setMinimumContentsLength(fewLetters);
    from_->setAccessibleName(tr("Sender"));
    to_->setAccessibleName(tr("Receiver"));
    block_->setAccessibleName(tr("Block"));
    moves_->setAccessibleName(tr("Messages of this round"));
    moves_->setMinimumHeight(leastList);
    QPushButton* send = new SlimButton{tr("Send")};
    QPushButton* leave = new SlimButton{tr("Leave")};
    save_->setToolTip(tr("Saves the schedule as an algorithm file for collscope grade, run and verify"));
    leave->setToolTip(tr("Ends the game; clicks select again"));
    auto* message = new FlowLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{from_, to_, block_, send}) message->addWidget(each);
    auto* buttons = new FlowLayout;
    for (QPushButton* each : {end_, undo_, restart_, save_, leave}) buttons->addWidget(each);
    for (QPushButton* each : {send, end_, undo_, restart_, save_, leave}) {
        each->setAccessibleName(each->text());
        each->setAutoDefault(true);  // Return presses the button that has the focus
    }
    auto* content = new QWidget;
    auto* column = new QVBoxLayout{content};
    column->setContentsMargins(8, 6, 8, 6);
    column->addWidget(head_);
    column->addWidget(verdict_);
    column->addWidget(progress_);
    column->addLayout(message);
    column->addWidget(said_);
    column->addLayout(buttons);
    column->addWidget(moves_, 1);
    auto* whole = new QVBoxLayout{this};
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(new Scrolled{content});
    connect(send, &QPushButton::clicked, this, &GamePanel::sent);
    connect(end_, &QPushButton::clicked, this, &GamePanel::roundEnded);
    connect(undo_, &QPushButton::clicked, this, &GamePanel::undone);
    connect(restart_, &QPushButton::clicked, this, &GamePanel::restarted);
    connect(save_, &QPushButton::clicked, this, &GamePanel::saved);
    connect(leave, &QPushButton::clicked, this, &GamePanel::left);
}

void GamePanel::show(const HandPlay& game) {
    const Puzzle& puzzle = game.puzzle();
    head_->setText(tr("<b>Round %1</b> of %2, %3")
                       .arg(game.played() + 1)
                       .arg(toQt(toText(puzzle.problem)).toHtmlEscaped(), toQt(puzzle.network.topology)));
    std::vector<std::int32_t> ranks;
    for (std::int32_t rank = 0; rank < puzzle.fabric.ranks; ++rank) ranks.push_back(rank);
    std::vector<std::int32_t> blocks;
    for (const engine::synthesis::Chunk& chunk : puzzle.question.chunks) blocks.push_back(chunk.block);
    fill(*from_, ranks);
    fill(*to_, ranks);
    fill(*block_, blocks);
    if (blocks.size() == 1) block_->setCurrentIndex(1);
    moves_->clear();
    for (const engine::synthesis::Send& move : game.present())
        moves_->addItem(tr("Rank %1 sends block %2 to rank %3")
                            .arg(move.from)
                            .arg(puzzle.question.chunks[engine::asSize(move.chunk)].block)
                            .arg(move.to));
    end_->setEnabled(moves_->count() > 0);
    for (QPushButton* each : {undo_, restart_, save_}) each->setEnabled(game.isBegun());
}

void GamePanel::choose(std::optional<std::int32_t> from, std::optional<std::int32_t> to,
                       std::optional<std::int32_t> block) {
    const auto set = [](QComboBox& box, std::optional<std::int32_t> number) {
        box.setCurrentIndex(number ? std::max(0, box.findData(*number)) : 0);
    };
    set(*from_, from);
    set(*to_, to);
    if (block_->count() > 2) set(*block_, block);
}

void GamePanel::say(const QString& sentence, bool wrong) {
    said_->setText(sentence);
    if (wrong) colourAsRefusal(*said_);
    else said_->setPalette(palette());
}

std::optional<std::int32_t> GamePanel::numberIn(const QComboBox& box) {
    if (box.currentIndex() <= 0) return std::nullopt;
    return box.currentData().toInt();
}

}  // namespace app::gui
