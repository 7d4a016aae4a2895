// SPDX-License-Identifier: BSD-3-Clause
// The export dialog: what it writes, what it says, and that its command is the one that does the same. With
// COLLSCOPE_PICTURES=FOLDER it is drawn there as people meet it.
#include "app/gui/export/export_dialog.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/session/options/recorded.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/small_file.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QClipboard>
#include <QDir>

namespace app::gui {
namespace {

class Exporting : public testing::Test {
protected:
    Exporting() { stage.begin(); }

    ExportDialog& open() {
        stage.window.showExport();
        ExportDialog* dialog = stage.window.findChild<ExportDialog*>();
        settle(*dialog);
        return *dialog;
    }
    static void settle(ExportDialog& dialog) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog.busy(); }, 60'000));
        QCoreApplication::processEvents();
    }
    template <class Widget>
    static Widget& part(ExportDialog& dialog, const QString& name) {
        for (Widget* each : dialog.findChildren<Widget*>())
            if (each->accessibleName() == name) return *each;
        throw std::runtime_error{"the dialog has no " + name.toStdString()};
    }
    std::filesystem::path file(const char* name) { return stage.folder.filePath(name).toStdString(); }

    Stage stage;
};

TEST_F(Exporting, offersEveryViewAndKindThatTheCommandLineKnows) {
    ExportDialog& dialog = open();
    auto& views = part<QComboBox>(dialog, "View");
    ASSERT_EQ(views.count(), static_cast<int>(pictureViews.size()));
    for (int i = 0; i < views.count(); ++i)
        EXPECT_EQ(views.itemData(i).toString().toStdString(), pictureViews[static_cast<std::size_t>(i)].name);
    EXPECT_EQ(part<QComboBox>(dialog, "As").count(), static_cast<int>(fileKinds.size()));
}

TEST_F(Exporting, writesThePictureThatWasChosen) {
    stage.window.playback().seek(stage.window.playback().duration() / 3);
    ExportDialog& dialog = open();
    auto& views = part<QComboBox>(dialog, "View");
    views.setCurrentIndex(views.findData("network"));
    part<QComboBox>(dialog, "Size").setCurrentIndex(1);
    part<QComboBox>(dialog, "Colours").setCurrentIndex(1);
    dialog.write(file("network.png"), engine::Existing::refuse);
    settle(dialog);
    const QImage written{stage.folder.filePath("network.png")};
    const DrawableRun& subject = *stage.window.playback().subject();
    Picture wanted;
    wanted.dark = true;
    const ViewState state = stateOf(subject, wanted, stage.window.playback().state().time);
    EXPECT_EQ(written.convertToFormat(QImage::Format_RGB32),
              imageOf(viewScene("network", subject, state, {1920, 1080}), {1920, 1080}));
}

TEST_F(Exporting, neverOverwritesUnasked) {
    ExportDialog& dialog = open();
    engine::writeFile(file("there.svg"), "mine");
    dialog.write(file("there.svg"), engine::Existing::refuse);
    settle(dialog);
    EXPECT_EQ(engine::contentOf(file("there.svg"), 100, "there"), "mine");
    EXPECT_TRUE(dialog.sentence().contains("there.svg")) << dialog.sentence().toStdString();
    dialog.write(file("there.svg"), engine::Existing::replace);
    settle(dialog);
    EXPECT_TRUE(dialog.sentence().startsWith("Wrote")) << dialog.sentence().toStdString();
    EXPECT_NE(engine::contentOf(file("there.svg"), 1 << 24, "there"), "mine");
}

TEST_F(Exporting, writesATableAndAPage) {
    ExportDialog& dialog = open();
    dialog.choose(*fileKind(".csv"));
    dialog.write(file("messages.csv"), engine::Existing::refuse);
    settle(dialog);
    const std::string table = engine::contentOf(file("messages.csv"), 1 << 20, "table");
    const auto lines = std::ranges::count(table, '\n');
    EXPECT_EQ(lines, 1 + stage.window.playback().subject()->run().messageCount);
    dialog.choose(*fileKind(".html"));
    EXPECT_FALSE(dialog.sentence().isEmpty());
    dialog.write(file("run.html"), engine::Existing::refuse);
    settle(dialog);
    EXPECT_TRUE(dialog.sentence().startsWith("Wrote")) << dialog.sentence().toStdString();
}

// "Does the same": its words are those of the run, and after them stands what was chosen.
TEST_F(Exporting, itsCommandAsksForTheSame) {
    stage.window.playback().seek(stage.window.playback().duration() / 3);
    ExportDialog& dialog = open();
    const std::string run = lineOf({.run = *wishBehind(stage.window.playback().subject()->report())});
    EXPECT_EQ(execute(specified(run).run).run->duration, stage.window.playback().duration());
    const std::string begin = "collscope export " + run;
    const auto command = [&] { return dialog.command().toStdString(); };
    const std::string time = std::to_string(stage.window.playback().state().time.count());
    EXPECT_EQ(command(), begin + " --time " + time + "ps -o collscope.png");
    part<QComboBox>(dialog, "Moment").setCurrentIndex(1);
    auto& views = part<QComboBox>(dialog, "View");
    views.setCurrentIndex(views.findData("strip"));
    part<QSpinBox>(dialog, "Width").setValue(700);
    EXPECT_EQ(command(), begin + " --view strip --width 700 -o collscope.png");
    dialog.choose(*fileKind(".csv"));
    EXPECT_EQ(command(), begin + " -o collscope.csv");
    part<QPushButton>(dialog, "Copy the command").click();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), dialog.command());
}

TEST_F(Exporting, aRoundIsShownInItsMiddle) {
    ExportDialog& dialog = open();
    part<QComboBox>(dialog, "Moment").setCurrentIndex(2);
    part<QSpinBox>(dialog, "Round").setValue(3);
    const DrawableRun& subject = *stage.window.playback().subject();
    EXPECT_EQ(subject.roundAt(*dialog.picture().time), engine::Round{2});
}

TEST_F(Exporting, aFilmThatIsCancelledLeavesNothing) {
    if (!whyNoFilms().empty()) {
        ExportDialog& dialog = open();
        dialog.choose(*fileKind(".gif"));
        EXPECT_TRUE(dialog.sentence().contains("ffmpeg")) << dialog.sentence().toStdString();
        EXPECT_FALSE(part<QPushButton>(dialog, "Copy the command").isEnabled() && dialog.command().isEmpty());
        return;
    }
    ExportDialog& dialog = open();
    dialog.choose(*fileKind(".mp4"));
    part<QSpinBox>(dialog, "Length").setValue(600);
    dialog.write(file("film.mp4"), engine::Existing::refuse);
    QTest::qWait(200);
    part<QPushButton>(dialog, "Cancel").click();
    settle(dialog);
    delete &dialog;  // waits for the worker
    EXPECT_TRUE(QDir{stage.folder.path()}.entryList({"film*", ".collscope-*"}, QDir::Files | QDir::Hidden).isEmpty());
}

TEST_F(Exporting, looksAsItShould) {
    const QString folder = qEnvironmentVariable("COLLSCOPE_PICTURES");
    for (const Theme theme : {Theme::light, Theme::dark}) {
        stage.window.setTheme(theme);
        ExportDialog& dialog = open();
        for (const QSize size : {QSize{880, 500}, QSize{560, 420}}) {
            dialog.resize(size);
            QTest::qWait(100);
            settle(dialog);
            EXPECT_EQ(dialog.size(), size) << "it does not fit";
            for (const QPushButton* button : dialog.findChildren<QPushButton*>())
                EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
            if (!folder.isEmpty())
                dialog.grab().save(QStringLiteral("%1/export-%2-%3.png").arg(folder, name(theme)).arg(size.width()));
        }
        delete &dialog;
    }
    stage.window.setTheme(Theme::light);
}

}  // namespace
}  // namespace app::gui
