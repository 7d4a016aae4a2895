// SPDX-License-Identifier: BSD-3-Clause
// The editor's lines: where they begin, and what stays as the user wants it.
#include "app/teaching/editor/script_edit.hpp"

#include <gtest/gtest.h>

#include <QKeyEvent>
#include <QTest>

namespace app::gui {
namespace {

/// As a keyboard sends it: with Ctrl a letter is a sign that nobody sees.
void undoIn(ScriptEdit& edit) {
    QKeyEvent key{QEvent::KeyPress, Qt::Key_Z, Qt::ControlModifier, QStringLiteral("\x1a")};
    QCoreApplication::sendEvent(&edit, &key);
}

TEST(ScriptEdit, putsWhatClosesBelowWhatOpens) {
    ScriptEdit edit;
    edit.show();
    QTest::keyClicks(&edit, "do");
    QTest::keyClick(&edit, Qt::Key_Return);
    QTest::keyClicks(&edit, "end");
    EXPECT_EQ(edit.toPlainText(), QStringLiteral("do\nend"));
}

TEST(ScriptEdit, leavesWhatIsUndone) {
    ScriptEdit edit;
    edit.show();
    edit.setPlainText(QStringLiteral("do\n  en"));
    edit.moveCursor(QTextCursor::End);
    QTest::keyClicks(&edit, "d");
    EXPECT_EQ(edit.toPlainText(), QStringLiteral("do\nend"));
    undoIn(edit);
    EXPECT_EQ(edit.toPlainText(), QStringLiteral("do\n  end"));
}

}  // namespace
}  // namespace app::gui
