// SPDX-License-Identifier: BSD-3-Clause
// The run beside the first one, on one clock with it: where it comes from, and when it goes.
#pragma once

#include "app/gui/workflows/run_loader.hpp"
#include "engine/catalogue/catalogue.hpp"

namespace app::gui {

class ComparisonController final : public QObject {
    Q_OBJECT

public:
    ComparisonController(const Playback& first, Playback& second, LinkedPlayback& pairing, Contents& contents,
                         RunLoader& presenter, Files& files);

    /// What the run that is shown can be compared with: other algorithms for the same problem.
    [[nodiscard]] std::vector<const engine::Algorithm*> rivals() const;
    /// Of another algorithm for the same problem, also for each that is run next.
    void compareWith(const std::string& algorithm);
    /// Of what is there already, such as a replay.
    void compareWith(DrawableRunPtr subject, const QString& name);
    void compareWithTrace(const std::filesystem::path& path);
    void askForTrace();
    /// The present run itself, with what is run next.
    void compareWithNext();
    void stop();

    [[nodiscard]] bool comparing() const { return second_->subject() != nullptr; }
    [[nodiscard]] bool busy() const { return comparer_.busy(); }

Q_SIGNALS:
    /// There are two runs now.
    void began();
    /// There is one again.
    void ended();

private:
    void present(DrawableRunPtr subject, const QString& name);

    const Playback* first_;
    Playback* second_;
    LinkedPlayback* pairing_;
    Contents* contents_;
    RunLoader* runLoader_;
    Files* files_;
    std::string rival_;  // algorithm that is compared with whatever is run; empty: none
    Worker comparer_;
};

}  // namespace app::gui
