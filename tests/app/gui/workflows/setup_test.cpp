// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/setup/setup_panel.hpp"

#include "app/session/options/models.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/child_process.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalSpy>

namespace app::gui {
namespace {

RunWish wishFor(const engine::Algorithm& algorithm) {
    RunWish wish;
    wish.algorithm = algorithm.id;
    if (engine::isIntergroup(algorithm.collective)) {
        wish.problem.groupA = 4;
        wish.problem.groupB = 8;
    } else {
        wish.problem.ranks = 8;
    }
    if (algorithm.collective != engine::Collective::barrier) wish.problem.size = 4096;
    return wish;
}

QString sentence(engine::Field field, const char* rest) { return QString::fromStdString(engine::text(field, rest)); }

class SetupTest : public testing::Test {
protected:
    SetupTest() {
        panel.show();
        QObject::connect(&panel, &SetupPanel::wished, [this](const RunWish& wish) { wished.push_back(wish); });
    }
    template <class Widget>
    Widget& find(const QString& name) {
        for (Widget* widget : panel.findChildren<Widget*>()) {
            if (widget->accessibleName() == name) return *widget;
        }
        throw std::runtime_error{"no field is called " + name.toStdString()};
    }
    void type(QLineEdit& line, const QString& words) {
        line.setFocus();
        line.selectAll();
        QTest::keyClicks(&line, words);
    }
    bool waitForRun() {
        return QTest::qWaitFor([this] { return !wished.empty(); }, 5000);
    }
    bool waitForRefusal() {
        return QTest::qWaitFor([this] { return !panel.refusal().isEmpty(); }, 5000);
    }

    SetupPanel panel;
    std::vector<RunWish> wished;
};

TEST_F(SetupTest, offersNetworksThatARunCanTake) {
    panel.setWish(wishFor(engine::algorithmNamed("bcast/flat")));
    const std::int32_t ranks = static_cast<std::int32_t>(*panel.wish()->problem.ranks);
    std::size_t offered = 0;
    for (const QComboBox* box : panel.findChildren<QComboBox*>()) {
        if (box->findText("ring") < 0 || !box->isEditable()) continue;
        for (int i = 0; i < box->count(); ++i) {
            if (box->itemText(i).isEmpty()) continue;
            const std::string network = box->itemText(i).toStdString();
            EXPECT_EQ(emulation::makeNetwork(network, ranks)->name(), network);
            ++offered;
        }
    }
    EXPECT_EQ(offered, emulation::topologies().size() - 1) << "a file cannot be offered";
}

/// Which the run itself finds.
TEST(Setup, saysWhatIsWrongInTheNumbersOfANetwork) {
    Stage stage;
    stage.begin();
    stage.window.contents().docks.bringUp(Dock::setup);
    QLineEdit& network = *stage.find<QComboBox>("Network").lineEdit();
    network.selectAll();
    QTest::keyClicks(&network, "fat-tree:3x");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !stage.window.setup().refusal().isEmpty(); }, 5000));
    EXPECT_EQ(stage.window.setup().refusal(),
              "Network fat-tree: '3x' is not a list of sizes; write whole numbers with x between them, such as 4x4");
}

TEST_F(SetupTest, hasTheFieldsOfTheTableSectionBySection) {
    const QStringList expected{"Ranks",      "Size",    "Size in B", "Distribution",   "Root",        "Operation",
                               "Element",    "Ports",   "Run",       "Launcher",       "Hosts",       "Executions",
                               "Warm-ups",   "Network", "Model",     "Startup \u03b1", "Byte \u03b2", "Combine \u03b3",
                               "Rounds",     "Links",   "Placement", "Messages",       "Start",       "Slow ranks",
                               "Slow links", "LogGP",   "Eager",     "Header",         "Detached"};
    QStringList found;
    const auto* form = panel.findChild<QFormLayout*>();
    for (int row = 0; row < form->rowCount(); ++row) {
        const QLayoutItem* label = form->itemAt(row, QFormLayout::LabelRole);
        const QString words = label == nullptr ? QString{} : qobject_cast<QLabel*>(label->widget())->text();
        if (expected.contains(words)) found += words;  // the others are options of the algorithm
    }
    EXPECT_EQ(found, expected);
    for (const fields::Entry& entry : fields::all()) {
        if (entry.edited.section == fields::Section::none) continue;
        const auto fields = panel.findChildren<Field*>();
        EXPECT_EQ(std::count_if(fields.begin(), fields.end(),
                                [&](const Field* field) { return field->holds(QString::fromUtf8(entry.key.data())); }),
                  1)
            << entry.key;
    }
}

TEST_F(SetupTest, readsBackWhatItWasGivenForEveryAlgorithm) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        RunWish wish = wishFor(*algorithm);
        wish.model.alpha = engine::Picoseconds{1'234'567};
        wish.model.beta = engine::Rate{123'457};
        panel.setWish(wish);
        const std::optional<RunWish> read = panel.wish();
        ASSERT_TRUE(read) << algorithm->id << ": " << panel.refusal().toStdString();
        if (algorithm->collective == engine::Collective::barrier) wish.problem.size = read->problem.size;
        EXPECT_EQ(*read, wish) << algorithm->id;
    }
    EXPECT_TRUE(wished.empty()) << "filling the fields in must run nothing";
}

/// With every condition that a run in virtual time can have.
RunWish unevenWish() {
    RunWish wish;
    wish.algorithm = "allgatherv/linear-ring";
    wish.problem.ranks = 8;
    wish.network.topology = "ring";
    wish.network.placement = "snake";
    wish.network.neighboursOnly = true;
    wish.model.name = "mine";
    wish.model.logGP = engine::LogGP{.latency = engine::Picoseconds{5'000'000},
                                     .overhead = engine::Picoseconds{1'234'567},
                                     .gap = {},
                                     .gapPerByte = engine::Rate{123'457},
                                     .overheadPerByte = {}};
    wish.model.eagerLimit = 65536;
    wish.perturbation.arrival = emulation::readArrival("random:10us,7");
    wish.perturbation.slowRanks = emulation::readSlowRanks("3:2.5,7:4");
    wish.perturbation.slowLinks = emulation::readSlowLinks("3-4:8");
    return wish;
}

TEST_F(SetupTest, readsBackEveryCondition) {
    panel.setWish(unevenWish());
    EXPECT_EQ(lineOf({.run = *panel.wish()}), lineOf({.run = unevenWish()}));
    EXPECT_EQ(*panel.wish(), unevenWish()) << panel.refusal().toStdString();
    EXPECT_TRUE(find<QLineEdit>("Slow ranks").isVisible()) << "what is set must be seen";
    EXPECT_FALSE(find<QLineEdit>("Startup \u03b1").isEnabled()) << "LogGP holds in its place";
    RunWish fair = wishFor(engine::algorithmNamed("allgatherv/linear-ring"));
    fair.sharing = emulation::Sharing::fair;
    fair.protocol = {.header = 16, .detached = 65536};
    for (const char* pattern : {"ramp:1ms", "late:3,20us"}) {
        fair.perturbation.arrival = emulation::readArrival(pattern);
        panel.setWish(fair);
        EXPECT_EQ(*panel.wish(), fair);
    }
}

TEST_F(SetupTest, takesAMachineFromTheListUntilAValueIsChanged) {
    panel.setWish(wishFor(engine::algorithmNamed("allgatherv/linear-ring")));
    QComboBox& model = find<QComboBox>("Model");
    EXPECT_EQ(model.currentText(), "alpha-beta");
    model.setFocus();
    QTest::keyClicks(&model, "loggopsim");
    Q_EMIT model.activated(model.currentIndex());
    EXPECT_EQ(panel.wish()->model, modelNamed("loggopsim").model);
    ASSERT_TRUE(waitForRun());
    EXPECT_EQ(wished.back().model.name, "loggopsim");
    QLineEdit& eager = find<QLineEdit>("Eager");
    ASSERT_TRUE(eager.isVisible()) << "a machine with LogGP shows its letters";
    type(eager, "1 KiB");
    EXPECT_EQ(panel.wish()->model.name, "loggopsim-changed");
    EXPECT_EQ(model.currentText(), "own values");
}

TEST_F(SetupTest, takesASpeedForTheTimePerByte) {
    type(find<QLineEdit>("Byte \u03b2"), "2 GB/s");
    ASSERT_TRUE(waitForRun());
    EXPECT_EQ(wished.back().model.beta, engine::Rate{500'000});
}

TEST_F(SetupTest, showsMoreConditionsWhenAsked) {
    panel.setWish(wishFor(engine::algorithmNamed("allgatherv/linear-ring")));
    QLineEdit& slow = find<QLineEdit>("Slow ranks");
    EXPECT_FALSE(slow.isVisible());
    QPushButton& more = find<QPushButton>("More conditions");
    more.setFocus();
    QTest::keyClick(&more, Qt::Key_Space);
    ASSERT_TRUE(slow.isVisible());
    EXPECT_FALSE(find<QLineEdit>("Header").isVisible()) << "only fair sharing knows headers";
    type(slow, "3 is slow");
    ASSERT_TRUE(waitForRefusal());
    EXPECT_TRUE(slow.parentWidget()->findChild<QLabel*>()->isVisible());
    type(slow, "3:2");
    ASSERT_TRUE(waitForRun());
    EXPECT_EQ(wished.back().perturbation.slowRanks, emulation::readSlowRanks("3:2"));
    QComboBox& links = find<QComboBox>("Links");
    links.setCurrentIndex(links.findData("fair"));
    EXPECT_TRUE(find<QLineEdit>("Header").isVisible());
}

TEST_F(SetupTest, offersTheOptionsOfTheAlgorithm) {
    RunWish wish = wishFor(engine::algorithmNamed("halfduplex-allgather/ring-belts"));
    wish.options["segments"] = "4";
    panel.setWish(wish);
    EXPECT_EQ(*panel.wish(), wish);
    type(find<QLineEdit>("segments"), "zero");
    ASSERT_TRUE(waitForRefusal());
    EXPECT_TRUE(find<QLineEdit>("segments").parentWidget()->findChild<QLabel*>()->isVisible());
    EXPECT_TRUE(panel.refusal().contains("'zero' is not a whole number")) << panel.refusal().toStdString();
    EXPECT_TRUE(wished.empty());
}

TEST_F(SetupTest, runsASmallChangeAtOnce) {
    find<QSpinBox>("Ranks of group A, p").setValue(6);
    ASSERT_TRUE(waitForRun());
    EXPECT_EQ(wished.back().problem.groupA, 6);
    EXPECT_EQ(wished.back().algorithm, firstWish().algorithm);
}

TEST_F(SetupTest, waitsForTheButtonWhenTheRunIsLarge) {
    RunWish wish = firstWish();
    wish.problem.groupA = 2000;
    wish.problem.groupB = 2000;
    panel.setWish(wish);
    find<QSpinBox>("Ranks of group A, p").setValue(2002);
    EXPECT_FALSE(QTest::qWaitFor([this] { return !wished.empty(); }, 600));
    EXPECT_EQ(panel.refusal(), "");
    QTest::mouseClick(&find<QPushButton>("Run"), Qt::LeftButton);
    ASSERT_EQ(wished.size(), 1U);
    EXPECT_EQ(wished[0].problem.groupA, 2002);
}

TEST_F(SetupTest, saysWhatCannotBeRead) {
    type(find<QLineEdit>("Size"), "much");
    ASSERT_TRUE(waitForRefusal());
    EXPECT_TRUE(panel.refusal().startsWith("Size: 'much'")) << panel.refusal().toStdString();
    type(find<QLineEdit>("Size"), "2 KiB");
    ASSERT_TRUE(waitForRun());
    EXPECT_EQ(panel.refusal(), "");
    EXPECT_EQ(wished.back().problem.size, 2048);
}

TEST_F(SetupTest, saysWhatTheAlgorithmOrTheProblemRefuses) {
    RunWish wish;
    wish.algorithm = "bcast/binomial-tree";
    wish.problem.ranks = 4;
    panel.setWish(wish);
    find<QSpinBox>("Root").setValue(7);
    ASSERT_TRUE(waitForRefusal());
    EXPECT_TRUE(panel.refusal().startsWith("Root: 7")) << panel.refusal().toStdString();
    EXPECT_FALSE(panel.refusal().contains("--")) << panel.refusal().toStdString();
    EXPECT_TRUE(find<QSpinBox>("Root").parentWidget()->findChild<QLabel*>()->isVisible());
}

TEST_F(SetupTest, saysWhichNetworkDoesNotFit) {
    QComboBox& network = find<QComboBox>("Network");
    network.setFocus();
    QTest::keyClicks(&network, "torus:3x4");
    ASSERT_TRUE(waitForRun());
    panel.refuse(sentence(engine::field::topology, " torus:3x4 has 12 places, but there are 10 ranks"));
    EXPECT_EQ(panel.refusal(), "Network torus:3x4 has 12 places, but there are 10 ranks");
    EXPECT_TRUE(network.parentWidget()->findChild<QLabel*>()->isVisible());
}

TEST_F(SetupTest, cannotChooseAHeading) {
    QComboBox& algorithms = find<QComboBox>("Algorithm");
    algorithms.setFocus();
    for (int i = 0; i < algorithms.count() + 5; ++i) {
        QTest::keyClick(&algorithms, Qt::Key_Up);
        EXPECT_TRUE(algorithms.currentData().isValid());
    }
    EXPECT_EQ(algorithms.currentData().toString().toStdString(), engine::catalogue().front()->id);
}

TEST(Setup, startsProcessesOnlyWhenAsked) {
    Stage stage;
    stage.begin();
    const DrawableRunPtr before = stage.window.playback().subject();
    QComboBox& on = stage.find<QComboBox>("Run");
    on.setCurrentIndex(on.findData("mpi"));
    ASSERT_TRUE(stage.window.setup().wish());
    EXPECT_EQ(stage.window.setup().wish()->on, "mpi");
    EXPECT_FALSE(QTest::qWaitFor([&] { return stage.window.working(); }, 400)) << "Run was not pressed";
    EXPECT_EQ(stage.window.playback().subject(), before);
    EXPECT_FALSE(stage.find<QLineEdit>("Startup \u03b1").isEnabled());
}

/// A stage on which a run over MPI is set up.
struct Processing : Stage {
    explicit Processing(const QString& settingsFile = {}) : Stage{settingsFile} {
        begin();
        window.contents().docks.bringUp(Dock::setup);
        QComboBox& on = find<QComboBox>("Run");
        on.setFocus();
        while (on.currentData() != "mpi") QTest::keyClick(&on, Qt::Key_Down);
    }
    void type(QWidget& field, const QString& words) {
        field.setFocus();
        auto* box = qobject_cast<QComboBox*>(&field);
        (box != nullptr ? box->lineEdit() : qobject_cast<QLineEdit*>(&field))->selectAll();
        QTest::keyClicks(&field, words);
    }
    /// Presses Run and waits for what comes of it.
    void run() {
        QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
        settle();
    }
    QString noteOf(QWidget& field) { return qobject_cast<Field*>(field.parentWidget())->note(); }
};

TEST(Setup, asksForTheLauncherOnlyOverMpi) {
    Processing stage;
    auto& launcher = stage.find<QLineEdit>("Launcher");
    ASSERT_TRUE(launcher.isVisible());
    EXPECT_EQ(stage.window.setup().processes(), Processes{});
    launcher.setFocus();
    for (const char* next : {"Hosts", "Executions", "Warm-ups"}) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QWidget* reached = QApplication::focusWidget();
        EXPECT_EQ(reached->accessibleName(), next);
    }
    stage.type(launcher, "mpiexec");
    stage.type(stage.find<QComboBox>("Hosts"), "the lab");
    auto& repeats = stage.find<QSpinBox>("Executions");
    repeats.setFocus();
    QTest::keyClick(&repeats, Qt::Key_Up);
    const Processes wanted{.launcher = {.command = "mpiexec", .hostfile = {}, .lab = true}, .repeats = 2};
    EXPECT_EQ(stage.window.setup().processes(), wanted);
    auto& on = stage.find<QComboBox>("Run");
    on.setFocus();
    while (on.currentData() != "virtual") QTest::keyClick(&on, Qt::Key_Up);
    EXPECT_FALSE(launcher.isVisible());
    EXPECT_FALSE(repeats.isVisible());
}

TEST(Setup, saysWhyNoProcessStarts) {
    Processing stage;
    const DrawableRunPtr before = stage.window.playback().subject();
    auto& launcher = stage.find<QLineEdit>("Launcher");
    auto& hosts = stage.find<QComboBox>("Hosts");
    stage.type(launcher, "no-such-launcher");
    stage.run();
    EXPECT_EQ(stage.noteOf(launcher), "Launcher: program 'no-such-launcher' not found");
    stage.type(launcher, "sh");
    stage.type(hosts, "/no/such/hosts");
    stage.run();
    EXPECT_EQ(stage.noteOf(launcher), "");
    EXPECT_EQ(stage.noteOf(hosts), "Hosts: cannot read '/no/such/hosts': it does not exist");
    stage.window.setup().refuse(
        sentence(engine::Field{"lab"}, ": no lab is set up; set one up with 'collscope lab up --hosts 16'"));
    EXPECT_EQ(stage.noteOf(hosts), "Hosts: no lab is set up; set one up with 'collscope lab up --hosts 16'");
    EXPECT_EQ(stage.window.playback().subject(), before);
}

TEST(Setup, remembersHowProcessesAreStarted) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    const Processes wanted{
        .launcher = {.command = "mpiexec.openmpi", .hostfile = "/etc/hosts.mpi"}, .repeats = 20, .warmUps = 3};
    {
        Processing stage{file};
        stage.window.setup().setProcesses(wanted);
        stage.window.close();
    }
    Stage stage{file};
    EXPECT_EQ(stage.window.setup().processes(), wanted);
    EXPECT_FALSE(QTest::qWaitFor([&] { return stage.window.working(); }, 400)) << "filling fields in runs nothing";
}

TEST(Setup, executesOverMpiAsOftenAsAsked) {
    if (engine::live::findProgram("mpirun").empty() ||
        !QFileInfo{QCoreApplication::applicationDirPath() + "/collscope-mpi"}.isExecutable())
        GTEST_SKIP() << "there is no MPI here";
    Processing stage;
    const DrawableRunPtr before = stage.window.playback().subject();
    RunWish wish;
    wish.algorithm = "bcast/binomial-tree";
    wish.problem.ranks = 2;
    wish.on = "mpi";
    stage.window.setup().setWish(wish);
    auto& repeats = stage.find<QSpinBox>("Executions");
    repeats.setFocus();
    repeats.selectAll();
    QTest::keyClicks(&repeats, "5");
    stage.run();
    stage.settleAfter(before);
    EXPECT_EQ(stage.window.playback().subject()->run().setting.on, "mpi")
        << stage.window.setup().refusal().toStdString();
    EXPECT_TRUE(stage.window.setup().said().startsWith("The median of 5 executions is shown: "))
        << stage.window.setup().said().toStdString();
}

}  // namespace
}  // namespace app::gui
