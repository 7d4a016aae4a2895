// SPDX-License-Identifier: BSD-3-Clause
// Quantities as a field shows them: short where the short form reads back exactly, else with all their figures.
#pragma once

#include "app/session/options/run_options.hpp"
#include "engine/base/types.hpp"
#include "engine/cost/model.hpp"

#include <QString>
#include <QStringList>

namespace app::gui {

QString exactWords(engine::Bytes bytes);
QString exactWords(engine::Picoseconds time);
QString exactWords(engine::Rate rate);
/// "L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B".
QString exactWords(const engine::LogGP& logGP);

/// Words of a field as people read them: quantities with a blank before their unit.
QString forPeople(fields::Kind kind, const std::string& words);

/// What a field holds, as the readers of quantities take it: without blanks at its ends, micro written as "u".
std::string plainly(const QString& typed);

}  // namespace app::gui
