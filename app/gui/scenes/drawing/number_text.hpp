// SPDX-License-Identifier: BSD-3-Clause
// Numbers as the window writes them, where the command line keeps to ASCII or to digits alone.
#pragma once

#include <QString>

#include <cstdint>

namespace app::gui {

/// "1,047,552".
QString countInWords(std::int64_t number);
/// "1 hop", "3 hops".
QString countedInWords(std::int64_t number, const QString& one, const QString& many);

/// Words of the command line with a real mu: "took 27.2 us" becomes "took 27.2 \u00b5s".
QString withMu(QString words);

}  // namespace app::gui
