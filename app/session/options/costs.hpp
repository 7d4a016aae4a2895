// SPDX-License-Identifier: BSD-3-Clause
// A model in the words that ask for it.
#pragma once

#include "app/session/options/specification.hpp"

namespace app {

/// A named machine and the values that differ from it; empty where nothing need be said.
struct CostWords {
    std::string model;
    std::string alpha;
    std::string beta;
    std::string gamma;
    std::vector<std::string> gammaOf;
    std::string logGP;
    std::string eager;
};

/// A machine that is not known by name is said whole: "name=mine:alpha=2us:beta=1ns/B:gamma=0ns/B".
CostWords costWords(const Specification& specification);

/// The model called, or said whole by, `word`: what --model takes. Throws Error.
engine::Model modelFromWord(const std::string& word);

/// What the values of a model, asked for beside its name, may not be together; and the name of a changed machine.
/// Throws Error.
void settleCosts(Specification& specification, const Asked& asked);

/// For people: "alpha 1 us, beta 0.4 ns/B, gamma 0 ns/B", or the letters of LogGP; and the eager limit, if there is
/// one.
std::string modelWords(const engine::Model& model);

}  // namespace app
