// SPDX-License-Identifier: BSD-3-Clause
// The window as a teacher: which lesson is given, which were finished, and questions before every round.
#pragma once

#include "app/gui/workflows/comparison_controller.hpp"

#include <QStringList>

namespace app::gui {

struct Lesson;

class LessonController final : public QObject {
    Q_OBJECT

public:
    LessonController(Contents& contents, RunLoader& presenter, ComparisonController& comparison, QSettings& settings,
                     QStatusBar& status);

    /// Shows the lesson of that number (see lessons()) from its first stop.
    void start(std::size_t number);
    /// Stops before every round and asks, with or without a lesson.
    void setPredicting(bool on);
    /// The lessons that were taken to their end once.
    [[nodiscard]] bool finished(const Lesson& lesson) const;

Q_SIGNALS:
    /// Neither lesson nor questions any more.
    void left();

private:
    [[nodiscard]] QStringList allFinished() const;
    void finish(const QString& title);

    Contents* contents_;
    ComparisonController* comparison_;
    QSettings* settings_;
    QStatusBar* status_;
};

}  // namespace app::gui
