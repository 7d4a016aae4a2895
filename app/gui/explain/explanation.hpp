// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// The round in progress in sentences, then what the algorithm is about: rich text. Messages are links "message:INDEX",
/// ranks "rank:NUMBER". With a rank selected, its part comes first.
QString explain(const DrawableRun& subject, const ViewState& state);
/// Its parts: the round in progress,
QString explainedRoundInWords(const DrawableRun& subject, const ViewState& state);
/// what the algorithm is about,
QString algorithmInWords(const Report& report);
/// and whether it is proved or wrong; empty where that is unknown.
QString verdictInWords(const Report& report);

/// The round that the words are about: that of the selected rank, else the one that most ranks are in.
engine::Round explainedRound(const DrawableRun& subject, const ViewState& state);

/// Messages in flight that belong to rounds before the one in progress: some ranks are behind.
std::size_t latecomers(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
