// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/card.hpp"

#include "app/gui/playback/playback.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/style/theme.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace app::gui {
namespace {

constexpr int aroundContent = card::apart + card::inset;
constexpr int titleWidth = 110;  // pixels that a title keeps beside its fact

void paintCard(QWidget& widget) {
    const Palette look = paletteFor(isDark(widget.palette()));
    QPainter painter{&widget};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen{look.hairline, 1});
    painter.setBrush(look.paper);
    const double edge = card::apart + 0.5;
    painter.drawRoundedRect(QRectF{widget.rect()}.adjusted(edge, edge, -edge, -edge), card::radius, card::radius);
}

/// What stands on a card stands on its paper, not on the ground between the cards.
void putOnPaper(QWidget& content) {
    QPalette palette;
    palette.setColor(QPalette::Window, palette.color(QPalette::Base));
    content.setPalette(palette);
}

bool changesColours(const QEvent& event) {
    return event.type() == QEvent::PaletteChange || event.type() == QEvent::ApplicationPaletteChange;
}

}  // namespace

CardTitle::CardTitle(const QString& title) : title_{new FittingLabel{title}}, fact_{new FittingLabel}, words_{title} {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setLeast(titleWidth);
    fact_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(card::radius, 3, card::radius - 2, 1);
    row->setSpacing(2);
    row->addWidget(title_, 1);
    row->addWidget(fact_);
    colour();
}

void CardTitle::setTitle(const QString& title) {
    words_ = title;
    name();
}

void CardTitle::setOf(const QString& run) {
    of_ = run;
    name();
}

void CardTitle::name() {
    title_->setWords(of_.isEmpty() ? words_ : tr("%1: %2").arg(words_, of_));
    share();
}

void CardTitle::setFact(const QString& words) {
    if (words == fact_->words()) return;
    fact_->setWords(words);
    share();
}

/// Half a fact would cost the title letters, and say nothing.
void CardTitle::share() {
    const QMargins around = layout()->contentsMargins();
    const int room = width() - around.left() - around.right() - layout()->spacing() - title_->sizeHint().width();
    const bool fits = fact_->sizeHint().width() <= room;
    fact_->setVisible(!pointedAt_ && fits);
    setToolTip(fits ? QString{} : fact_->words());
}

void CardTitle::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    share();
}

void CardTitle::follow(Playback& playback, CardFact fact) {
    const auto say = [this, &playback, fact] {
        setFact(playback.subject() ? fact(*playback.subject(), playback.state()) : QString{});
    };
    if (followed_ != nullptr) disconnect(followed_, nullptr, this, nullptr);
    followed_ = &playback;
    connect(&playback, &Playback::changed, this, [this, say] {
        if (isVisible()) say();
    });
    connect(&playback, &Playback::subjectChanged, this, say);
    say();
}

QToolButton* CardTitle::addButton(const QString& sign, const QString& name) {
    auto* button = new QToolButton;
    button->setText(sign);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setAutoRaise(true);
    // The menu of views does the same by keyboard.
    button->setFocusPolicy(Qt::NoFocus);
    const int side = fontMetrics().height() + 2;
    button->setFixedSize(side, side);
    button->hide();
    layout()->addWidget(button);
    buttons_ += button;
    return button;
}

void CardTitle::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    if (buttons_.isEmpty()) return;
    pointedAt_ = true;
    share();
    for (QToolButton* button : buttons_) button->show();
}

void CardTitle::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    for (QToolButton* button : buttons_) button->hide();
    pointedAt_ = false;
    share();
}

void CardTitle::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) colour();
}

void CardTitle::colour() {
    QPalette quiet = fact_->palette();
    const QColor muted = paletteFor(isDark(palette())).muted;
    if (quiet.color(QPalette::WindowText) == muted) return;
    quiet.setColor(QPalette::WindowText, muted);
    fact_->setPalette(quiet);
}

Card::Card(const QString& title, QWidget* content) : title_{new CardTitle{title}}, content_{content} {
    putOnPaper(*content);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(aroundContent, aroundContent, aroundContent, aroundContent);
    column->setSpacing(0);
    column->addWidget(title_);
    column->addWidget(content, 1);
}

void Card::paintEvent(QPaintEvent*) { paintCard(*this); }

void Card::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (changesColours(*event)) putOnPaper(*content_);
}

CardDock::CardDock(const QString& title, QWidget* content) : QDockWidget{title}, title_{new CardTitle{title}} {
    // Qt puts the title at the very edge of the dock, whatever its margins are: the title brings its own.
    setContentsMargins(aroundContent, 0, aroundContent, aroundContent);
    title_->layout()->setContentsMargins(title_->layout()->contentsMargins() +
                                         QMargins{aroundContent, aroundContent, aroundContent, 0});
    setTitleBarWidget(title_);
    setWidget(content);
    putOnPaper(*content);
    QToolButton* floats = title_->addButton(QStringLiteral("\u2197"), tr("Float or dock"));
    QToolButton* closes = title_->addButton(QStringLiteral("\u00d7"), tr("Close"));
    connect(floats, &QToolButton::clicked, this, [this] { setFloating(!isFloating()); });
    connect(closes, &QToolButton::clicked, this, &QWidget::close);
}

void CardDock::paintEvent(QPaintEvent*) { paintCard(*this); }

void CardDock::changeEvent(QEvent* event) {
    QDockWidget::changeEvent(event);
    if (changesColours(*event) && widget() != nullptr) putOnPaper(*widget());
}

}  // namespace app::gui
