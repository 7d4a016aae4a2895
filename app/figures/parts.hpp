// SPDX-License-Identifier: BSD-3-Clause
// Parts of papers that fill files of their own.
#pragma once

#include "app/figures/item.hpp"

#include <initializer_list>
#include <iterator>
#include <utility>

namespace app::figures {

std::vector<Item> traff2010Measured();
std::vector<Item> hasanov2014Measured();
std::vector<Item> kang2019Measured();
/// Charts of kang2019's settings, numbered as in its section 5, on its three configurations.
std::vector<Panel> kang2019Times(std::initializer_list<int> settings);
std::vector<Panel> kang2019Gains();
/// Of the same charts: root gathering is slower for long messages; gains come near the printed limits.
std::vector<Curves> kang2019Orders(std::initializer_list<int> settings);
std::vector<Curves> kang2019Limits();
std::vector<Item> kangHalfDuplexMeasured();
std::vector<Item> end2016Measured();

/// The paper with more items behind its own.
inline Paper joined(Paper paper, std::vector<Item> more) {
    paper.items.insert(paper.items.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return paper;
}

}  // namespace app::figures
