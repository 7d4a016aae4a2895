// SPDX-License-Identifier: BSD-3-Clause
// The parts of the table of fields, and the words of simple ones. For the files of the table alone.
#pragma once

#include "app/session/options/run_options.hpp"
#include "engine/base/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace app::fields {

std::vector<Entry> problemFields();
std::vector<Entry> executionFields();
std::vector<Entry> liveFields();

/// Offers that are called as the command line calls them.
template <class Names>
std::vector<Offer> offersOf(const Names& names) {
    std::vector<Offer> offers;
    for (const auto& name : names) offers.push_back({.words = std::string{name}});
    return offers;
}

inline Words said(const std::string& words) { return words.empty() ? Words{} : Words{words}; }
inline Words unless(bool usual, const std::string& words) { return usual ? Words{} : Words{words}; }
inline Words ifSo(bool given) { return given ? Words{""} : Words{}; }
template <class Number>
Words counted(const std::optional<Number>& number) {
    return number ? Words{engine::text(*number)} : Words{};
}

}  // namespace app::fields
