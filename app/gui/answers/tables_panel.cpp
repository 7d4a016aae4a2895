// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/answers/tables_panel.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/tables/table_look.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/path_dialog.hpp"
#include "app/gui/widgets/scroll_area.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/options/ranges.hpp"
#include "app/session/replay/replay_changes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QSplitter>

#include <algorithm>
#include <limits>
#include <sstream>

namespace app::gui {

using engine::Picoseconds;

namespace {

constexpr int answersSettle = 300;  // milliseconds
constexpr int slimWidth = 460;      // pixels
constexpr int slimHeight = 160;
constexpr int lowHeight = 240;
constexpr int mostColumnWidth = 320;  // pixels; longer words are in the tip

std::string wordsIn(const QLineEdit* line) {
    return line->text().trimmed().replace(QChar{0x00b5}, 'u').replace(QChar{0x03bc}, 'u').toStdString();
}

}  // namespace

TablesPanel::TablesPanel(Playback& playback)
    : playback_{&playback},
      questions_{new QuestionChoice{this}},
      more_{new QToolButton},
      pages_{new QStackedWidget},
      page_{new QTextBrowser},
      table_{new AnswerTable{tr("Answer as a table"),
                             tr("Select a row to show its time, rank and message in the views.")}},
      remarks_{new QLabel},
      progress_{new RunProgress{tr("Computing the table"), tr("Cancel the computation"), RunProgress::shortBar}} {
    auto* sides = new QSplitter{Qt::Horizontal};
    sides->addWidget(questions_->list());
    sides->addWidget(buildAnswer());
    sides->setStretchFactor(1, 1);
    sides->setSizes({120, 440});
    sides->setChildrenCollapsible(false);
    auto* all = new QWidget;
    QVBoxLayout* column = columnIn(*all);
    column->addLayout(buildChoice());
    column->addWidget(buildTools());
    column->addWidget(sides, 1);
    columnIn(*this)->addWidget(new Scrolled{all});
    fold(false);

    auto* copyKey = new QAction{tr("Copy the answer"), this};
    copyKey->setShortcut(QKeySequence::Copy);
    copyKey->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copyKey, &QAction::triggered, this, &TablesPanel::copy);
    table_->addAction(copyKey);
    addMenu();
    settle_.setSingleShot(true);
    settle_.setInterval(answersSettle);
    connect(&settle_, &QTimer::timeout, this, &TablesPanel::ask);
    connect(questions_, &QuestionChoice::changed, this, &TablesPanel::ask);
    // Several rows are chosen to be copied; one leads somewhere.
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = table_->selectionModel()->selectedRows();
        if (rows.size() == 1) goTo(rows.front());
    });
    connect(&playback, &Playback::subjectChanged, this, &TablesPanel::begin);
    connect(&playback, &Playback::changed, this, &TablesPanel::follow);
    progress_->follow(worker_);
    connect(progress_, &RunProgress::cancelled, this, [this] {
        worker_.cancel();
        remark({tr("Cancelled.")});
    });
}

QWidget* TablesPanel::buildAnswer() {
    page_->setAccessibleName(tr("Answer in sentences"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->document()->setDocumentMargin(8);
    pages_->addWidget(page_);
    pages_->addWidget(table_);
    remarks_->setWordWrap(true);
    remarks_->setContentsMargins(8, 2, 8, 4);
    remarks_->setAccessibleName(tr("Remarks"));
    remarks_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* answer = new QWidget;
    QVBoxLayout* column = columnIn(*answer);
    column->addWidget(pages_, 1);
    column->addWidget(progress_);
    column->addWidget(remarks_);
    return answer;
}

/// Where there is little room: the question, and a button for all but the answer.
QLayout* TablesPanel::buildChoice() {
    more_->setText(QStringLiteral("\u22ef"));
    more_->setAccessibleName(tr("Assumptions, and actions for this table"));
    more_->setToolTip(more_->accessibleName());
    more_->setCheckable(true);
    more_->setFocusPolicy(Qt::StrongFocus);
    connect(more_, &QToolButton::toggled, this, &TablesPanel::unfold);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(6, 0, 6, 0);
    line->addWidget(questions_->box(), 1);
    line->addWidget(more_);
    return line;
}

/// What can be done with a row.
void TablesPanel::addMenu() {
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* without = new QAction{tr("&Replay without this delay"), this};
    without->setEnabled(false);
    table_->addAction(without);
    connect(without, &QAction::triggered, this, [this] {
        if (const auto delay = chosenDelay()) Q_EMIT delayChosen(toQt(*delay));
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, without,
            [this, without] { without->setEnabled(chosenDelay().has_value()); });
    auto* opens = new QAction{tr("&Open its rounds"), this};
    opens->setShortcut(QKeySequence{Qt::Key_Return});
    opens->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    opens->setEnabled(false);
    table_->addAction(opens);
    const auto open = [this] {
        if (const auto instance = chosenInstance()) Q_EMIT instanceOpened(*instance);
    };
    connect(opens, &QAction::triggered, this, open);
    connect(table_, &QTableView::doubleClicked, this, open);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, opens,
            [this, opens] { opens->setEnabled(chosenInstance().has_value()); });
}

/// Of a trace of another tool; a run of ours is its only instance, and in rounds already.
std::optional<std::int64_t> TablesPanel::chosenInstance() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    if (rows.size() != 1 || !playback_->subject() || playback_->subject()->hasRounds()) return std::nullopt;
    const auto row = table_->rowOf(rows.front());
    return row < places_.size() ? places_[row].instance : std::nullopt;
}

std::optional<std::string> TablesPanel::chosenDelay() const {
    constexpr std::size_t path = 2;  // of the columns of causes
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    if (rows.size() != 1 || question() != QLatin1String("causes")) return std::nullopt;
    const auto row = table_->rowOf(rows.front());
    if (row >= places_.size() || !places_[row].rank) return std::nullopt;
    return delayIn(*places_[row].rank, std::get<std::string>(table_->table().rows[row][path]));
}

QWidget* TablesPanel::buildTools() {
    visibleOnly_ = new QCheckBox{tr("&Visible time")};
    visibleOnly_->setToolTip(tr("Only the part of the run that the timeline shows"));
    connect(visibleOnly_, &QCheckBox::toggled, this, &TablesPanel::ask);
    auto* assume = new QPushButton{tr("&Assume...")};
    assume->setToolTip(tr("Selected ranks, and assumptions for data that was not recorded"));
    assume->setAccessibleName(tr("Show the selected ranks and the assumptions"));
    assume->setCheckable(true);
    assume->setObjectName("assume");
    copy_ = new QPushButton{tr("Co&py")};
    copy_->setAccessibleName(tr("Copy the answer"));
    save_ = new QPushButton{tr("Save cs&v...")};
    save_->setAccessibleName(tr("Save the table as csv"));
    connect(copy_, &QPushButton::clicked, this, &TablesPanel::copy);
    connect(save_, &QPushButton::clicked, this, &TablesPanel::askWhereToSave);
    QWidget* assumptions = buildAssumptions();
    connect(assume, &QPushButton::toggled, assumptions, &QWidget::setVisible);
    tools_ = new QBoxLayout{QBoxLayout::LeftToRight};
    tools_->setContentsMargins(6, 3, 6, 3);
    auto* part = new QHBoxLayout;
    part->addWidget(visibleOnly_);
    part->addWidget(assume);
    part->addStretch(1);
    auto* result = new FlowLayout;
    result->addWidget(copy_);
    result->addWidget(save_);
    tools_->addLayout(part, 1);
    tools_->addLayout(result);
    toolBox_ = new QWidget;
    QVBoxLayout* column = columnIn(*toolBox_);
    column->addLayout(tools_);
    column->addWidget(assumptions);
    return toolBox_;
}

QLineEdit* TablesPanel::field(const QString& name, const QString& empty, const QString& tip) {
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setPlaceholderText(empty);
    line->setToolTip(tip);
    line->setMinimumWidth(44);
    connect(line, &QLineEdit::textEdited, this, [this] { settle_.start(); });
    return line;
}

QWidget* TablesPanel::buildAssumptions() {
    ranks_ = field(tr("Ranks asked about"), tr("all"), tr("Messages between these ranks, such as 0..3,8"));
    network_ = field(tr("Network assumed"), tr("as recorded"), tr("Such as ring or torus:4x4"));
    placement_ = field(tr("Placement assumed"), tr("in order"), tr("block, round-robin, snake or random:SEED"));
    alpha_ = field(tr("Startup assumed"), tr("as found"), tr("Startup of a message, such as 1 \u00b5s"));
    beta_ = field(tr("Time per byte assumed"), tr("as found"), tr("Such as 0.4 ns/B"));
    auto* box = new QWidget;
    box->setObjectName("assumptions");
    assumptions_ = new QGridLayout{box};
    assumptions_->setContentsMargins(6, 0, 6, 3);
    const std::pair<QString, QLineEdit*> all[] = {{tr("&Ranks"), ranks_},
                                                  {tr("&Network"), network_},
                                                  {tr("P&laced"), placement_},
                                                  {QStringLiteral("\u03b1"), alpha_},
                                                  {QStringLiteral("\u03b2"), beta_}};
    for (const auto& [words, line] : all) {
        auto* label = new QLabel{words};
        label->setBuddy(line);
        fields_.emplace_back(label, line);
    }
    box->hide();
    return box;
}

/// Where there is little room, tools are asked for and fields take more lines.
void TablesPanel::fold(bool slim) {
    tools_->setDirection(slim ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int perRow = slim ? 2 : static_cast<int>(fields_.size());
    for (int i = 0; i < static_cast<int>(fields_.size()); ++i) {
        const auto& [label, line] = fields_[static_cast<std::size_t>(i)];
        assumptions_->addWidget(label, i / perRow, 2 * (i % perRow));
        assumptions_->addWidget(line, i / perRow, 2 * (i % perRow) + 1);
    }
    questions_->setSlim(slim);
    setFocusProxy(slim ? static_cast<QWidget*>(questions_->box()) : questions_->list());
    more_->setVisible(slim);
    unfold();
}

void TablesPanel::unfold() {
    const bool all = more_->isHidden() || more_->isChecked();
    toolBox_->setVisible(all);
    remarks_->setVisible(all || (!titled_ && !remarks_->text().isEmpty()));
}

void TablesPanel::remark(const QStringList& words) {
    titled_ = false;
    remarks_->setText(words.join(QStringLiteral("; ")));
    remarks_->setToolTip(words.join('\n'));
    unfold();
}

void TablesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool slim = width() < slimWidth || height() < slimHeight;
    if (slim != (tools_->direction() == QBoxLayout::TopToBottom)) fold(slim);
    table_->fitRows(height() < lowHeight);
}

void TablesPanel::begin() {
    worker_.cancel();
    queue_ = playback_->subject()->queue();
    ask();
}

void TablesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) ask();
}

void TablesPanel::follow() {
    const ViewState& state = playback_->state();
    // Sums over the whole run would answer a question about what is yet to come.
    pages_->setVisible(!state.veil);
    if (!visibleOnly_->isChecked()) return;
    if (span_ != std::pair{playback_->spanBegin(), playback_->spanEnd()}) settle_.start();
}

analysis::AnalysisOptions TablesPanel::wish() const {
    analysis::AnalysisOptions wish;
    if (visibleOnly_->isChecked()) {
        wish.part.from = playback_->spanBegin();
        wish.part.to = playback_->spanEnd() + Picoseconds{1};
    }
    const auto number = [](std::string_view words, std::string_view what) {
        return engine::readInteger(words, what, 0, std::numeric_limits<std::int32_t>::max());
    };
    if (const std::string words = wordsIn(ranks_); !words.empty())
        for (const std::int64_t rank : readRange(words, "ranks", number))
            wish.part.ranks.emplace_back(static_cast<std::int32_t>(rank));
    wish.topology = wordsIn(network_);
    wish.placement = wordsIn(placement_);
    if (!wish.placement.empty() && wish.topology.empty())
        throw engine::Error{"the placement is the position of ranks on a network; specify a network"};
    if (!alpha_->text().isEmpty()) wish.alpha = engine::readTime(wordsIn(alpha_), "alpha");
    if (!beta_->text().isEmpty()) wish.beta = engine::readRate(wordsIn(beta_), "beta");
    return wish;
}

void TablesPanel::ask() {
    settle_.stop();
    stale_ = true;
    worker_.cancel();
    if (!queue_ || !isVisible()) return;
    const auto refuse = [this](const QString& sentence) {
        places_.clear();
        table_->show({}, mostColumnWidth);
        page_->clear();
        remark({inWords(sentence)});
    };
    analysis::AnalysisOptions wanted;
    try {
        wanted = wish();
    } catch (const engine::Error& error) {
        return refuse(toQt(error.words()));
    }
    stale_ = false;
    span_ = {playback_->spanBegin(), playback_->spanEnd()};
    remark({});
    const bool inShort = question().isEmpty();
    pages_->setCurrentWidget(inShort ? static_cast<QWidget*>(page_) : table_);
    save_->setEnabled(!inShort);
    if (inShort) {
        worker_.start(
            [wanted, queue = queue_](const engine::Progress& progress) { return queue->summary(wanted, progress); },
            [this](const std::vector<analysis::Finding>& findings) { present(findings); }, refuse);
        return;
    }
    worker_.start([wanted, queue = queue_, &asked = analysis::tableNamed(question().toStdString())](
                      const engine::Progress& progress) { return queue->ask(asked, wanted, progress); },
                  [this](analysis::Answer answer) { present(std::move(answer)); }, refuse);
}

void TablesPanel::present(const std::vector<analysis::Finding>& findings) {
    QString text;
    for (const analysis::Finding& finding : findings)
        text += "<p>" + inWords(toQt(finding.words)).toHtmlEscaped() + "</p>";
    page_->setHtml(text);
}

void TablesPanel::present(analysis::Answer answer) {
    places_ = std::move(answer.places);
    QStringList words{toQt(answer.table.title) + (answer.table.rows.empty() ? tr(": nothing") : QString{})};
    for (const std::string& remark : answer.table.remarks) words += inWords(toQt(remark));
    remark(words);
    titled_ = !answer.table.rows.empty();
    unfold();
    table_->show(std::move(answer.table), mostColumnWidth, answer.definition);
}

void TablesPanel::goTo(const QModelIndex& row) {
    const analysis::Place& place = places_[table_->rowOf(row)];
    playback_->pause();
    if (place.begin) {
        // A span that is asked about must not be changed by its own answer.
        if (place.end && *place.end > *place.begin && !visibleOnly_->isChecked()) {
            const Picoseconds around = (*place.end - *place.begin) / 20;
            playback_->showSpan(*place.begin - around, *place.end + around);
        }
        playback_->seek(*place.begin);
    } else if (place.round) {
        playback_->seekRound(*place.round);
    }
    if (place.rank && place.rank->value < playback_->subject()->run().ranks) playback_->selectRank(place.rank);
}

void TablesPanel::copy() {
    if (question().isEmpty()) return QApplication::clipboard()->setText(sentences());
    table_->copy();
}

void TablesPanel::askWhereToSave() {
    const QString path = askForPath(this, {.purpose = PathQuestion::Purpose::saveFile,
                                           .title = tr("Save the table"),
                                           .filters = tr("Tables (*.csv);;All files (*)"),
                                           .folder = savedIn_,
                                           .name = question() + ".csv"});
    if (path.isEmpty()) return;
    savedIn_ = QFileInfo{path}.absolutePath();
    save(path);
}

void TablesPanel::save(const QString& file) {
    std::ostringstream words;
    analysis::writeCsv(table_->table(), words);
    try {
        // Whoever chose the name of a file that is there was asked.
        engine::writeFile(file.toStdString(), words.str(), engine::Existing::replace);
        remark({tr("Wrote %1").arg(file)});
    } catch (const engine::Error& refusal) {
        remark({QString::fromStdString(refusal.what())});
    }
}

}  // namespace app::gui
