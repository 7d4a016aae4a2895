// SPDX-License-Identifier: BSD-3-Clause
// The Kautz graph: the most nodes known for their degree and diameter among networks this regular. The SiCortex SC5832
// of Träff et al. 2010 is kautz:3,6 (972 nodes).
//
// A node is a word of D letters out of d+1, no letter twice in a row. A link leads to every word that drops the first
// letter and takes a new last one. The shortest way appends what is missing behind the longest overlap of the end of
// the one word with the start of the other; it is the only shortest one.
//
//   kautz:2,2, links 2r and 2r+1 of rank r:     01 -> 10, 12    10 -> 01, 02    20 -> 01, 02
//   words in rank order: 01 02 10 12 20 21      02 -> 20, 21    12 -> 20, 21    21 -> 10, 12
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>

namespace emulation::kinds::of_kautz {
namespace {

/// Long enough for 2^31 nodes of degree 2.
constexpr std::size_t longest = 31;

struct Alphabet {
    std::int32_t degree = 2;
    std::int32_t letters = 1;      ///< of a word
    std::int32_t firstLetter = 1;  ///< words that begin with the same letter

    using Word = std::array<std::int32_t, longest>;

    /// A letter behind another, as a number 0..degree-1: the other one is left out.
    static std::int32_t digit(std::int32_t letter, std::int32_t before) {
        return letter < before ? letter : letter - 1;
    }
    [[nodiscard]] Word word(std::int32_t node) const {
        Word word{};
        word[0] = node / firstLetter;
        std::int32_t weight = firstLetter;
        for (std::size_t i = 1; i < engine::asSize(letters); ++i) {
            weight /= degree;
            const std::int32_t next = node / weight % degree;
            word[i] = next < word[i - 1] ? next : next + 1;
        }
        return word;
    }
    [[nodiscard]] std::int32_t node(const Word& word) const {
        std::int32_t node = word[0];
        for (std::size_t i = 1; i < engine::asSize(letters); ++i) node = node * degree + digit(word[i], word[i - 1]);
        return node;
    }
    /// The node that link `which` of `node` leads to.
    [[nodiscard]] std::int32_t step(std::int32_t at, std::int32_t which) const {
        Word letter = word(at);
        const auto last = engine::asSize(letters) - 1;
        const std::int32_t next = which < letter[last] ? which : which + 1;
        std::copy(letter.begin() + 1, letter.end(), letter.begin());
        letter[last] = next;
        return node(letter);
    }
};

class Kautz final : public Network {
public:
    Kautz(std::string name, Alphabet alphabet, std::int32_t nodes, std::int32_t ranks)
        : name_{std::move(name)}, alphabet_{alphabet}, nodes_{nodes}, ranks_{ranks} {
        requireLinks(engine::text(engine::field::topology, " ", name_), static_cast<__int128>(nodes) * alphabet.degree);
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t places() const override { return nodes_; }
    [[nodiscard]] std::int32_t links() const override { return nodes_ * alphabet_.degree; }

    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        Alphabet::Word at = alphabet_.word(from.value);
        const Alphabet::Word goal = alphabet_.word(to.value);
        const auto letters = static_cast<std::ptrdiff_t>(alphabet_.letters);
        std::ptrdiff_t overlap = letters;
        while (!std::equal(goal.begin(), goal.begin() + overlap, at.begin() + (letters - overlap))) --overlap;
        for (; overlap < letters; ++overlap) {
            const std::int32_t next = goal[engine::asSize(overlap)];
            const std::int32_t which = Alphabet::digit(next, at[engine::asSize(letters) - 1]);
            out.push_back(LinkId{alphabet_.node(at) * alphabet_.degree + which});
            std::copy(at.begin() + 1, at.begin() + letters, at.begin());
            at[engine::asSize(letters) - 1] = next;
        }
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        const std::int32_t from = link.value / alphabet_.degree;
        return {from, alphabet_.step(from, link.value % alphabet_.degree)};
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(name_, [alphabet = alphabet_](Rank a, Rank b) {
            for (std::int32_t which = 0; which < alphabet.degree; ++which)
                if (alphabet.step(a.value, which) == b.value) return true;
            return false;
        });
    }

private:
    std::string name_;
    Alphabet alphabet_;
    std::int32_t nodes_;
    std::int32_t ranks_;
};

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("kautz", words, 2, "kautz:3,6");
    Alphabet alphabet{.degree = arguments.number(arguments.sizes[0]),
                      .letters = arguments.number(arguments.sizes[1], 1, longest)};
    const auto nodesOf = [&](std::int32_t letters) {
        __int128 nodes = static_cast<__int128>(alphabet.degree) + 1;
        for (std::int32_t i = 1; i < letters && nodes < std::int64_t{1} << 40; ++i) nodes *= alphabet.degree;
        return nodes;
    };
    const std::string name = engine::text("kautz:", alphabet.degree, ",", alphabet.letters);
    const __int128 nodes = nodesOf(alphabet.letters);
    requireLinks(engine::text(engine::field::topology, " ", name), nodes * alphabet.degree);
    std::int32_t fitting = 1;
    while (nodesOf(fitting) < ranks && alphabet.degree > 1) ++fitting;
    ranks = requirePlaces(engine::text(engine::field::topology, " ", name), static_cast<std::int64_t>(nodes), ranks,
                          Fill::atMost,
                          alphabet.degree > 1 ? engine::text("kautz:", alphabet.degree, ",", fitting)
                                              : engine::text("kautz:", ranks - 1, ",1"));
    alphabet.firstLetter = static_cast<std::int32_t>(nodes / (alphabet.degree + 1));
    return std::make_shared<const Kautz>(name, alphabet, static_cast<std::int32_t>(nodes), ranks);
}

/// Of the least degree; places may stay free.
std::string forRanks(std::int32_t ranks) {
    int letters = 1;
    for (std::int64_t nodes = 3; nodes < ranks; nodes *= 2) ++letters;
    return engine::text("kautz:2,", letters);
}

}  // namespace

Topology topology() {
    return {.name = "kautz",
            .usage = "kautz:DEGREE,DIAMETER",
            .meaning = "the Kautz graph, (DEGREE+1) DEGREE^(DIAMETER-1) nodes; links lead one way; shortest paths",
            .spoken = "a Kautz graph",
            .make = make,
            .forRanks = forRanks};
}

}  // namespace emulation::kinds::of_kautz
