// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/sliders_panel.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/widgets/exact_quantity_text.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/scroll_area.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <QHBoxLayout>

#include <cmath>

namespace app::gui {

/// A number of a run that a slider sets, on a logarithmic scale.
struct Dial {
    const char* key;  ///< of its field
    double low;
    double high;
    int steps;
    double (*read)(const RunWish& wish);  ///< below 0: this run has no such number
    void (*write)(RunWish& wish, double number);
    QString (*words)(const RunWish& wish);

    [[nodiscard]] double at(int step) const { return low * std::pow(high / low, static_cast<double>(step) / steps); }
    [[nodiscard]] int stepOf(double number) const {
        const double share = std::log(std::max(number, low) / low) / std::log(high / low);
        return std::clamp(static_cast<int>(std::lround(share * steps)), 0, steps);
    }
};

namespace {

constexpr double mostSliderRanks = 1024;
constexpr int wordLines = 2;  // that are kept for what is said

/// Two figures are as fine as a slider is moved by hand.
std::int64_t twoFigures(double number) {
    const double power = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
    return std::llround(std::round(number / power) * power);
}

template <std::optional<std::int64_t> ProblemWish::*ranks>
constexpr Dial dialOfRanks(const char* key, double low) {
    return {
        key,
        low,
        mostSliderRanks,
        200,
        [](const RunWish& wish) { return wish.problem.*ranks ? static_cast<double>(*(wish.problem.*ranks)) : -1.0; },
        [](RunWish& wish, double number) { wish.problem.*ranks = std::llround(number); },
        [](const RunWish& wish) { return QString::number(*(wish.problem.*ranks)); }};
}

constexpr Dial dials[] = {
    {"alpha", 1e4, 1e10, 120,  // 10 ns to 10 ms
     [](const RunWish& wish) {
         return wish.model.logGP || wish.on != "virtual" ? -1.0 : static_cast<double>(wish.model.alpha.count());
     },
     [](RunWish& wish, double number) { wish.model.alpha = engine::Picoseconds{twoFigures(number)}; },
     [](const RunWish& wish) { return exactWords(wish.model.alpha); }},
    {"beta", 1e3, 1e8, 100,  // 1 ps to 100 ns per byte
     [](const RunWish& wish) {
         return wish.model.logGP || wish.on != "virtual" ? -1.0
                                                         : static_cast<double>(wish.model.beta.femtosecondsPerByte);
     },
     [](RunWish& wish, double number) { wish.model.beta = engine::Rate{twoFigures(number)}; },
     [](const RunWish& wish) { return exactWords(wish.model.beta); }},
    {"size", 1, 1 << 26, 26,  // powers of two
     [](const RunWish& wish) {
         return wish.algorithm.starts_with("barrier/") ? -1.0 : static_cast<double>(wish.problem.size);
     },
     [](RunWish& wish, double number) { wish.problem.size = std::llround(number); },
     [](const RunWish& wish) { return exactWords(wish.problem.size); }},
    dialOfRanks<&ProblemWish::ranks>("ranks", 2),
    dialOfRanks<&ProblemWish::groupA>("group-a", 1),
    dialOfRanks<&ProblemWish::groupB>("group-b", 1),
};

/// Nothing but what the slider says may hold on to the old number of ranks.
void freeOfRanks(RunWish& wish, const RunWish& base) {
    if (wish.problem == base.problem) return;
    ProblemWish sized = wish.problem;
    sized.size = base.problem.size;
    if (sized == base.problem) return;
    wish.network.topology.clear();
    wish.network.placement.clear();
}

}  // namespace

SlidersPanel::SlidersPanel(Playback& playback)
    : playback_{&playback},
      form_{new QFormLayout},
      words_{new QLabel},
      back_{new QPushButton{tr("&Reset")}},
      sweep_{new SweepPanel{playback}} {
    form_->setContentsMargins(8, 4, 8, 4);
    form_->setVerticalSpacing(2);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const Dial& dial : dials) {
        const fields::Entry& field = fields::named(dial.key);
        auto* slider = new QSlider{Qt::Horizontal};
        slider->setRange(0, dial.steps);
        slider->setPageStep(dial.steps / 10);
        slider->setAccessibleName(tr("Slider: %1").arg(toQt(std::string{field.label})));
        slider->setToolTip(toQt(std::string{field.tip.empty() ? field.help : field.tip}));
        auto* value = new QLabel;
        value->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("888.8 ns/B")));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        auto* line = new QWidget;
        auto* row = new QHBoxLayout{line};
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(slider, 1);
        row->addWidget(value);
        form_->addRow(toQt(std::string{field.label}), line);
        rows_.push_back({&dial, slider, value});
        connect(slider, &QSlider::valueChanged, this, &SlidersPanel::moved);
    }
    words_->setWordWrap(true);
    words_->setAccessibleName(tr("Before and now"));
    back_->setAccessibleName(tr("Settings from before the sliders were moved"));
    back_->setEnabled(false);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(8, 0, 8, 4);
    below->addWidget(words_, 1);
    below->addWidget(back_);
    // What is said changes with each move of a slider, and what is moved must stay under the mouse.
    words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words_->setMinimumHeight(wordLines * fontMetrics().lineSpacing());
    auto* all = new QWidget;
    QVBoxLayout* column = columnIn(*all);
    column->addLayout(form_);
    column->addLayout(below);
    column->addWidget(sweep_, 1);
    room_ = new Scrolled{all};
    columnIn(*this)->addWidget(room_);
    connect(back_, &QPushButton::clicked, this, [this] {
        if (!base_) return;
        const RunWish base = *base_;
        begin();
        base_ = base;
        ask(base);
    });
    connect(&playback, &Playback::subjectChanged, this, [this] {
        if (!waiting_) begin();
    });
    begin();
}

SlidersPanel::~SlidersPanel() = default;

// Where there is no room beside a label, its slider stands below.
void SlidersPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    form_->setRowWrapPolicy(width() < slimForm ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
}

/// Another run is shown, which no slider made.
void SlidersPanel::begin() {
    moved_ = false;
    next_.reset();
    const DrawableRunPtr& subject = playback_->subject();
    base_ = subject ? wishBehind(subject->report()) : std::nullopt;
    if (base_) base_ = unpinned(*base_);
    before_ = subject ? subject->run().duration : engine::Picoseconds{};
    back_->setEnabled(false);
    say(base_ ? QString{} : tr("The sliders change runs of a known algorithm."));
    place();
}

/// Puts the sliders where the run stands.
void SlidersPanel::place() {
    placing_ = true;
    for (const Row& row : rows_) {
        const double number = base_ ? row.dial->read(*base_) : -1;
        form_->setRowVisible(row.slider->parentWidget(), number >= 0);
        if (number < 0) continue;
        row.slider->setValue(row.dial->stepOf(number));
        row.value->setText(row.dial->words(*base_));
    }
    placing_ = false;
}

/// What the sliders say; what was not moved keeps its exact number.
RunWish SlidersPanel::wishNow() const {
    RunWish wish = *base_;
    for (const Row& row : rows_) {
        const double number = row.dial->read(*base_);
        if (number >= 0 && row.slider->value() != row.dial->stepOf(number))
            row.dial->write(wish, row.dial->at(row.slider->value()));
    }
    freeOfRanks(wish, *base_);
    return wish;
}

void SlidersPanel::moved() {
    if (placing_ || !base_) return;
    moved_ = true;
    back_->setEnabled(true);
    const RunWish wish = wishNow();
    for (const Row& row : rows_)
        if (row.dial->read(*base_) >= 0) row.value->setText(row.dial->words(wish));
    ask(wish);
}

void SlidersPanel::ask(const RunWish& wish) {
    if (waiting_) {
        next_ = wish;
        return;
    }
    try {
        if (!isSmall(wish, makePlan(wish)))
            return say(tr("Too many messages to follow a slider: set it up and press Run."));
    } catch (const engine::Error& error) {
        return say(inWords(toQt(error.words())));
    }
    waiting_ = true;
    Q_EMIT wished(wish);
}

void SlidersPanel::settle() {
    if (!waiting_) return;
    waiting_ = false;
    if (next_) return ask(*std::exchange(next_, std::nullopt));
    if (!moved_) return begin();
    playback_->setBefore(before_);
    const engine::Picoseconds now = playback_->duration();
    QString words = tr("Before %1, now %2").arg(timeInWords(before_), timeInWords(now));
    if (before_.count() > 0 && now != before_) {
        const double change = analysis::ratio(now, before_);
        const QString times = toQt(engine::showNumber(std::abs(change - 1) * 100, 3));
        words += change < 1 ? tr(": %1% less").arg(times) : tr(": %1% more").arg(times);
    }
    say(words);
}

void SlidersPanel::refuse(const QString& sentence) {
    if (!waiting_) return;
    waiting_ = false;
    if (next_) return ask(*std::exchange(next_, std::nullopt));
    say(inWords(sentence));
}

int SlidersPanel::lacking() const { return room_->widget()->height() - room_->viewport()->height(); }

void SlidersPanel::say(const QString& words) { words_->setText(words); }

}  // namespace app::gui
