// SPDX-License-Identifier: BSD-3-Clause
// Checks a proof of unsatisfiability in DRAT text, step by step, by unit propagation alone (RUP): slow, short, and
// nothing of the solver in it.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace support {

class DratChecker {
public:
    /// Whether `proof` shows that `dimacs` cannot be satisfied.
    static bool accepts(const std::string& dimacs, const std::string& proof) {
        DratChecker checker;
        std::istringstream in{dimacs};
        std::string word;
        std::size_t clauses = 0;
        int variables = 0;
        in >> word >> word >> variables >> clauses;
        std::vector<int> clause;
        for (int literal = 0; in >> literal;) {
            if (literal != 0) clause.push_back(literal);
            else checker.add(clause), clause.clear();
        }
        std::istringstream steps{proof};
        for (std::string line; !checker.refuted_ && std::getline(steps, line);) {
            std::istringstream words{line};
            const bool removes = line.starts_with('d');
            if (removes) words >> word;
            clause.clear();
            for (int literal = 0; words >> literal && literal != 0;) clause.push_back(literal);
            if (removes) checker.remove(clause);
            else if (!checker.follows(clause)) return false;
            else checker.add(clause);
        }
        return checker.refuted_;
    }

private:
    [[nodiscard]] bool isTrue(int literal) const {
        const auto at = values_.find(std::abs(literal));
        return at != values_.end() && at->second == (literal > 0);
    }
    [[nodiscard]] bool isFalse(int literal) const { return isTrue(-literal); }
    void assign(int literal) {
        values_[std::abs(literal)] = literal > 0;
        trail_.push_back(literal);
    }

    /// All consequences of what is assigned; whether they contradict each other. Each clause is watched at its first
    /// two literals.
    bool contradicts() {
        while (head_ < trail_.size()) {
            const int negated = -trail_[head_++];
            std::vector<std::size_t>& watching = watches_[negated];
            for (std::size_t i = 0; i < watching.size();) {
                std::vector<int>& clause = clauses_[watching[i]];
                if (clause.empty()) {  // removed
                    watching[i] = watching.back(), watching.pop_back();
                    continue;
                }
                if (clause[0] == negated) std::swap(clause[0], clause[1]);
                if (isTrue(clause[0])) {
                    ++i;
                    continue;
                }
                const auto other =
                    std::find_if(clause.begin() + 2, clause.end(), [&](int literal) { return !isFalse(literal); });
                if (other != clause.end()) {
                    std::iter_swap(clause.begin() + 1, other);
                    watches_[clause[1]].push_back(watching[i]);
                    watching[i] = watching.back(), watching.pop_back();
                    continue;
                }
                if (isFalse(clause[0])) return true;
                assign(clause[0]);
                ++i;
            }
        }
        return false;
    }

    /// Whether the clause is a consequence by unit propagation of its negation.
    bool follows(const std::vector<int>& clause) {
        const std::size_t before = trail_.size();
        bool contradiction = false;
        for (const int literal : clause) {
            contradiction = contradiction || isTrue(literal);
            if (!isTrue(literal) && !isFalse(literal)) assign(-literal);
        }
        contradiction = contradiction || contradicts();
        for (; trail_.size() > before; trail_.pop_back()) values_.erase(std::abs(trail_.back()));
        head_ = before;
        return contradiction;
    }

    void add(std::vector<int> clause) {
        std::sort(clause.begin(), clause.end());
        clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        const std::vector<int> sorted = clause;
        // Literals that are not false come first, so that they are watched.
        std::stable_partition(clause.begin(), clause.end(), [&](int literal) { return !isFalse(literal); });
        if (clause.empty() || isFalse(clause[0])) {
            refuted_ = true;
            return;
        }
        if (clause.size() == 1 || isFalse(clause[1])) {
            if (!isTrue(clause[0])) assign(clause[0]);
            refuted_ = refuted_ || contradicts();
        }
        if (clause.size() < 2) return;  // units stay, whatever is removed later
        const std::size_t number = clauses_.size();
        numbers_[sorted].push_back(number);
        watches_[clause[0]].push_back(number);
        watches_[clause[1]].push_back(number);
        clauses_.push_back(std::move(clause));
    }

    /// What follows from a removed clause stays: unit clauses are never removed from a proof's premises here.
    void remove(std::vector<int> clause) {
        std::sort(clause.begin(), clause.end());
        const auto at = numbers_.find(clause);
        if (at == numbers_.end() || at->second.empty()) return;
        clauses_[at->second.back()].clear();
        at->second.pop_back();
    }

    std::map<int, bool> values_;
    std::vector<int> trail_;
    std::size_t head_ = 0;
    std::vector<std::vector<int>> clauses_;
    std::map<int, std::vector<std::size_t>> watches_;
    std::map<std::vector<int>, std::vector<std::size_t>> numbers_;
    bool refuted_ = false;
};

}  // namespace support
