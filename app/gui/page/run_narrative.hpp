// SPDX-License-Identifier: BSD-3-Clause
// A run told round by round, and what there is to say of its ranks and blocks.
#pragma once

#include "app/gui/page/document.hpp"

namespace app::gui::page {

/// The rounds that a story tells, evenly spread where there are very many.
std::vector<engine::Round> toldRounds(const engine::Run& run);
/// Their moments, the start and the end.
std::vector<engine::Picoseconds> toldMoments(const DrawableRun& subject);
/// The story of `number`-th run of a document.
Chapter storyOfRun(const Footage& footage, std::size_t number);

/// Every rank, every block and all messages, each with its details, as sections.
QByteArray partsOf(const DrawableRun& subject);

}  // namespace app::gui::page
