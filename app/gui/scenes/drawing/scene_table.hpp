// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, as rows of words: for screen readers, for the clipboard, for whoever wants the numbers.
#pragma once

#include <QStringList>

#include <cstdint>
#include <vector>

namespace app::gui {

struct Table {
    static constexpr std::size_t most = 20'000;  ///< rows that are kept

    QStringList columns;
    std::vector<QStringList> rows;
    std::int64_t left = 0;  ///< rows there was no room for

    void add(QStringList row) {
        if (rows.size() < most) rows.push_back(std::move(row));
        else ++left;
    }
};

}  // namespace app::gui
