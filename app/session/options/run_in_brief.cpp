// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/run_in_brief.hpp"

#include <algorithm>

namespace app {
namespace {

/// What the set-up calls a toggle that is on.
std::string onInWords(const fields::Entry& entry) {
    const auto on = std::ranges::find(entry.edited.offers, fields::toggledOn, &fields::Offer::words);
    return on == entry.edited.offers.end() ? std::string{fields::toggledOn} : on->label;
}

std::string wordsOf(const fields::Entry& entry, const Specification& specification) {
    if (entry.now != nullptr) return entry.now(specification);
    if (entry.print == nullptr) return {};
    const fields::Words words = entry.print(specification);
    if (words.empty()) return {};
    return entry.kind == fields::Kind::toggle ? onInWords(entry) : engine::joined(words, ", ");
}

}  // namespace

std::vector<Chip> chipsOf(const RunWish& wish, engine::Collective collective) {
    const Specification specification{.run = wish};
    std::vector<Chip> chips;
    for (const fields::Entry& entry : fields::all()) {
        if (entry.part > fields::Part::execution || !entry.isOf(collective)) continue;
        const std::string words = wordsOf(entry, specification);
        if (words.empty()) continue;
        const std::string_view label = entry.edited.chip.empty() ? entry.label : entry.edited.chip;
        chips.push_back({&entry, std::string{label}, words});
    }
    return chips;
}

}  // namespace app
