// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/item.hpp"
#include "app/cli/figures/paper_file.hpp"

#include <utility>

namespace app::figures {
namespace {

/// Written by the build: {"1-traff2010", "the text of the file"}, ...
constexpr std::pair<std::string_view, std::string_view> texts[] = {
#include "papers.inc"
};

}  // namespace

const std::vector<Paper>& papers() {
    static const std::vector<Paper> all = [] {
        std::vector<Paper> read;
        for (const auto& [name, words] : texts)
            read.push_back(readPaper(words, std::string{"resources/papers/"} + std::string{name} + ".paper"));
        return read;
    }();
    return all;
}

std::string_view nameOf(Kind kind) {
    switch (kind) {
        case Kind::figure: return "figure";
        case Kind::table: return "table";
        case Kind::equation: return "equation";
        case Kind::definition: return "definition";
        case Kind::theorem: return "theorem";
        case Kind::algorithm: return "algorithm";
        case Kind::claim: return "claim";
        case Kind::observation: return "observation";
    }
    return {};
}

std::string_view nameOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced: return "reproduced";
        case Verdict::fitted: return "fitted";
        case Verdict::explained: return "explained";
        case Verdict::contradicted: return "contradicted";
        case Verdict::notHere: return "not available";
        case Verdict::differs: return "does not hold";
    }
    return {};
}

bool isCount(const Number& number) {
    return number.formula.empty() && number.over.empty() && number.of != Of::time && number.of != Of::still;
}

}  // namespace app::figures
