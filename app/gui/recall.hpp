// SPDX-License-Identifier: BSD-3-Clause
// What the window remembers of a run from one start to the next.
#pragma once

#include "app/session/session.hpp"

#include <QSettings>

namespace app::gui {

/// The run a first start shows: the half-duplex ring streams with 4 senders and 6 receivers.
RunWish firstWish();

void save(QSettings& settings, const RunWish& wish);
/// What was saved; `firstWish()` when nothing was, or when its algorithm is no longer there.
RunWish savedWish(QSettings& settings);

/// The wish that would make this run again, as far as its setting tells it; nothing for a foreign trace.
std::optional<RunWish> wishBehind(const Report& report);

/// Runs as wished: in virtual time, on threads, or as processes over MPI. Throws Error, Cancelled.
Report runWished(const RunWish& wish, const engine::Progress& progress);

/// Whether running it again at every change is quick enough: fewer than 200,000 messages, few threads.
bool isSmall(const RunWish& wish, const engine::Plan& plan);

}  // namespace app::gui
