// SPDX-License-Identifier: BSD-3-Clause
// The formula that the catalogue prints against the numbers it works with: each printed formula is read as it stands,
// its letters are given values, and startups and bytes must be those of the prediction.
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace engine {
namespace {

using ParameterValues = std::map<std::string, double>;

/// Reads what people write: "2(p - 1)/p beta m" is 2 * (p - 1) / p * beta * m, "lg max(p,q)" a function of a function.
class Formula {
public:
    Formula(std::string words, ParameterValues letters) : words_{std::move(words)}, letters_{std::move(letters)} {}

    [[nodiscard]] double value() {
        at_ = 0;
        const double sum = expression();
        if (next() != '\0') ADD_FAILURE() << "cannot read '" << words_.substr(at_) << "' of '" << words_ << "'";
        return sum;
    }

private:
    [[nodiscard]] char next() {
        while (at_ < words_.size() && words_[at_] == ' ') ++at_;
        return at_ < words_.size() ? words_[at_] : '\0';
    }
    [[nodiscard]] bool take(char sign) {
        if (next() != sign) return false;
        ++at_;
        return true;
    }
    [[nodiscard]] double expression() {
        double sum = term();
        while (true) {
            if (take('+')) sum += term();
            else if (take('-')) sum -= term();
            else return sum;
        }
    }
    [[nodiscard]] double term() {
        double product = factor();
        while (true) {
            const char sign = next();
            if (sign == '/') {
                ++at_;
                product /= factor();
            } else if (sign == '(' || sign == '[' || std::isalnum(static_cast<unsigned char>(sign)) != 0) {
                product *= factor();
            } else {
                return product;
            }
        }
    }
    [[nodiscard]] double factor() {
        if (take('(')) {
            const double inside = expression();
            EXPECT_TRUE(take(')')) << words_;
            return inside;
        }
        if (take('[')) {  // a condition, whose value is a letter's
            const std::size_t begin = std::exchange(at_, words_.find(']', at_) + 1);
            return letters_.at(words_.substr(begin, at_ - 1 - begin));
        }
        const std::size_t begin = at_;
        const auto letter = [&] {
            return at_ < words_.size() &&
                   (std::isalnum(static_cast<unsigned char>(words_[at_])) != 0 || words_[at_] == '_');
        };
        if (std::isdigit(static_cast<unsigned char>(next())) != 0) {
            while (at_ < words_.size() && std::isdigit(static_cast<unsigned char>(words_[at_])) != 0) ++at_;
            return std::stod(words_.substr(begin, at_ - begin));
        }
        while (letter()) ++at_;
        const std::string name = words_.substr(begin, at_ - begin);
        if (const auto known = letters_.find(name); known != letters_.end())
            return take('^') ? std::pow(known->second, factor()) : known->second;
        if (name.empty() || !isFunction(name)) {
            ADD_FAILURE() << "what is '" << name << "' in '" << words_ << "'?";
            at_ = words_.size();
            return 0;
        }
        return call(name, arguments());
    }
    [[nodiscard]] static bool isFunction(const std::string& name) {
        for (const char* known : {"ceil", "floor", "lg", "log2", "log_N", "log_k", "max", "min"})
            if (name == known) return true;
        return false;
    }
    /// In brackets, or the one factor that follows.
    [[nodiscard]] std::vector<double> arguments() {
        if (!take('(')) return {factor()};
        std::vector<double> all{expression()};
        while (take(',')) all.push_back(expression());
        EXPECT_TRUE(take(')')) << words_;
        return all;
    }
    [[nodiscard]] double call(const std::string& name, const std::vector<double>& of) const {
        constexpr double tiny = 1e-9;
        if (name == "ceil") return std::ceil(of[0] - tiny);
        if (name == "floor") return std::floor(of[0] + tiny);
        if (name == "lg") return std::ceil(std::log2(of[0]) - tiny);
        if (name == "log2") return std::log2(of[0]);
        if (name.starts_with("log_")) return std::log(of[0]) / std::log(letters_.at(name.substr(4)));
        return name == "max" ? *std::max_element(of.begin(), of.end()) : *std::min_element(of.begin(), of.end());
    }

    std::string words_;
    ParameterValues letters_;
    std::size_t at_ = 0;
};

/// Part of a printed formula, what it is said of, and the values of its letters there.
struct Printed {
    std::string id;
    std::string begin;  ///< the part begins behind these words; empty: where the formula begins
    std::string end;    ///< and ends before these; empty: where it ends
    std::map<std::string, std::string> options;
    ParameterValues letters;
};

/// Whether the algorithm predicts the problem, and then what is printed.
bool agrees(const Printed& printed, const Problem& problem) {
    const Algorithm& algorithm = algorithmNamed(printed.id);
    std::string words = algorithm.formula;
    if (!printed.begin.empty()) {
        const auto found = words.find(printed.begin);
        EXPECT_NE(found, std::string::npos) << words;
        words = words.substr(found + printed.begin.size());
    }
    if (!printed.end.empty()) {
        const auto found = words.find(printed.end);
        EXPECT_NE(found, std::string::npos) << words;
        words = words.substr(0, found);
    }
    const Options options{algorithm.id, algorithm.options, printed.options};
    if (algorithm.objects && algorithm.objects(problem, options)) return false;
    const std::optional<Cost> cost = algorithm.predict(problem, options);
    if (!cost) return false;
    ParameterValues letters = printed.letters;
    // How often vectors are combined has no closed form everywhere.
    if (const Bytes m = problem.layout.largest(); isReduction(problem.collective) && m > 0)
        letters["C"] = static_cast<double>(cost->combined) / static_cast<double>(m);
    const auto with = [&](double alpha, double beta, double gamma) {
        letters["alpha"] = alpha, letters["beta"] = beta, letters["gamma"] = gamma;
        return Formula{words, letters}.value();
    };
    const std::string what = text(printed.id, ' ', toText(problem), ": ", words);
    EXPECT_NEAR(with(1, 0, 0), static_cast<double>(cost->startups), 1e-6) << what;
    EXPECT_NEAR(with(0, 1, 0), static_cast<double>(cost->volume), 1e-6) << what;
    EXPECT_NEAR(with(0, 0, 1), static_cast<double>(cost->combined), 1e-6) << what;
    return true;
}

double ceilDiv(std::int32_t a, std::int32_t b) { return (a + b - 1) / b; }
bool isPowerOfTwo(std::int32_t n) { return (n & (n - 1)) == 0; }

TEST(PrintedFormula, ofAllgathervIsThePrediction) {
    int held = 0;
    for (std::int32_t p = 2; p <= 20; ++p) {
        const Problem equal = support::allgatherv(std::vector<Bytes>(static_cast<std::size_t>(p), 12));
        const ParameterValues letters{{"p", p}, {"m", 12}, {"m_i", 12}};
        held += agrees({"allgatherv/bruck", "", " for equal", {}, letters}, equal);
        held += agrees({"allgatherv/linear-ring", "", "", {}, letters}, equal);
        held += agrees({"allgatherv/recursive-doubling", "", " for equal", {}, letters}, equal);
        std::vector<Bytes> sizes;
        for (std::int32_t i = 0; i < p; ++i) sizes.push_back(8 * (1 + i * 5 % 4));
        const Bytes blocks = std::accumulate(sizes.begin(), sizes.end(), Bytes{0}) / 8;
        held += agrees({"allgatherv/pipelined-ring",
                        "",
                        " fixed",
                        {{"block", "8"}},
                        {{"b", static_cast<double>(blocks)},
                         {"b_i", *std::min_element(sizes.begin(), sizes.end()) / 8},
                         {"B", 8}}},
                       support::allgatherv(sizes));
        for (std::size_t i = 0; i < sizes.size(); i += 2) sizes[i] = 0;  // one empty rank before each of the others
        for (Bytes& size : sizes) size = size > 0 ? std::max<Bytes>(size, 16) : 0;
        const Bytes left = std::accumulate(sizes.begin(), sizes.end(), Bytes{0}) / 8;
        const double gap = p % 2 == 0 ? 1 : 2;  // of an odd ring, the last one and the first
        if (p > 3 && (p % 2 == 0 || sizes[1] > 16))
            held += agrees({"allgatherv/pipelined-ring",
                            "; ",
                            " compact",
                            {{"block", "8"}, {"empty", "skipped"}},
                            {{"NB", static_cast<double>(left)}, {"z_i", gap}, {"B", 8}}},
                           support::allgatherv(sizes));
    }
    EXPECT_GT(held, 60);
}

TEST(PrintedFormula, ofReductionsAndBarriersIsThePrediction) {
    int held = 0;
    for (std::int32_t ranks = 2; ranks <= 40; ++ranks)
        for (int n = 1; n <= 4; ++n) {
            const ParameterValues letters{
                {"p", ranks}, {"m", 24}, {"N", n + 1.0}, {"w", isPowerOfTwo(ranks) ? 1.0 : 2.0}};
            const std::string ways = std::to_string(n);
            // The papers' machines have a port for each message of a round.
            Problem problem = support::allreduce(ranks, 24);
            Problem barrier = support::barrier(ranks);
            problem.ports = barrier.ports = 64;
            for (const char* id : {"allreduce/bruck", "allreduce/adapted-dissemination", "allreduce/dissemination"})
                held += agrees({id, "", "", {{"n", ways}}, letters}, problem);
            held += agrees({"barrier/butterfly", "", ", on", {{"n", ways}}, letters}, barrier);
            held += agrees({"barrier/dissemination", "", "", {{"n", ways}}, letters}, barrier);
            if (n > 1) continue;
            held += agrees({"allreduce/binomial-tree", "", "", {}, letters}, problem);
            held += agrees({"allreduce/butterfly", "", ", on", {}, letters}, problem);
            ParameterValues folded = letters;
            folded["p is no power of two"] = isPowerOfTwo(ranks) ? 0 : 1;
            held += agrees({"allreduce/pairwise-exchange", "", "", {}, folded}, problem);
        }
    EXPECT_GT(held, 600);
}

/// Of p = 2^k + r ranks the first r places have two blocks each, the others one; half as many places in each round.
TEST(PrintedFormula, ofRecursiveHalvingHoldsForAllNumbersOfRanks) {
    const Algorithm& halving = algorithmNamed("reduce-scatter/recursive-halving");
    const std::string_view condition = "for other p ";
    const auto at = halving.formula.find(condition);
    ASSERT_NE(at, std::string::npos);
    const std::string words = halving.formula.substr(at + condition.size());
    for (std::int32_t p = 3; p <= 40; ++p) {
        if (isPowerOfTwo(p)) continue;
        const auto places = std::int32_t{1} << static_cast<int>(std::floor(std::log2(p)));
        double blocks = 0;
        for (std::int32_t half = places / 2; half > 0; half /= 2) {
            std::int32_t most = 0;
            for (std::int32_t first = 0; first < places; first += half) {
                std::int32_t its = 0;
                for (std::int32_t place = first; place < first + half; ++place) its += place < p - places ? 2 : 1;
                most = std::max(most, its);
            }
            blocks += most;
        }
        const Bytes m = Bytes{8} * p;
        const Problem problem{.collective = Collective::reduceScatter, .groupA = p, .layout = Layout::regular(p, m)};
        const Cost cost = *halving.predict(problem, Options{halving.id, halving.options, {}});
        const auto with = [&](double alpha, double beta, double gamma) {
            return Formula{words,
                           {{"p", p},
                            {"m", static_cast<double>(m)},
                            {"B", blocks},
                            {"alpha", alpha},
                            {"beta", beta},
                            {"gamma", gamma}}}
                .value();
        };
        EXPECT_NEAR(with(1, 0, 0), static_cast<double>(cost.startups), 1e-6) << p;
        EXPECT_NEAR(with(0, 1, 0), static_cast<double>(cost.volume), 1e-3) << p;
        EXPECT_NEAR(with(0, 0, 1), static_cast<double>(cost.combined), 1e-3) << p;
    }
}

/// A of the printed letters: the rounds of the tree with one segment on each of its ways.
double firstSegmentRounds(const std::string& id, const Problem& problem) {
    const Algorithm& algorithm = algorithmNamed(id);
    const bool split = id == "bcast/split-binary-tree";
    const Options options{id, algorithm.options, {{"segments", split ? "2" : "1"}}};
    return static_cast<double>(algorithm.predict(problem, options)->startups - (split ? 1 : 0));
}

TEST(PrintedFormula, ofBroadcastsIsThePrediction) {
    int held = 0;
    for (std::int32_t p = 2; p <= 64; ++p) {
        const Bytes m = Bytes{p} * 48;
        const Problem problem = support::bcast(p, 0, m);
        ParameterValues letters{{"p", p}, {"m", static_cast<double>(m)}};
        for (const char* id : {"bcast/binomial-tree", "bcast/scatter-recursive-doubling-allgather"})
            held += agrees({id, "", "", {}, letters}, problem);
        held += agrees({"bcast/scatter-ring-allgather", "", "; G groups", {}, letters}, problem);
        for (int f = 1; f < std::min(p, 6); ++f) {
            letters["f"] = f;
            held += agrees({"bcast/chain", "", "; with f", {{"fanout", std::to_string(f)}}, letters}, problem);
        }
        held += agrees({"bcast/flat", "", "; in G", {}, letters}, problem);
        for (const int X : {2, 4, 6, 12}) {
            letters["X"] = X;
            const std::map<std::string, std::string> segments{{"segments", std::to_string(X)}};
            held += agrees({"bcast/pipelined-chain", "", "; in G", segments, letters}, problem);
            if (p < 3) continue;
            for (const char* id : {"bcast/binary-tree", "bcast/split-binary-tree"}) {
                letters["A"] = firstSegmentRounds(id, problem);
                if (isPowerOfTwo(p + 1)) {
                    EXPECT_NEAR(letters["A"], 2 * (std::log2(p + 1) - 1), 1e-9) << id << p;
                }
                held += agrees({id, "", ", A =", segments, letters}, problem);
            }
        }
        for (int G = 2; G < p; ++G) {
            if (p % G != 0) continue;
            letters["G"] = G;
            letters["X"] = 12;
            std::map<std::string, std::string> groups{{"groups", std::to_string(G)}};
            held += agrees({"bcast/chain", "in G groups ", "", groups, letters}, problem);
            held += agrees({"bcast/flat", "in G groups ", "", groups, letters}, problem);
            groups["segments"] = "12";
            held += agrees({"bcast/pipelined-chain", "in G groups ", "", groups, letters}, problem);
        }
    }
    EXPECT_GT(held, 700);
}

TEST(PrintedFormula, ofHalfDuplexIsThePrediction) {
    int held = 0;
    for (std::int32_t p = 1; p <= 16; ++p)
        for (std::int32_t q = 1; q <= 16; ++q) {
            const Bytes k = Bytes{q} * 12;
            const Problem problem = support::halfduplex(p, q, k);
            ParameterValues letters{{"p", p}, {"q", q}, {"k", static_cast<double>(k)}, {"c", ceilDiv(q, p)}};
            const std::string id = "halfduplex-allgather/";
            held += agrees({id + "ring-intragroup", "", "", {}, letters}, problem);
            if (p % 2 == 0 && q % 2 == 0) held += agrees({id + "ring-streams", "", "", {}, letters}, problem);
            if (p >= q) held += agrees({id + "fully-connected", "; ", " for p >= q", {}, letters}, problem);
            else
                held += agrees({id + "fully-connected", "", " with broadcast", {{"broadcast", "binomial"}}, letters},
                               problem);
            held += agrees({id + "root-gathering", "", "", {}, letters}, problem);
            const bool oneWay = p == 1 && q % 2 == 0;  // the only sender can start one way only
            letters["p = 1 and q even"] = oneWay ? 1 : 0;
            for (const int g : {1, 2, 3, 4, 6}) {
                if (oneWay && 2 * g > q) continue;
                letters["g"] = g;
                held += agrees({id + "ring-belts", "", "", {{"segments", std::to_string(g)}}, letters}, problem);
            }
        }
    EXPECT_GT(held, 1700);
}

TEST(PrintedFormula, ofToriIsThePrediction) {
    int held = 0;
    for (const std::vector<int>& others : {std::vector<int>{2}, {5}, {3, 2}, {1, 3}, {2, 2, 2}})
        for (int n0 = 2; n0 <= 9; ++n0)
            for (int rA = 1; rA < n0; ++rA) {
                const int layer = std::accumulate(others.begin(), others.end(), 1, std::multiplies<>{});
                Problem problem = support::halfduplex(rA * layer, (n0 - rA) * layer, 12);
                problem.torus = others;
                problem.torus.insert(problem.torus.begin(), n0);
                const double sum =
                    std::accumulate(others.begin(), others.end(), 0) - static_cast<double>(others.size());
                ParameterValues letters{{"p", rA * layer}, {"k", 12}, {"rA", rA}, {"rB", n0 - rA}, {"n_d", 1 + sum}};
                letters["sum"] = letters["of"] = 1;  // "sum of (n_d - 1)" is read as a product
                letters["rA = 1 and rB even"] = rA == 1 && (n0 - rA) % 2 == 0 ? 1 : 0;
                held += agrees({"halfduplex-allgather/torus-belts", "", "", {}, letters}, problem);
            }
    EXPECT_EQ(held, 5 * 36);
}

Problem fullDuplex(std::int32_t p, std::int32_t q, Bytes kA, Bytes kB) {
    std::vector<Bytes> sizes(static_cast<std::size_t>(p), kA);
    sizes.resize(static_cast<std::size_t>(p + q), kB);
    return {
        .collective = Collective::intergroupAllgatherv, .groupA = p, .groupB = q, .layout = Layout::irregular(sizes)};
}

/// d_t(n) of the printed letters.
double doubled(std::int32_t n, int t) { return (1 << t) < n ? std::min(1 << t, n - (1 << t)) : 0; }

/// D of the printed letters: both groups' gathers in lockstep.
double inLockstep(std::int32_t one, double ofOne, std::int32_t other, double ofOther) {
    double sum = 0;
    for (int t = 0; t < 10; ++t) sum += std::max(doubled(one, t) * ofOne, doubled(other, t) * ofOther);
    return sum;
}

TEST(PrintedFormula, ofExchangesBetweenGroupsIsThePrediction) {
    int held = 0;
    for (std::int32_t p = 1; p <= 20; ++p)
        for (std::int32_t q = 1; q <= 20; ++q)
            for (const auto& [kA, kB] : {std::pair{18, 54}, {12, 120}, {120, 12}, {60, 60}}) {
                const std::string id = "intergroup-allgatherv/";
                const Problem problem = fullDuplex(p, q, kA, kB);
                ParameterValues letters{
                    {"p", p}, {"q", q}, {"kA", kA}, {"kB", kB}, {"n", std::max(p, q)}, {"s", std::min(p, q)}};
                letters["M"] = std::max(p * kA, q * kB);
                letters["K"] = p >= q ? q * kB : p * kA;
                letters["D"] = inLockstep(p, kA, q, kB);
                held += agrees({id + "root-gathering-production", "", "", {}, letters}, problem);
                for (const int g : {1, 2, 3}) {
                    letters["g"] = g;
                    if (p > 1 && q > 1)
                        held += agrees({id + "root-gathering", "", "", {{"segments", std::to_string(g)}}, letters},
                                       problem);
                }
                const std::int32_t P = std::max(p, q);
                const std::int32_t Q = std::min(p, q);
                if (P % Q != 0) continue;
                const double kL = p >= q ? kA : kB;
                const double kS = p >= q ? kB : kA;
                letters = {{"P", P}, {"Q", Q}, {"kL", kL}, {"kS", kS}};
                letters["D"] = inLockstep(P, kS * Q / P, Q, kL * P / Q);
                held += agrees({id + "segmented", "", " for Q | P", {}, letters}, problem);
                held += agrees({id + "segmented", "gather=ring ", "", {{"gather", "ring"}}, letters}, problem);
                held += agrees({id + "balanced", "", " for equal", {}, letters}, problem);
                double gathers = 0;
                const int inner = static_cast<int>(std::ceil(std::log2(P / Q)));
                for (int t = 0; t < 10; ++t) {
                    const double ofLarge = t < inner ? doubled(P / Q, t) * kS * Q / P : doubled(Q, t - inner) * kS;
                    gathers += std::max(ofLarge, doubled(Q, t) * kL * P / Q);
                }
                letters["D"] = gathers;
                held += agrees({id + "two-stage", "", "", {}, letters}, problem);
            }
    EXPECT_GT(held, 3000);
}

/// R and D of the printed letters, by writing all distances in the radix.
TEST(PrintedFormula, ofBrucksAlltoallIsThePredictionForAllRadices) {
    int held = 0;
    for (std::int32_t p = 2; p <= 30; ++p)
        for (int radix = 2; radix <= 8; ++radix)
            for (int n = 1; n <= 3; ++n) {
                double rounds = 0, blocks = 0;
                for (std::int64_t place = 1; place < p; place *= radix)
                    for (int v = 1; v < radix && v * place < p; v += n) {
                        ++rounds;
                        for (std::int64_t distance = 1; distance < p; ++distance)
                            blocks += distance / place % radix == v ? 1 : 0;
                    }
                Problem problem{.collective = Collective::alltoallv, .groupA = p, .layout = Layout::regular(p * p, 24)};
                problem.ports = n;
                held += agrees({"alltoallv/bruck",
                                "",
                                " for equal",
                                {{"radix", std::to_string(radix)}},
                                {{"R", rounds}, {"D", blocks}, {"m", 24}}},
                               problem);
            }
    EXPECT_EQ(held, 29 * 7 * 3);
}

TEST(PrintedFormula, ofTheFoldedAllreduceHoldsForAllNumbersOfRanks) {
    const Algorithm& folded = algorithmNamed("allreduce/reduce-scatter-allgather");
    const auto behind = [&](std::string_view begin, std::string_view end) {
        const auto at = folded.formula.find(begin);
        EXPECT_NE(at, std::string::npos) << folded.formula;
        return folded.formula.substr(at + begin.size(), folded.formula.find(end) - at - begin.size());
    };
    for (std::int32_t p = 3; p <= 40; ++p)
        for (const bool halves : {true, false}) {
            const std::int32_t places = std::int32_t{1} << static_cast<int>(std::floor(std::log2(p)));
            std::string words = behind("", ";");
            if (p > places)
                words +=
                    " + " + (halves ? behind("adds ", " with fold=halves") : behind("halves, ", " with fold=pairs"));
            constexpr Bytes m = 64 * 8;
            const std::optional<Cost> cost = folded.predict(
                support::allreduce(p, m), Options{folded.id, folded.options, {{"fold", halves ? "halves" : "pairs"}}});
            ASSERT_TRUE(cost);
            const auto with = [&](double alpha, double beta, double gamma) {
                return Formula{words, {{"P", places}, {"m", m}, {"alpha", alpha}, {"beta", beta}, {"gamma", gamma}}}
                    .value();
            };
            EXPECT_NEAR(with(1, 0, 0), static_cast<double>(cost->startups), 1e-6) << p << words;
            EXPECT_NEAR(with(0, 1, 0), static_cast<double>(cost->volume), 1e-6) << p << words;
            EXPECT_NEAR(with(0, 0, 1), static_cast<double>(cost->combined), 1e-6) << p << words;
        }
}

/// D and U of the printed letters: a group of n ranks halves what it has in each round, from the whole on or up to it.
TEST(PrintedFormula, ofTheScatteredIntergroupAllreduceIsThePrediction) {
    const auto message = [](std::int32_t n, std::int32_t t) {
        if (t < 0) return 0;
        const auto left = [&](std::int32_t rounds) { return (n + (1 << rounds) - 1) >> rounds; };
        return left(t) - left(t + 1);
    };
    int held = 0;
    for (std::int32_t Q = 1; Q <= 12; ++Q)
        for (std::int32_t P = Q; P <= 24; P += Q) {
            const auto rounds = static_cast<std::int32_t>(std::ceil(std::log2(P) - 1e-9));
            const auto fewer = static_cast<std::int32_t>(std::ceil(std::log2(Q) - 1e-9));
            double down = 0, up = 0;
            for (std::int32_t t = 0; t < rounds; ++t) {
                down += std::max(message(P, t), message(Q, t) * (P / Q));
                up += std::max(message(P, rounds - 1 - t), message(Q, fewer - 1 - t) * (P / Q));
            }
            if (P == Q) {
                EXPECT_EQ(down, P - 1.0);
                EXPECT_EQ(up, P - 1.0);
            }
            const Bytes m = Bytes{8} * P;
            const Problem problem{.collective = Collective::intergroupAllreduce,
                                  .groupA = P,
                                  .groupB = Q,
                                  .layout = Layout::regular(P + Q, m)};
            held += agrees({"intergroup-allreduce/reduce-scatter-exchange-allgather",
                            "",
                            ", D = U",
                            {},
                            {{"P", P}, {"Q", Q}, {"D", down}, {"U", up}, {"m", static_cast<double>(m)}}},
                           problem);
        }
    EXPECT_GT(held, 50);
}

/// Of all that the tests above do not hold to their letters, and of every one to come: blocks of equal size, one
/// segment unless it is said here, on numbers of ranks that formulas speak of.
std::string uptoItsCondition(std::string formula) {
    for (const char* end : {" for ", "; ", ", A =", ", q =", ", h =", ", on", " + [root"})
        if (const auto at = formula.find(end); at != std::string::npos) formula.resize(at);
    return formula;
}

struct Stated {
    Problem problem;
    std::map<std::string, std::string> options;
    ParameterValues letters;
};

Stated stated(const Algorithm& algorithm, std::int32_t p) {
    constexpr Bytes m = Bytes{720720} * 16;  // whichever way it is cut
    Stated all{{.collective = algorithm.collective, .groupA = p}, {}, {}};
    const bool between = isIntergroup(algorithm.collective);
    if (between) all.problem.groupB = p;
    const auto ranks = static_cast<double>(all.problem.ranks());
    switch (algorithm.collective) {
        case Collective::barrier: break;
        case Collective::bcast:
        case Collective::intergroupBcast: all.problem.layout = Layout::regular(1, m); break;
        case Collective::alltoallv: all.problem.layout = Layout::regular(p * p, m); break;
        case Collective::intergroupAlltoallv: all.problem.layout = Layout::regular(2 * p * p, m); break;
        default: all.problem.layout = Layout::regular(static_cast<std::int32_t>(ranks), m);
    }
    all.letters = {{"p", p}, {"P", p}, {"m", m}, {"m_i", m}, {"X", 1}, {"n", 1}, {"k", 3}, {"f", 2}, {"w", 1}};
    if (between) all.letters["q"] = all.letters["Q"] = all.letters["g"] = p;
    all.letters["M"] = (p - 1.0) * m, all.letters["D"] = 2.0 * p * (p - 1) * m;
    const std::int32_t places = std::int32_t{1} << static_cast<int>(std::floor(std::log2(p)));
    if (!between) all.letters["P"] = places;
    all.letters["p > P"] = p > places ? 1 : 0;
    all.letters["h"] = std::ceil(std::log2(p) - 1e-9);
    if (algorithm.id == "bcast/knomial-tree") {
        all.letters["q"] = std::ceil(std::log(p) / std::log(3) - 1e-9);
        all.options["radix"] = "3";
    }
    if (algorithm.id == "reduce/binary-tree") all.letters["A"] = 2 * (std::log2(p + 1) - 1);
    for (const Option& option : algorithm.options) {
        if (option.name == "segments" && algorithm.id != "reduce/binary-tree") all.options["segments"] = "1";
        if (option.name == "segments" && algorithm.id == "reduce/binary-tree") all.options["segments"] = "4";
        if (option.name == "fanout") all.options["fanout"] = "2";
    }
    if (algorithm.id == "reduce/binary-tree") all.letters["X"] = 4;
    return all;
}

TEST(PrintedFormula, ofEveryOtherAlgorithmIsThePrediction) {
    // Letters that stand for what the program looks up in a tree, or adds up.
    const std::set<std::string> unsaid{"allreduce/double-tree", "bcast/double-tree", "reduce/in-order-binary-tree"};
    const std::set<std::string> above{"allgatherv/pipelined-ring",
                                      "allreduce/reduce-scatter-allgather",
                                      "intergroup-allreduce/reduce-scatter-exchange-allgather",
                                      "allreduce/bruck",
                                      "allreduce/adapted-dissemination",
                                      "allreduce/dissemination",
                                      "barrier/butterfly",
                                      "barrier/dissemination",
                                      "allreduce/pairwise-exchange",
                                      "alltoallv/bruck",
                                      "bcast/binary-tree",
                                      "bcast/split-binary-tree",
                                      "bcast/chain"};
    for (const Algorithm* algorithm : catalogue()) {
        const bool byHand = above.contains(algorithm->id) || unsaid.contains(algorithm->id) ||
                            algorithm->collective == Collective::halfduplexAllgather ||
                            algorithm->collective == Collective::intergroupAllgatherv;
        if (algorithm->formula.empty() || algorithm->predict == nullptr || byHand) continue;
        int held = 0;
        for (std::int32_t p = 3; p <= 16; ++p) {
            if (algorithm->id == "reduce/binary-tree" && !isPowerOfTwo(p + 1)) continue;
            if (algorithm->id == "reduce-scatter/recursive-halving" && !isPowerOfTwo(p)) continue;
            const Stated at = stated(*algorithm, p);
            const Options options{algorithm->id, algorithm->options, at.options};
            if (algorithm->objects && algorithm->objects(at.problem, options)) continue;
            const std::optional<Cost> cost = algorithm->predict(at.problem, options);
            if (!cost) continue;
            const std::string words = uptoItsCondition(algorithm->formula);
            const auto with = [&](double alpha, double beta, double gamma) {
                ParameterValues letters = at.letters;
                letters["alpha"] = alpha, letters["beta"] = beta, letters["gamma"] = gamma;
                return Formula{words, letters}.value();
            };
            const std::string what = text(algorithm->id, " on ", p, ": ", words);
            EXPECT_NEAR(with(1, 0, 0), static_cast<double>(cost->startups), 1e-6) << what;
            EXPECT_NEAR(with(0, 1, 0), static_cast<double>(cost->volume), 1e-3) << what;
            EXPECT_NEAR(with(0, 0, 1), static_cast<double>(cost->combined), 1e-3) << what;
            ++held;
        }
        EXPECT_GT(held, 0) << algorithm->id << " is predicted nowhere where its formula is looked at";
    }
}

}  // namespace
}  // namespace engine
