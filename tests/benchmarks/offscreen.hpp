// SPDX-License-Identifier: BSD-3-Clause
// The one application of all benchmarks that draw: fonts need one, widgets too, and it says how long what is painted
// takes.
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <ctime>
#include <map>
#include <vector>

namespace benchmarks {

class Offscreen final : public QApplication {
public:
    using QApplication::QApplication;

    /// Processor time of this thread, in seconds.
    static double processorTime() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

    bool notify(QObject* receiver, QEvent* event) override {
        if (watched_ == nullptr) return QApplication::notify(receiver, event);
        const QEvent::Type type = event->type();
        const double before = processorTime();
        const bool taken = QApplication::notify(receiver, event);
        if (type == QEvent::Paint && receiver->isWidgetType()) painted_[receiver] += processorTime() - before;
        // A window paints all that has to be painted in it at once.
        if (type == QEvent::UpdateRequest && receiver == watched_) {
            ++frames_;
            const double took = processorTime() - frameBegan_;
            if (std::ranges::all_of(frameTimes_, [took](double other) { return other < took; })) {
                slowest_.clear();
                for (const auto& [widget, time] : painted_) slowest_[widget] = time - before_[widget];
            }
            frameTimes_.push_back(took);
            before_ = painted_;
            frameBegan_ = processorTime();
        }
        return taken;
    }

    /// From now on counts what is painted in `window`; nothing: no more.
    void watch(QWidget* window) {
        watched_ = window;
        frames_ = 0;
        frameTimes_.clear();
        frameBegan_ = processorTime();
        painted_.clear();
        before_.clear();
    }
    [[nodiscard]] int frames() const { return frames_; }
    /// Seconds of processor time from frame to frame: all that is done for one, not its painting alone.
    [[nodiscard]] const std::vector<double>& frameTimes() const { return frameTimes_; }
    /// Seconds of processor time in the paint events of each widget; those of a parent do not have its children's.
    [[nodiscard]] const std::map<QObject*, double>& painted() const { return painted_; }

    /// The same within the frame that took longest.
    [[nodiscard]] const std::map<QObject*, double>& slowest() const { return slowest_; }

private:
    QWidget* watched_ = nullptr;
    int frames_ = 0;
    std::vector<double> frameTimes_;
    double frameBegan_ = 0;
    std::map<QObject*, double> painted_;
    std::map<QObject*, double> before_;  // this frame
    std::map<QObject*, double> slowest_;
};

inline Offscreen& offscreen() {
    static int count = 3;
    static char program[] = "benchmarks";
    static char option[] = "-platform";
    static char platform[] = "offscreen";
    static char* words[] = {program, option, platform, nullptr};
    static Offscreen application{count, words};
    return application;
}

}  // namespace benchmarks
