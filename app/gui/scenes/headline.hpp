// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/session/session.hpp"

#include <QString>

namespace app::gui {

/// The result, in clauses without a full stop.
struct Headline {
    QString time;    ///< what the run took
    QString result;  ///< that, and how it stands beside the least that it has to take
    QString better;  ///< what would be better, where something is known to be; may be empty

    [[nodiscard]] QString words() const { return better.isEmpty() ? result : result + QStringLiteral("; ") + better; }
};

/// Times are held to bounds in virtual time alone, of whose model they are.
Headline headlineOf(const Report& report);

}  // namespace app::gui
