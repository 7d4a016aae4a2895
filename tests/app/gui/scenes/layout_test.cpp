// SPDX-License-Identifier: BSD-3-Clause
// How the window stood comes back at the next start, whatever it was; what cannot come back never stops a start.
#include "app/gui/settings/window_layout.hpp"

#include "engine/base/error.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QDockWidget>
#include <QFile>

#include <random>

namespace app::gui {
namespace {

using Random = std::mt19937;

int upTo(Random& random, int most) { return std::uniform_int_distribution{0, most}(random); }

QList<QDockWidget*> docksOf(const MainWindow& window) {
    QList<QDockWidget*> docks = window.findChildren<QDockWidget*>(QString{}, Qt::FindDirectChildrenOnly);
    std::ranges::sort(docks, {}, &QWidget::objectName);
    return docks;
}

/// Where everything stands, in words: the window's state, and of each dock its side, its tabs, or that it floats.
std::string described(const MainWindow& window) {
    QStringList words{window.isFullScreen() ? "full screen" : window.isMaximized() ? "maximised" : "normal"};
    for (const QDockWidget* dock : docksOf(window)) {
        QString line = dock->objectName();
        if (dock->isHidden()) line += " hidden";
        if (dock->isFloating()) line += " floating";
        else line += " at " + QString::number(static_cast<int>(window.dockWidgetArea(const_cast<QDockWidget*>(dock))));
        QStringList tabs;
        for (const QDockWidget* tab : window.tabifiedDockWidgets(const_cast<QDockWidget*>(dock)))
            tabs += tab->objectName();
        tabs.sort();
        words += line + " with {" + tabs.join(' ') + "}";
    }
    return words.join('\n').toStdString();
}

/// What can be seen of each dock: none of those behind another.
std::map<QString, QSize> sizes(const MainWindow& window) {
    std::map<QString, QSize> found;
    for (const QDockWidget* dock : docksOf(window))
        if (!dock->visibleRegion().isEmpty() && !dock->isFloating()) found[dock->objectName()] = dock->size();
    return found;
}

void expectAlike(const std::map<QString, QSize>& before, const std::map<QString, QSize>& after) {
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [name, size] : before) {
        ASSERT_TRUE(after.contains(name)) << name.toStdString();
        const QSize off = after.at(name) - size;
        EXPECT_LE(std::max(std::abs(off.width()), std::abs(off.height())), 4)
            << name.toStdString() << " was " << size.width() << " x " << size.height() << ", is " << off.width() << ", "
            << off.height() << " more";
    }
}

/// Waits for what the window does once its events are over.
void settle() {
    for (int turn = 0; turn < 20; ++turn) QTest::qWait(1);
}

/// What a user may do with the docks.
void rearrange(MainWindow& window, Random& random) {
    const QList<QDockWidget*> docks = docksOf(window);
    const auto any = [&] { return docks[upTo(random, static_cast<int>(docks.size()) - 1)]; };
    constexpr std::array areas{Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::TopDockWidgetArea,
                               Qt::BottomDockWidgetArea};
    for (int move = upTo(random, 6); move > 0; --move) {
        QDockWidget* dock = any();
        QDockWidget* other = any();
        switch (upTo(random, 5)) {
            case 0: dock->setFloating(!dock->isFloating()); break;
            case 1: dock->close(); break;
            case 2: dock->show(); break;
            case 3: window.addDockWidget(areas[static_cast<std::size_t>(upTo(random, 3))], dock); break;
            case 4:
                if (dock != other && !dock->isFloating() && !other->isFloating()) window.tabifyDockWidget(dock, other);
                break;
            default: dock->raise(); break;
        }
        settle();
    }
}

void resize(MainWindow& window, Random& random) {
    constexpr std::array sizes{QSize{480, 360}, QSize{500, 400},  QSize{640, 700},  QSize{780, 560},
                               QSize{780, 760}, QSize{1280, 800}, QSize{3000, 2000}};
    window.showNormal();
    window.resize(sizes[static_cast<std::size_t>(upTo(random, static_cast<int>(sizes.size()) - 1))]);
    settle();
    switch (upTo(random, 3)) {
        case 0: window.showMaximized(); break;
        case 1: QTest::keyClick(&window, Qt::Key_F11); break;
        default: break;
    }
    settle();
}

TEST(Layout, comesBackFromFullScreenOfATinyWindow) {
    const QTemporaryDir folder;
    for (int start = 0; start < 3; ++start) {
        Stage stage{folder.filePath("settings.ini")};
        stage.begin();
        EXPECT_EQ(stage.window.isFullScreen(), start > 0);
        if (start == 0) {
            stage.window.resize(500, 400);
            settle();
            QTest::keyClick(&stage.window, Qt::Key_F11);
            settle();
        }
        stage.window.close();
    }
}

TEST(Layout, comesBackInAnyOrderOfSizesAndStates) {
    const QTemporaryDir folder;
    bool isSet = false;
    const int seed = qEnvironmentVariableIntValue("COLLSCOPE_SEED", &isSet);
    Random random{isSet ? static_cast<unsigned>(seed) : 16U};
    std::string before;
    std::map<QString, QSize> sizesBefore;
    QSize windowBefore;
    for (int start = 0; start < 40; ++start) {
        SCOPED_TRACE(start);
        Stage stage{folder.filePath("settings.ini")};
        MainWindow& window = stage.window;
        EXPECT_EQ(window.notice(), "");
        if (start > 0) {
            EXPECT_TRUE(QTest::qWaitFor([&] { return described(window) == before; }, 1500));
            ASSERT_EQ(described(window), before);
            // It waits a while for its size, which it cannot have on another screen.
            if (window.size() != windowBefore) QTest::qWait(600);
            settle();
            ASSERT_EQ(described(window), before) << "at " << window.width() << " x " << window.height() << ", was at "
                                                 << windowBefore.width() << " x " << windowBefore.height();
            if (window.size() == windowBefore) expectAlike(sizesBefore, sizes(window));
        }
        const bool shown = start % 4 == 0;
        if (shown) stage.begin();
        if (shown && upTo(random, 1) == 0) window.comparison().compareWithNext();
        for (int change = upTo(random, 2); change >= 0; --change) {
            if (upTo(random, 1) == 0) resize(window, random);
            else rearrange(window, random);
        }
        settle();
        before = described(window);
        sizesBefore = sizes(window);
        windowBefore = window.size();
        if (upTo(random, 3) == 0) {
            window.projector().set(true);  // no key: a floating dock may be the active window
            if (upTo(random, 1) == 0) settle();
        }
        window.close();
    }
}

TEST(Layout, isLeftAloneByWhoeverOnlyLooks) {
    const QTemporaryDir folder;
    {
        Stage stage{folder.filePath("settings.ini")};
        stage.window.resize(700, 700);
        settle();
        stage.window.close();
    }
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    const std::optional<WindowLayout> kept = savedLayout(settings);
    ASSERT_TRUE(kept);
    for (int start = 0; start < 2; ++start) {
        Stage stage{folder.filePath("settings.ini")};
        stage.window.close();
        EXPECT_EQ(savedLayout(stage.settings)->docks.packing, kept->docks.packing);
        EXPECT_EQ(savedLayout(stage.settings)->docks.window, kept->docks.window);
    }
}

QByteArray randomBytes(Random& random, int most) {
    QByteArray bytes;
    for (int left = upTo(random, most); left > 0; --left) bytes += static_cast<char>(upTo(random, 255));
    return bytes;
}

/// Starts with `spoilt` settings; the window says a word, and nothing any more at the start after.
void expectSetAside(const std::function<void(QSettings&)>& spoil, const QString& word) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    {
        Stage stage{file};
        stage.window.close();
        spoil(stage.settings);
    }
    {
        Stage stage{file};
        EXPECT_TRUE(stage.window.notice().contains(word)) << stage.window.notice().toStdString();
        stage.begin();
        EXPECT_TRUE(stage.window.notice().contains(word)) << "nobody could read it";
        stage.window.close();
    }
    Stage stage{file};
    stage.begin();
    EXPECT_EQ(stage.window.notice(), "");
}

TEST(Layout, thatIsDamagedIsSetAsideWithAWord) {
    Random random{1};
    for (int round = 0; round < 6; ++round) {
        expectSetAside([&](QSettings& settings) { settings.setValue("layout/bytes", randomBytes(random, 400)); },
                       "damaged");
        expectSetAside(
            [&](QSettings& settings) {
                QByteArray bytes = settings.value("layout/bytes").toByteArray();
                bytes[upTo(random, static_cast<int>(bytes.size()) - 1)] ^= static_cast<char>(1 << upTo(random, 7));
                settings.setValue("layout/bytes", bytes);
            },
            "damaged");
    }
    expectSetAside([](QSettings& settings) { settings.remove("layout/sum"); }, "damaged");
}

TEST(Layout, ofAnotherVersionIsSetAsideWithAWord) {
    expectSetAside([](QSettings& settings) { settings.setValue("layout/version", 1); }, "another version");
    expectSetAside([](QSettings& settings) { settings.remove("layout/version"); }, "another version");
    expectSetAside([](QSettings& settings) { settings.setValue("geometry", QByteArray{"before there were versions"}); },
                   "an older version");
}

TEST(Layout, ofOtherDocksIsSetAsideWithAWord) {
    Random random{2};
    for (int round = 0; round < 6; ++round) {
        expectSetAside(
            [&](QSettings& settings) {
                save(settings, {.geometry = randomBytes(random, 60),
                                .pictures = randomBytes(random, 60),
                                .docks = {.docks = randomBytes(random, 400), .window = {700, 500}}});
            },
            "not those of that time");
    }
}

TEST(Layout, isKeptWhereItWasSetAside) {
    const QTemporaryDir folder;
    Stage stage{folder.filePath("settings.ini")};
    save(stage.settings, {.geometry = "here", .pictures = {}, .docks = {}});
    const QVariant bytes = stage.settings.value("layout/bytes");
    setLayoutAside(stage.settings);
    EXPECT_FALSE(savedLayout(stage.settings));
    EXPECT_EQ(stage.settings.value("layoutSetAside/bytes"), bytes);
}

TEST(Settings, thatAreNoneAreMovedAsideWithAWord) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    const QByteArray nonsense{"[layout\nx\n"};
    {
        QFile written{file};
        ASSERT_TRUE(written.open(QIODevice::WriteOnly));
        written.write(nonsense);
    }
    {
        Stage stage{file};
        stage.begin();
        EXPECT_TRUE(stage.window.notice().contains("could not be read")) << stage.window.notice().toStdString();
        stage.window.close();
    }
    QFile aside{file + ".unreadable"};
    ASSERT_TRUE(aside.open(QIODevice::ReadOnly));
    EXPECT_EQ(aside.readAll(), nonsense);
    Stage stage{file};
    EXPECT_EQ(stage.window.notice(), "");
}

TEST(Settings, ofRandomBytesNeverStopAStart) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    Random random{3};
    {
        Stage stage{file};
        stage.begin();
        stage.window.close();
    }
    QStringList keys = QSettings{file, QSettings::IniFormat}.allKeys();
    // What was run is another's to judge.
    keys.removeIf([](const QString& key) { return key.startsWith("run/"); });
    ASSERT_GT(keys.size(), 8);
    for (int round = 0; round < 20; ++round) {
        {
            QSettings settings{file, QSettings::IniFormat};
            for (int spoilt = 0; spoilt < 4; ++spoilt) {
                const QString key = keys[upTo(random, static_cast<int>(keys.size()) - 1)];
                const QVariant values[] = {randomBytes(random, 40), "nan", -1e300, "inf", QVariant{}, 2'000'000'000,
                                           QStringList{"a", "b"}};
                settings.setValue(key, values[upTo(random, static_cast<int>(std::size(values)) - 1)]);
            }
        }
        Stage stage{file};
        settle();
        EXPECT_TRUE(std::isfinite(stage.window.playback().speed()));
        stage.window.close();
    }
    for (int round = 0; round < 20; ++round) {
        {
            QFile written{file};
            ASSERT_TRUE(written.open(QIODevice::WriteOnly));
            written.write(randomBytes(random, 2000));
        }
        Stage stage{file};
        settle();
        stage.window.close();
    }
}

}  // namespace
}  // namespace app::gui
