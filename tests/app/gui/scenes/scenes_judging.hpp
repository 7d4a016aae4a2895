// SPDX-License-Identifier: BSD-3-Clause
// What pictures are judged by: runs with something of everything, and the numbers that words of a table say.
#pragma once

#include "app/gui/scenes/text/run_text.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace app::gui {

/// The number that words of a table say, in bytes, picoseconds, per cent or things; nothing for "not known" or a dash.
inline std::optional<double> numberIn(const QString& words) {
    static const std::map<QString, double> units{{"", 1},         {"B", 1},   {"KiB", 1024.0}, {"MiB", 1048576.0},
                                                 {"GiB", 0x1p30}, {"ps", 1},  {"ns", 1e3},     {"\u00b5s", 1e6},
                                                 {"ms", 1e9},     {"s", 1e12}};
    bool isNumber = false;
    if (words.endsWith('%')) {
        const double percent = words.chopped(1).toDouble(&isNumber);
        return isNumber ? std::optional{percent} : std::nullopt;
    }
    const qsizetype gap = words.lastIndexOf(' ');
    const double number = words.left(gap < 0 ? words.size() : gap).toDouble(&isNumber);
    const auto unit = units.find(gap < 0 ? QString{} : words.mid(gap + 1));
    return isNumber && unit != units.end() ? std::optional{number * unit->second} : std::nullopt;
}

/// Words have four figures.
inline double slack(double number) { return std::abs(number) * 6e-4; }

inline std::vector<DrawableRun> judged() {
    std::vector<DrawableRun> subjects;
    subjects.push_back(ringSubject());
    subjects.push_back(subjectOf(groupsFor("intergroup-allgatherv/segmented", 4, 3)));
    subjects.push_back(subjectOf(wishFor("bcast/pipelined-chain", 8, "mesh:2x4")));
    // Every share of the time at once: late ranks, combining, shared links, more rounds and bytes than needed.
    RunWish all = wishFor("allreduce/dissemination", 8, "ring");
    all.problem.size = engine::Bytes{4096};
    all.model.gamma = engine::Rate{200'000};
    all.perturbation.arrival = emulation::readArrival("late:3,200us");
    subjects.push_back(subjectOf(all));
    RunWish early = wishFor("allreduce/binomial-tree", 9, "ring");
    early.perturbation.arrival = emulation::readArrival("ramp:100us");
    subjects.push_back(subjectOf(early));
    return subjects;
}

inline const std::vector<QSizeF> paperSizes{{360, 420}, {640, 480}, {1000, 700}};

/// Calls use(subject, state, size) for all of them, on light and dark paper, at two moments.
template <class Use>
void everywhere(Use use) {
    for (const DrawableRun& subject : judged())
        for (const QSizeF size : paperSizes)
            for (const bool dark : {false, true}) {
                SCOPED_TRACE(titleOf(subject).toStdString() + " at " + std::to_string(size.width()) +
                             (dark ? " dark" : " light"));
                use(subject, ViewState{.time = subject.run().duration / 2, .dark = dark}, size);
                if (testing::Test::HasFatalFailure()) return;
            }
}

inline std::vector<Shape> those(const Scene& scene, auto use) {
    std::vector<Shape> found;
    std::copy_if(scene.shapes.begin(), scene.shapes.end(), std::back_inserter(found), use);
    return found;
}

}  // namespace app::gui
