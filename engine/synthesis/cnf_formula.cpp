// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/cnf_formula.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <cadical.hpp>

#include <algorithm>
#include <fstream>
#include <utility>

namespace engine::synthesis {

struct Formula::Solver : CaDiCaL::Terminator {
    bool terminate() override {
        // The solver asks after every few conflicts; clocks are read less often.
        if (++asked % 16 != 1) return gaveUp;
        gaveUp = std::chrono::steady_clock::now() >= end || (patience.stop && patience.stop());
        return gaveUp;
    }

    CaDiCaL::Solver cadical;
    Patience patience;
    std::chrono::steady_clock::time_point end;
    unsigned asked = 0;
    bool gaveUp = false;
};

Formula::Formula(const std::string& proof, Poll poll)
    : solver_{std::make_unique<Solver>()}, poll_{std::move(poll)}, proof_{proof} {
    solver_->cadical.set("quiet", 1);
    if (proof.empty()) return;
    // A checker reads a proof in text; only the clauses given at first may be its premises.
    solver_->cadical.set("binary", 0);
    if (!solver_->cadical.trace_proof(proof.c_str())) throw Error{text("'", proof, "' cannot be written")};
}

Formula::~Formula() { solver_->cadical.disconnect_terminator(); }

void Formula::refuse() {
    throw Error{
        text("the search has more than ", mostLiterals, " literals; choose fewer ranks, chunks, steps or rounds")};
}

void Formula::add(std::span<const Literal> clause) {
    literals_ += static_cast<std::int64_t>(clause.size()) + 1;
    if (literals_ > mostLiterals) refuse();
    if (poll_ && clauses_++ % 1024 == 0) poll_();
    for (const Literal literal : clause) solver_->cadical.add(literal);
    solver_->cadical.add(0);
    if (proof_.empty()) return;
    written_.insert(written_.end(), clause.begin(), clause.end());
    written_.push_back(0);
}

std::vector<Literal> Formula::counts(std::span<const Literal> inputs, std::size_t most) {
    // A totalizer (Bailleux and Boufkhad 2003), only as far as `most`, and only from inputs to outputs.
    if (inputs.size() <= 1)
        return {inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(std::min(inputs.size(), most))};
    const std::vector<Literal> left = counts(inputs.first(inputs.size() / 2), most);
    const std::vector<Literal> right = counts(inputs.subspan(inputs.size() / 2), most);
    std::vector<Literal> sums(std::min(most, left.size() + right.size()));
    for (Literal& sum : sums) sum = fresh();
    for (std::size_t l = 0; l <= left.size(); ++l)
        for (std::size_t r = 0; r <= right.size() && l + r <= sums.size(); ++r) {
            if (l + r == 0) continue;
            std::vector<Literal> clause{sums[l + r - 1]};
            if (l > 0) clause.push_back(-left[l - 1]);
            if (r > 0) clause.push_back(-right[r - 1]);
            add(clause);
        }
    return sums;
}

Truth Formula::decide(std::span<const Literal> assumptions, const Patience& patience) {
    for (const Literal literal : assumptions) solver_->cadical.assume(literal);
    solver_->patience = patience;
    solver_->end = std::chrono::steady_clock::now() + patience.time;
    solver_->asked = 0;
    solver_->gaveUp = false;
    solver_->cadical.connect_terminator(solver_.get());
    const int answer = solver_->cadical.solve();
    return answer == 10 ? Truth::satisfiable : answer == 20 ? Truth::unsatisfiable : Truth::unknown;
}

bool Formula::isTrue(Literal literal) const { return solver_->cadical.val(literal) > 0; }

void Formula::closeProof() {
    solver_->cadical.flush_proof_trace();
    solver_->cadical.close_proof_trace();
    const std::string path = proof_ + ".cnf";
    std::ofstream out{path};
    out << "p cnf " << variables_ << ' ' << std::count(written_.begin(), written_.end(), 0) << '\n';
    for (const Literal literal : written_) out << literal << (literal == 0 ? '\n' : ' ');
    out.flush();
    if (!out) throw Error{text("'", path, "' cannot be written")};
}

}  // namespace engine::synthesis
