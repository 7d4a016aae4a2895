// SPDX-License-Identifier: BSD-3-Clause
// What the window remembers of a run from one start to the next.
#pragma once

#include "app/session/options/recorded.hpp"

#include <QSettings>
#include <QStringList>

#include <utility>
#include <vector>

namespace app::gui {

/// The run a first start shows: the half-duplex ring streams with 4 senders and 6 receivers.
RunWish firstWish();

void save(QSettings& settings, const RunWish& wish);
/// What was saved; `firstWish()` when nothing was, or when its algorithm is no longer there.
RunWish savedWish(QSettings& settings);

/// All that a wish asks for beside its algorithm, by key, as words that `wishFrom` reads.
std::vector<std::pair<QString, QStringList>> wordsOf(const RunWish& wish);
/// Throws Error for an algorithm that is not there, and for words that mean nothing.
RunWish wishFrom(const QString& algorithm, const std::vector<std::pair<QString, QStringList>>& words);

/// How the processes of a run over MPI are started, and how often they execute it.
struct Processes {
    Launcher launcher{};
    std::int32_t repeats = 1;
    std::int32_t warmUps = 1;

    friend bool operator==(const Processes&, const Processes&) = default;
};

void save(QSettings& settings, const Processes& processes);
/// What was saved, or the default of what was not.
Processes savedProcesses(QSettings& settings);

/// A run, and what was measured of all its executions.
struct Ran {
    Report report;
    std::string measured{};  ///< a sentence; empty where there was but one execution
    std::string command{};   ///< what started the processes; empty where there were none
};

/// Runs as wished: in virtual time, on threads, or as processes over MPI, started as `processes` says. Throws Error,
/// Cancelled.
Ran runWished(const RunWish& wish, const Processes& processes, const engine::Progress& progress);

/// Whether running it again at every change is quick enough: fewer than 200,000 messages, few threads.
bool isSmall(const RunWish& wish, const engine::Plan& plan);

}  // namespace app::gui
