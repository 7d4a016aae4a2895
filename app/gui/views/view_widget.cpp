// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/view_widget.hpp"

#include "app/gui/notes/annotation_dialogs.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/views/view_menu.hpp"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace app::gui {
namespace {

constexpr int readyMilliseconds = 40;
constexpr double leastMoved = 4;  // pixels below which something is clicked and not moved

}  // namespace

ViewWidget::ViewWidget(Playback& playback, const View& view, const QString& keys)
    : playback_{&playback}, view_{view}, keys_{keys} {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(toQt(view.heading));
    setAccessibleDescription(keys);
    connect(&playback, &Playback::changed, this, &ViewWidget::showAgain);
    connect(&playback, &Playback::seenChanged, this, &ViewWidget::showAgain);
    if (view.lights) connect(&playback, &Playback::litChanged, this, &ViewWidget::showAgain);
    again_.setSingleShot(true);
    again_.setInterval(readyMilliseconds);
    connect(&again_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void ViewWidget::showAgain() {
    fresh_ = false;
    update();
}

void ViewWidget::forget() {
    lowerSubject_.reset();
    showAgain();
}

bool ViewWidget::ready() const { return !view_.ready || !playback_->subject() || view_.ready(*playback_->subject()); }

void ViewWidget::refresh() {
    if (fresh_) return;
    const DrawableRunPtr& subject = playback_->subject();
    fresh_ = ready();
    if (!fresh_) {
        upper_ = showMeanwhile() ? Scene{} : sorry(tr("Still counting ..."), playback_->state().dark, paper());
        again_.start();
        return;
    }
    if (std::exchange(early_, false)) lowerSubject_.reset();
    if (!subject) {
        upper_ = sorry(tr("Nothing is shown yet: run an algorithm in Set-up, or open a trace with Ctrl+O."),
                       playback_->state().dark, paper());
        lower_ = {};
        lowerPicture_ = {};
        return;
    }
    const ViewState& state = playback_->shown();
    if (!view_.depends) {
        upper_ = view_.scene(*subject, state, paper());
        return;
    }
    upper_ = view_.upper ? view_.upper(*subject, state, paper()) : Scene{};
    const ViewState needed = view_.depends(*subject, state);
    if (isLowerOf(subject, needed)) return;
    keepAsLower((view_.lower ? view_.lower : view_.scene)(*subject, state, paper()), subject, needed);
}

bool ViewWidget::isLowerOf(const DrawableRunPtr& subject, const ViewState& needed) const {
    return lowerSubject_ == subject && lowerSize_ == paper() && lowerState_ == needed;
}

void ViewWidget::keepAsLower(Scene scene, const DrawableRunPtr& subject, const ViewState& needed) {
    lower_ = std::move(scene);
    lowerSubject_ = subject;
    lowerState_ = needed;
    lowerSize_ = paper();
    lowerPicture_ = {};
}

bool ViewWidget::showMeanwhile() {
    const DrawableRunPtr& subject = playback_->subject();
    if (view_.meanwhile == nullptr || !subject) return false;
    const ViewState& state = playback_->shown();
    const ViewState needed = view_.depends(*subject, state);
    if (early_ && isLowerOf(subject, needed)) return true;
    std::optional<Scene> scene = view_.meanwhile(*subject, state, paper());
    if (!scene) return false;
    keepAsLower(std::move(*scene), subject, needed);
    early_ = true;
    return true;
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
    const std::optional<Meaning> between = found.isEmpty() ? betweenShapes(at) : std::nullopt;
    if (between) found = wordsFor(*playback_->subject(), *between);
    return found.isEmpty() || playback_->side().isEmpty() ? found : tr("%1: %2").arg(playback_->side(), found);
}

std::optional<Meaning> ViewWidget::betweenShapes(QPointF at) const {
    if (view_.at == nullptr || !playback_->subject() || !fresh_) return std::nullopt;
    return view_.at(*playback_->subject(), playback_->shown(), paper(), at);
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
    if (playback_->playing() || playback_->shown() != playback_->state()) return;
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
    if (takeNote(*event)) return;
    if (event->button() == Qt::LeftButton) pressed_ = event->position();
}

void ViewWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (dropNote() || event->button() != Qt::LeftButton) return;
    const std::optional<QPointF> pressed = std::exchange(pressed_, std::nullopt);
    if (pressed && isClick(*event, *pressed)) playback_->select(meaningAt(*pressed));
}

bool ViewWidget::isClick(const QMouseEvent& event, QPointF from) {
    return (event.position() - from).manhattanLength() < leastMoved;
}

void ViewWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!takeNote(*event)) return mousePressEvent(event);
    dropNote();
    editNote();
}

bool ViewWidget::takeNote(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || !playback_->keepsMarks()) return false;
    const std::optional<Meaning> meaning = meaningAt(event.position());
    if (!meaning || meaning->kind != Meaning::Kind::note) return false;
    dragged_ = Dragged{static_cast<std::size_t>(meaning->index), event.position()};
    playback_->selectMark(dragged_->mark);
    return true;
}

// It follows the pointer from place to place; all the way is one change.
bool ViewWidget::dragNote(const QMouseEvent& event) {
    if (!dragged_) return false;
    if (!dragged_->moved && (event.position() - dragged_->from).manhattanLength() < leastMoved) return true;
    const std::vector<Mark>& marks = playback_->state().marks;
    const std::optional<Mark> place = placeAt(event.position());
    if (!place || dragged_->mark >= marks.size()) return true;
    Mark moved = *place;
    moved.note = marks[dragged_->mark].note;
    if (moved == marks[dragged_->mark]) return true;
    const bool again = std::exchange(dragged_->moved, true);
    dragged_->mark = playback_->changeMark(dragged_->mark, moved, again ? Playback::Undo::joined : Playback::Undo::own);
    return true;
}

bool ViewWidget::dropNote() { return std::exchange(dragged_, std::nullopt).has_value(); }

void ViewWidget::editNote() {
    if (const std::optional<std::size_t> mark = playback_->selectedMark()) askForWords(*this, *playback_, *mark);
}

std::optional<Mark> ViewWidget::placeBelow(QPointF) { return std::nullopt; }

std::optional<Mark> ViewWidget::placeAt(QPointF at) {
    refresh();
    if (!playback_->subject() || !playback_->keepsMarks()) return std::nullopt;
    return placeBelow(at);
}

std::optional<Mark> ViewWidget::placeSelected() const {
    const ViewState& state = playback_->state();
    if (!playback_->subject() || !playback_->keepsMarks() || notesOn() == Mark::On::moment) return std::nullopt;
    Mark place{.time = state.time, .note = {}, .on = notesOn()};
    const bool link = state.asked && state.asked->kind == Meaning::Kind::link && notesOn() == Mark::On::network;
    if (link) place.link = state.link;
    else place.rank = state.rank;
    return place.rank || place.link ? std::optional{place} : std::nullopt;
}

std::optional<Meaning> ViewWidget::meaningInLower(QPointF at) {
    refresh();
    return gui::meaningAt(lower_, at / playback_->magnification());
}

void ViewWidget::mouseMoveEvent(QMouseEvent* event) {
    if (dragNote(*event)) return;
    playback_->light(event->buttons() == Qt::NoButton ? messageAt(event->position()) : std::nullopt);
    Q_EMIT pointedAt(tipAt(event->position()));
}

std::optional<std::uint32_t> ViewWidget::messageAt(QPointF at) {
    const std::optional<Meaning> meaning = meaningAt(at);
    if (!meaning || meaning->kind != Meaning::Kind::message) return std::nullopt;
    return static_cast<std::uint32_t>(meaning->index);
}

// From the keyboard it is about what was chosen last.
void ViewWidget::contextMenuEvent(QContextMenuEvent* event) {
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    auto* menu = new QMenu{this};
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillViewMenu(*menu, *this, *playback_, keyboard ? playback_->state().asked : meaningAt(QPointF{event->pos()}),
                 keyboard ? placeSelected() : placeAt(QPointF{event->pos()}));
    menu->popup(keyboard ? mapToGlobal(rect().center()) : event->globalPos());
}

void ViewWidget::leaveEvent(QEvent* event) {
    playback_->light(std::nullopt);
    Q_EMIT pointedAt({});
    QWidget::leaveEvent(event);
}

void ViewWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Down: playback_->selectNeighbour(+1); break;
        case Qt::Key_Up: playback_->selectNeighbour(-1); break;
        case Qt::Key_Period: playback_->selectNextMessage(+1); break;
        case Qt::Key_Comma: playback_->selectNextMessage(-1); break;
        case Qt::Key_Delete:
            if (const auto mark = playback_->selectedMark(); mark && playback_->keepsMarks())
                playback_->removeMark(*mark);
            else QWidget::keyPressEvent(event);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (playback_->selectedMark() && playback_->keepsMarks()) editNote();
            else QWidget::keyPressEvent(event);
            break;
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
