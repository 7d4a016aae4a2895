// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/export/export_dialog.hpp"

#include "app/gui/export/export_writer.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/base/text.hpp"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>

namespace app::gui {
namespace {

using What = FileKind::What;

constexpr int boxLetters = 18;  // that a list shows at least
constexpr int drawnAfter = 60;  // milliseconds without another change
constexpr int ownSize = -1;     // in the list of sizes: none of them

bool isDrawn(What what) { return what == What::picture || what == What::film; }

}  // namespace

ExportDialog::ExportDialog(QWidget* parent, const Playback& playback, std::filesystem::path source, const QString& name,
                           Files& files)
    : QDialog{parent},
      subject_{playback.subject()},
      source_{std::move(source)},
      files_{&files},
      shown_{playback.state().time},
      marks_{playback.state().marks},
      form_{new QFormLayout},
      kind_{slimBox()},
      view_{slimBox()},
      size_{slimBox()},
      width_{new QSpinBox},
      height_{new QSpinBox},
      moment_{slimBox()},
      round_{new QSpinBox},
      seconds_{new QSpinBox},
      colours_{slimBox()},
      follows_{new QCheckBox},
      preview_{new QLabel},
      sentence_{new QLabel},
      command_{new QLineEdit},
      copy_{new QPushButton{tr("&Copy")}},
      export_{new QPushButton{tr("&Export...")}},
      progress_{new RunProgress{tr("Progress of the export")}} {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("export");
    setWindowTitle(tr("Export %1").arg(name));
    if (const auto block = playback.state().block) block_ = subject_->columns().firstIn(*block);
    buildForm(playback);
    preview_->setAccessibleName(tr("The picture as it will be"));
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setWordWrap(true);
    preview_->setMinimumSize(240, 160);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setFrameShape(QFrame::StyledPanel);
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("The command that does the same"));
    copy_->setAccessibleName(tr("Copy the command"));
    auto* close = new QPushButton{tr("Close")};
    for (QPushButton* each : {copy_, close}) each->setAutoDefault(false);
    export_->setDefault(true);

    auto* above = new QHBoxLayout;
    above->addLayout(form_);
    above->addWidget(preview_, 1);
    auto* same = new QHBoxLayout;
    same->addWidget(new QLabel{tr("Command")});
    same->addWidget(command_, 1);
    same->addWidget(copy_);
    auto* below = new QHBoxLayout;
    below->addWidget(progress_);
    below->addStretch(1);
    below->addWidget(export_);
    below->addWidget(close);
    auto* column = new QVBoxLayout{this};
    column->addLayout(above, 1);
    column->addWidget(sentence_);
    column->addLayout(same);
    column->addLayout(below);
    resize(880, 500);

    drawing_.setSingleShot(true);
    drawing_.setInterval(drawnAfter);
    connect(&drawing_, &QTimer::timeout, this, &ExportDialog::draw);
    connect(export_, &QPushButton::clicked, this, &ExportDialog::ask);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(command_->text()); });
    connect(progress_, &RunProgress::cancelled, &writer_, &Worker::cancel);
    progress_->follow(writer_);
    connect(&writer_, &Worker::busyChanged, this, &ExportDialog::follow);
    follow();
}

void ExportDialog::buildForm(const Playback& playback) {
    for (QComboBox* box : {kind_, view_, size_, moment_, colours_}) box->setMinimumContentsLength(boxLetters);
    for (const FileKind& kind : fileKinds) kind_->addItem(toQt(kind.title));
    for (const PictureView& view : pictureViews) view_->addItem(toQt(view.heading), toQt(view.name));
    for (const PictureSize& size : pictureSizes) size_->addItem(QCoreApplication::translate("PictureSize", size.title));
    size_->addItem(tr("Own size"), ownSize);
    for (QSpinBox* side : {width_, height_}) {
        side->setRange(leastPixels, mostPixels);
        side->setSuffix(tr(" px"));
        side->setKeyboardTracking(false);
    }
    moment_->addItem(tr("Shown now: %1").arg(withMu(toQt(engine::showTime(shown_)))), static_cast<int>(Moment::shown));
    moment_->addItem(tr("End of the run"), static_cast<int>(Moment::end));
    if (subject_->hasRounds() && !subject_->run().perRound.empty()) {
        moment_->addItem(tr("Middle of a round"), static_cast<int>(Moment::round));
        round_->setRange(1, static_cast<int>(subject_->run().perRound.size()));
        round_->setValue(static_cast<int>(playback.round().value) + 1);
    }
    seconds_->setRange(1, 3600);
    seconds_->setValue(static_cast<int>(Picture{}.seconds));
    seconds_->setSuffix(tr(" s"));
    colours_->addItems({tr("Light"), tr("Dark")});
    colours_->setCurrentIndex(playback.state().dark ? 1 : 0);
    follows_->setText(block_ ? tr("Block %1 in its colour, all else grey").arg(*block_) : QString{});
    follows_->setChecked(block_.has_value());
    const std::pair<QWidget*, QString> rows[] = {
        {kind_, tr("&As")},         {view_, tr("&View")},      {size_, tr("&Size")},   {width_, tr("&Width")},
        {height_, tr("&Height")},   {moment_, tr("&Moment")},  {round_, tr("&Round")}, {seconds_, tr("&Length")},
        {colours_, tr("C&olours")}, {follows_, tr("&Follow")},
    };
    for (const auto& [editor, label] : rows) {
        editor->setAccessibleName(QString{label}.remove('&'));
        form_->addRow(label, editor);
    }
    width_->setValue(Picture{}.width);
    height_->setValue(Picture{}.height);
    connect(size_, &QComboBox::currentIndexChanged, this, &ExportDialog::takeSize);
    for (QSpinBox* side : {width_, height_})
        connect(side, &QSpinBox::valueChanged, this, [this] {
            const QSignalBlocker quiet{size_};
            size_->setCurrentIndex(size_->findData(ownSize));
        });
    for (QComboBox* box : {kind_, view_, size_, moment_, colours_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::follow);
    for (QSpinBox* box : {width_, height_, round_, seconds_})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::follow);
    connect(follows_, &QCheckBox::toggled, this, &ExportDialog::follow);
}

const FileKind& ExportDialog::kind() const { return fileKinds[static_cast<std::size_t>(kind_->currentIndex())]; }

void ExportDialog::choose(const FileKind& kind) { kind_->setCurrentIndex(static_cast<int>(&kind - fileKinds.data())); }

ExportDialog::Moment ExportDialog::moment() const { return static_cast<Moment>(moment_->currentData().toInt()); }

Picture ExportDialog::picture() const {
    Picture picture;
    picture.view = view_->currentData().toString().toStdString();
    picture.width = width_->value();
    picture.height = height_->value();
    picture.seconds = seconds_->value();
    picture.dark = colours_->currentIndex() == 1;
    if (follows_->isChecked()) picture.block = block_;
    picture.marks = marks_;
    const Stop stop{.where = Stop::Where::middle, .round = engine::Round{round_->value() - 1}};
    picture.time = moment() == Moment::shown   ? shown_
                   : moment() == Moment::round ? momentOf(stop, *subject_)
                                               : subject_->run().duration;
    return picture;
}

void ExportDialog::takeSize() {
    if (size_->currentData() == ownSize) return;
    const PictureSize& size = pictureSizes[static_cast<std::size_t>(size_->currentIndex())];
    const QSignalBlocker quiet[] = {QSignalBlocker{width_}, QSignalBlocker{height_}};
    width_->setValue(size.width);
    height_->setValue(size.height);
}

/// What can be chosen, what is said, and the picture, after what is chosen.
void ExportDialog::follow() {
    const What what = kind().what;
    const bool drawn = isDrawn(what);
    for (QWidget* each : std::initializer_list<QWidget*>{view_, size_, width_, height_})
        form_->setRowVisible(each, drawn);
    form_->setRowVisible(moment_, what == What::picture);
    form_->setRowVisible(round_, what == What::picture && moment() == Moment::round);
    form_->setRowVisible(seconds_, what == What::film);
    form_->setRowVisible(colours_, what != What::messages);
    form_->setRowVisible(follows_, drawn && block_.has_value());
    const QString file = "collscope" + toQt(kind().ending);
    command_->setText(toQt(exportCommand(*subject_, source_, picture(), file.toStdString())));
    command_->setCursorPosition(0);
    command_->setPlaceholderText(picture().marks.empty()
                                     ? tr("None: the run cannot be repeated from its settings; save its trace first")
                                     : tr("None: only the window has the notes"));
    copy_->setEnabled(!command_->text().isEmpty());
    const QString why = whyNot(*subject_, what);
    say(why.isEmpty() ? remarkOn(*subject_, what) : why, !why.isEmpty());
    export_->setEnabled(why.isEmpty() && !writer_.busy());
    drawing_.start();
}

void ExportDialog::draw() {
    if (!isDrawn(kind().what)) {
        painter_.cancel();
        return preview_->setText(kind().what == What::page ? tr("The whole run as an interactive "
                                                                "page")
                                                           : tr("A table"));
    }
    const QSize room = preview_->contentsRect().size();
    painter_.start([subject = subject_, picture = picture(), room, ratio = devicePixelRatioF()](
                       const engine::Progress&) { return previewOf(*subject, picture, room, ratio); },
                   [this](const QImage& image) { preview_->setPixmap(QPixmap::fromImage(image)); },
                   [this](const QString& sentence) { preview_->setText(inWords(sentence)); });
}

void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    drawing_.start();
}

void ExportDialog::ask() {
    const QString ending = toQt(kind().ending);
    const QString path = files_->ask({.purpose = PathQuestion::Purpose::saveFile,
                                      .title = windowTitle(),
                                      .filters = tr("%1 (*%2);;All files (*)").arg(toQt(kind().title), ending),
                                      .name = "collscope" + ending},
                                     this);
    if (path.isEmpty()) return;
    std::filesystem::path file{path.toStdString()};
    if (const FileKind* named = fileKind(file.extension().string())) {
        choose(*named);
        if (export_->isEnabled())
            write(file, engine::Existing::replace);  // the dialog asked about a file that is there
        return;
    }
    // Nobody was asked about the longer name.
    file += kind().ending;
    write(file, engine::Existing::refuse);
}

void ExportDialog::write(const std::filesystem::path& file, engine::Existing existing) {
    Picture wanted = picture();
    wanted.existing = existing;
    writer_.start(
        [file, wanted, subject = subject_](const engine::Progress& progress) {
            writePicture(subject->queue()->trace(), file, wanted, progress);
        },
        [this, file] { say(tr("Wrote %1").arg(pathToQt(file)), false); },
        [this](const QString& sentence) { say(inWords(sentence), true); });
}

void ExportDialog::say(const QString& sentence, bool wrong) {
    sentence_->setText(sentence);
    sentence_->setVisible(!sentence.isEmpty());
    sentence_->setPalette(palette());
    if (wrong) colourAsRefusal(*sentence_);
}

}  // namespace app::gui
