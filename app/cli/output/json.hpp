// SPDX-License-Identifier: BSD-3-Clause
// Values as json: stable keys, seconds and bytes, ranks and rounds from 0, null for what is not known.
#pragma once

#include "app/session/proofs/schedule_json.hpp"
#include "app/session/session.hpp"

#include <nlohmann/json.hpp>

namespace app::cli {

/// Keys keep the order they are written in.
using Json = nlohmann::ordered_json;

/// For `dump`: bytes of names that are no UTF-8 become U+FFFD instead of an exception.
inline constexpr auto lenient = Json::error_handler_t::replace;

/// Null for nothing, and for no words.
template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json{};
}
inline Json orNull(const std::string& words) { return words.empty() ? Json{} : Json(words); }

/// What `list` and `describe` say of an algorithm.
Json algorithmJson(const engine::Algorithm& algorithm);

/// Parameters in seconds and seconds per byte; the letters of LogGP where they hold.
Json modelJson(const engine::Model& model);

/// What `run` and `open` say.
Json reportJson(const Report& report);

}  // namespace app::cli
