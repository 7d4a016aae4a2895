// SPDX-License-Identifier: BSD-3-Clause
// Machines by name: what `list models` shows and --model takes. One file under resources/models is one machine; the
// build puts their texts into the program, so that it finds them wherever it stands.
//
//   # a remark                 lines of a key and a value; all keys but title and source are those of the flags
//   title   a few words
//   alpha   3.7us              and beta or bandwidth, gamma: Hockney's model
//   gamma-max  0.3ns/B         what one operation takes where it differs from gamma
//   L       5us                and o, g, G, O: LogGP instead
//   eager   64KiB              larger messages wait for their receiver; left out: none waits
//   source  where the values are from
#pragma once

#include "engine/cost/model.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A machine and where its values are from.
struct NamedModel {
    engine::Model model;
    std::string title;
    std::string source;
};

/// All machines of resources/models, sorted by name.
std::span<const NamedModel> models();

/// The machine called `name`. Throws Error with the nearest name.
const NamedModel& modelNamed(std::string_view name);

/// What --model takes: a name, or @FILE with a file as above. Throws Error.
engine::Model modelFromNameOrFile(const std::string& word);

/// The text of such a file; errors name `where`. A file without alpha keeps the default, and so on.
NamedModel readModelText(std::string_view text, const std::string& name, const std::string& where);

}  // namespace app
