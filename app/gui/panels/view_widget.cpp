// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/view_widget.hpp"

#include "app/gui/panels/pinning.hpp"
#include "app/gui/panels/view_menu.hpp"
#include "app/gui/scenes/chart_frame.hpp"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace app::gui {
namespace {

constexpr int readyMilliseconds = 40;

}  // namespace

ViewWidget::ViewWidget(Playback& playback, View view, const QString& name, const QString& keys)
    : playback_{&playback}, view_{view}, keys_{keys} {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(name);
    setAccessibleDescription(keys);
    connect(&playback, &Playback::changed, this, [this] {
        fresh_ = false;
        update();
    });
    again_.setSingleShot(true);
    again_.setInterval(readyMilliseconds);
    connect(&again_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void ViewWidget::forget() {
    fresh_ = false;
    lowerSubject_.reset();
    update();
}

bool ViewWidget::ready() const { return !view_.ready || !playback_->subject() || view_.ready(*playback_->subject()); }

void ViewWidget::refresh() {
    if (fresh_) return;
    const SubjectPtr& subject = playback_->subject();
    fresh_ = ready();
    if (!fresh_) {
        upper_ = sorry(tr("Still counting ..."), playback_->state().dark, paper());
        again_.start();
        return;
    }
    if (!subject) {
        upper_ = sorry(tr("Nothing is shown yet: run an algorithm in Set-up, or open a trace with Ctrl+O."),
                       playback_->state().dark, paper());
        lower_ = {};
        lowerPicture_ = {};
        return;
    }
    const ViewState& state = playback_->state();
    upper_ = view_.upper(*subject, state, paper());
    if (!view_.lower) return;
    const ViewState needed = view_.depends(*subject, state);
    if (lowerSubject_ == subject && lowerSize_ == paper() && lowerState_ == needed) return;
    lower_ = view_.lower(*subject, state, paper());
    lowerSubject_ = subject;
    lowerState_ = needed;
    lowerSize_ = paper();
    lowerPicture_ = {};
}

std::optional<Meaning> ViewWidget::meaningAt(QPointF at) {
    refresh();
    at /= playback_->magnification();
    std::optional<Meaning> found = gui::meaningAt(upper_, at);
    if (!found) found = gui::meaningAt(lower_, at);
    return found ? found : betweenShapes(at);
}

QString ViewWidget::tipAt(QPointF at) {
    refresh();
    if (!playback_->subject()) return {};
    at /= playback_->magnification();
    QString found = gui::tipAt(*playback_->subject(), upper_, at);
    if (found.isEmpty()) found = gui::tipAt(*playback_->subject(), lower_, at);
    if (!found.isEmpty()) return found;
    const std::optional<Meaning> meaning = betweenShapes(at);
    return meaning ? wordsFor(*playback_->subject(), *meaning) : QString{};
}

std::optional<Meaning> ViewWidget::betweenShapes(QPointF at) const {
    if (view_.at == nullptr || !playback_->subject() || !fresh_) return std::nullopt;
    return view_.at(*playback_->subject(), playback_->state(), paper(), at);
}

Table ViewWidget::table() const {
    return playback_->subject() ? view_.table(*playback_->subject(), playback_->state()) : Table{};
}

std::vector<Shape> ViewWidget::shapes() {
    refresh();
    std::vector<Shape> all = lower_.shapes;
    all.insert(all.end(), upper_.shapes.begin(), upper_.shapes.end());
    return all;
}

// While playing, a description per frame would only drown a screen reader.
void ViewWidget::describe() {
    if (playback_->playing()) return;
    QStringList words{lower_.description, upper_.description, keys_};
    words.removeAll(QString{});
    const QString all = words.join(' ');
    if (all != accessibleDescription()) setAccessibleDescription(all);
}

void ViewWidget::keepLower() {
    const qreal ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF{size()} * ratio).toSize();
    if (lowerPicture_.size() == pixels) return;
    lowerPicture_ = QPixmap{pixels};
    lowerPicture_.setDevicePixelRatio(ratio);
    lowerPicture_.fill(palette().color(QPalette::Base));
    QPainter painter{&lowerPicture_};
    painter.scale(playback_->magnification(), playback_->magnification());
    paint(painter, lower_);
}

void ViewWidget::paintEvent(QPaintEvent*) {
    refresh();
    QPainter painter{this};
    if (lower_.shapes.empty()) {
        painter.fillRect(rect(), palette().color(QPalette::Base));
    } else {
        keepLower();
        painter.drawPixmap(0, 0, lowerPicture_);
    }
    painter.save();
    painter.scale(playback_->magnification(), playback_->magnification());
    paint(painter, upper_);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen{palette().color(QPalette::Highlight), 2});
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    describe();
}

void ViewWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fresh_ = false;
}

bool ViewWidget::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) forget();
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(QPointF{help->pos()});
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void ViewWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) playback_->select(meaningAt(event->position()));
}

void ViewWidget::mouseMoveEvent(QMouseEvent* event) { Q_EMIT pointedAt(tipAt(event->position())); }

std::optional<PinnedNote> ViewWidget::placeOf(const std::optional<Meaning>&, std::optional<QPointF>) const {
    return std::nullopt;
}

std::optional<engine::Rank> ViewWidget::rankOf(const std::optional<Meaning>& meaning) const {
    if (!meaning || !playback_->subject()) return std::nullopt;
    if (meaning->kind == Meaning::Kind::rank || meaning->kind == Meaning::Kind::still)
        return engine::Rank{static_cast<std::int32_t>(meaning->index)};
    if (meaning->kind == Meaning::Kind::message)
        return playback_->subject()->run().messages.from()[static_cast<std::size_t>(meaning->index)];
    return std::nullopt;
}

bool ViewWidget::putNote() {
    const std::optional<PinnedNote> place = placeOf(playback_->state().asked, std::nullopt);
    if (place) askForNote(*this, *playback_, *place);
    return place.has_value();
}

// From the keyboard it is about what was chosen last.
void ViewWidget::contextMenuEvent(QContextMenuEvent* event) {
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    auto* menu = new QMenu{this};
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const std::optional<Meaning> meaning = keyboard ? playback_->state().asked : meaningAt(QPointF{event->pos()});
    const std::optional<PinnedNote> place =
        placeOf(meaning, keyboard ? std::nullopt : std::optional{QPointF{event->pos()}});
    fillViewMenu(*menu, *this, *playback_, meaning, place);
    menu->popup(keyboard ? mapToGlobal(rect().center()) : event->globalPos());
}

void ViewWidget::leaveEvent(QEvent* event) {
    Q_EMIT pointedAt({});
    QWidget::leaveEvent(event);
}

void ViewWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Down: playback_->selectNeighbour(+1); break;
        case Qt::Key_Up: playback_->selectNeighbour(-1); break;
        case Qt::Key_Period: playback_->selectNextMessage(+1); break;
        case Qt::Key_Comma: playback_->selectNextMessage(-1); break;
        case Qt::Key_Escape: {
            // Where nothing is chosen, the window leaves what it is in.
            const ViewState& state = playback_->state();
            if (state.rank || state.message || state.link || state.block || state.asked)
                playback_->selectRank(std::nullopt);
            else QWidget::keyPressEvent(event);
            break;
        }
        default: QWidget::keyPressEvent(event);
    }
}

void ViewWidget::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ViewWidget::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace app::gui
