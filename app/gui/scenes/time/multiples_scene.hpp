// SPDX-License-Identifier: BSD-3-Clause
// Many runs of one problem as small space-time diagrams on one axis of time, the fastest first.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// A run among several.
struct SmallMultiple {
    QString name;
    DrawableRunPtr subject;
};

/// Where each of `count` runs stands: as many in a row as have room to be read.
std::vector<QRectF> multipleCells(std::size_t count, QSizeF size);

/// `runs`, in the order given; the one at `chosen` is framed, -1: none. Of `state` only `dark` matters.
Scene multiplesScene(const std::vector<SmallMultiple>& runs, std::ptrdiff_t chosen, const ViewState& state,
                     QSizeF size);

/// A row per run: its name, its time, and how many times as long as the first.
Table multiplesTable(const std::vector<SmallMultiple>& runs);

}  // namespace app::gui
