// SPDX-License-Identifier: BSD-3-Clause
#include "app/figures/item.hpp"

namespace app::figures {

const std::vector<Paper>& papers() {
    static const std::vector<Paper> all{traff2010(), hasanov2014(), kang2019(), kangHalfDuplex(), end2016()};
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
    return number.formula.empty() && number.fast.empty() && number.of != Of::time && number.of != Of::still;
}

}  // namespace app::figures
