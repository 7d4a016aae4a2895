// SPDX-License-Identifier: BSD-3-Clause
// n-way dissemination whose last round sends, and keeps, only as much as is missing.
//
// Source: End et al. 2016, section III.B, theorem 1; shapes/adaptation.hpp states the condition and finds the 5-tuple.
// P ranks, n messages per round, N = n + 1, k = ceil(log_N P), M = N^(k-1), vectors of m bytes. P = 5, n = 2, M = 3,
// tuple (1, 1, -1, 1, 0), rank 0:
//
//   round   hears from ranks   holds
//     1           4 3          0 4 3
//     2            2           0 4 3  2 1      (rank 2 holds 2 1 0 and sends its first two)
//
// Rounds k, each alpha + beta m. A rank keeps up to three partial results, all begun in the order of arrival:
//   full     everything that came
//   prefix   its first a contributions: stops growing at the boundary (sent in the last round by the last sender)
//   rest     all but its first d: starts growing at the boundary (the result, when d > 0)
// So nothing is taken out of a result by an inverse, and rounding is that of the additions made.
// Correct because full senders bring M contributions each, the last one a, and P = sM + a - d. Orders differ between
// ranks (q, q-1, ... going round): commutative operations only.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/adaptation.hpp"
#include "engine/shapes/powers.hpp"

#include <optional>
#include <string>

namespace engine::algorithms::allreduce_adapted_dissemination {
namespace {

/// "2,1,-1,1,0", as the option has it.
std::string wordsOf(const shapes::Adaptation& one) {
    return text(one.senders, ',', one.senderRound, ',', one.receiverRound, ',', one.senderPart, ',', one.receiverPart);
}

/// The schedule as numbers; ranks >= 2.
class Adapted : public ByRound<Adapted> {
public:
    Adapted(std::int32_t ranks, std::int32_t n, Bytes bytes, const shapes::Adaptation& adaptation)
        : ranks_{ranks},
          n_{n},
          bytes_{bytes},
          adaptation_{adaptation},
          rounds_{shapes::ceilLog(n + 1, ranks)},
          held_{shapes::power(n + 1, rounds_ - 1)} {
        if (adaptation_.prefix > 0 && adaptation_.prefix < held_) prefixSlot_ = slots_++;
        if (adaptation_.dropped > 0) result_ = slots_++;
    }

    [[nodiscard]] std::int64_t rounds() const { return rounds_; }
    [[nodiscard]] Facts facts() const {
        Facts facts{.ranks = ranks_, .ports = n_};
        facts.slots = slots_;
        facts.own = Slots{1} | Slots{1} << prefixSlot_;
        facts.result = result_;
        facts.remarks = {lastRound()};
        return facts;
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int64_t apart = shapes::power(n_ + 1, round.value);
        const bool last = round.value + 1 == rounds_;
        const std::int32_t messages = last ? adaptation_.messages() : n_;
        use([=, this](Rank rank, auto& out) {
            for (std::int32_t i = 1; i <= messages; ++i) {
                const int slot = last && i > adaptation_.fullSenders ? prefixSlot_ : full;
                out.sendPartial(shapes::around(rank, i * apart, ranks_), slot, bytes_);
                out.receivePartial(shapes::around(rank, -i * apart, ranks_),
                                   last ? Slots{1} << result_ : grown(i, apart), Action::append, bytes_);
            }
        });
    }

    [[nodiscard]] Cost cost(const Problem& problem) const {
        Cost cost{.startups = (rounds_ - 1) * serializedMessages(problem, n_) +
                              serializedMessages(problem, adaptation_.messages())};
        cost.volume = cost.startups * bytes_;
        for (std::int64_t apart = 1; apart < held_; apart *= n_ + 1)
            for (std::int32_t i = 1; i <= n_; ++i)
                cost.combined += combinedBytes(grown(i, apart), Action::append, bytes_);
        cost.combined += adaptation_.messages() * bytes_;
        return cost;
    }

private:
    static constexpr int full = 0;

    /// "in the last round each rank receives 2 messages: 1 with the sum of the sender's 3 contributions and 1 with the
    /// sum of the sender's first 2 (tuple 2,1,-1,1,0)".
    [[nodiscard]] std::string lastRound() const {
        // In a single round everybody sends his own contribution alone.
        const bool isAlike = held_ == 1;
        const std::int32_t whole = isAlike ? adaptation_.messages() : adaptation_.fullSenders;
        const std::int64_t prefix = isAlike ? 0 : adaptation_.prefix;
        const bool both = whole > 0 && prefix > 0;
        std::string words = text("in the last round each rank receives ", adaptation_.messages(),
                                 adaptation_.messages() == 1 ? " message" : " messages", both ? ": " : ", ");
        if (whole > 0) {
            words += both ? text(whole, " with ") : whole == 1 ? "with " : "each with ";
            words += isAlike ? "the sender's contribution" : text("the sum of the sender's ", held_, " contributions");
        }
        if (prefix > 0) {
            words += both ? " and 1 with " : "with ";
            words += prefix == 1 ? "the sender's own contribution"
                                 : text("the sum of the sender's first ", prefix, both ? "" : " contributions");
        }
        if (adaptation_.dropped > 0)
            words += text("; each rank leaves its own first ",
                          adaptation_.dropped == 1 ? "contribution" : text(adaptation_.dropped, " contributions"),
                          " out of the result");
        return text(words, " (tuple ", wordsOf(adaptation_), ")");
    }

    /// The partial results that grow by part i of a round before the last: i * apart contributions came before it.
    [[nodiscard]] Slots grown(std::int32_t i, std::int64_t apart) const {
        Slots slots = Slots{1} << full;
        if (prefixSlot_ != full && (i + 1) * apart <= adaptation_.prefix) slots |= Slots{1} << prefixSlot_;
        if (result_ != full && i * apart >= adaptation_.dropped) slots |= Slots{1} << result_;
        return slots;
    }

    std::int32_t ranks_;
    std::int32_t n_;
    Bytes bytes_;
    shapes::Adaptation adaptation_;
    std::int32_t rounds_;
    std::int64_t held_;  // M
    int slots_ = 1;
    int prefixSlot_ = full;
    int result_ = full;
};

/// n-port Bruck: the same number of rounds for every P.
Plan instead(const Problem& problem, std::int32_t n) {
    return makePlan(algorithmNamed("allreduce/bruck"), problem, {{"n", std::to_string(n)}});
}

/// n as the options say. Where a number is chosen, the smallest one is the first that has an adaptation, as in the
/// paper; the best one may be one of n-port Bruck.
std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) -> std::optional<Cost> {
        if (problem.groupA == 1) return Cost{};
        if (const auto adaptation = shapes::bestAdaptation(n, problem.groupA))
            return Adapted{problem.groupA, n, problem.layout.largest(), *adaptation}.cost(problem);
        if (options.is("n", "smallest") || options.is("fallback", "no")) return std::nullopt;
        const Plan bruck = instead(problem, n);
        return bruck.algorithm->predict(bruck.problem, bruck.options);
    });
}

/// The adaptation of that tuple, or, for "auto", the best one; with n messages.
std::optional<shapes::Adaptation> adaptationNamed(const Problem& problem, const Options& options, std::int32_t n) {
    if (options.isAuto("tuple")) return shapes::bestAdaptation(n, problem.groupA);
    std::string wanted = options.word("tuple");
    std::erase(wanted, ' ');
    for (const shapes::Adaptation& one : shapes::adaptations(n, problem.groupA))
        if (one.usable && wanted == wordsOf(one)) return one;
    return std::nullopt;
}

/// The adaptation that the options ask for, with n messages.
std::optional<shapes::Adaptation> adaptationOf(const Problem& problem, const Options& options, std::int32_t n) {
    auto found = adaptationNamed(problem, options, n);
    // As case 4 has it, the last sender stops at the boundary before g^s[j_snd].
    if (found && found->receiverRound < 0 && options.is("border", "printed"))
        found->prefix -= found->senderRound == 0 ? 1 : shapes::power(n + 1, found->senderRound - 1);
    return found;
}

Objection objects(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return std::nullopt;
    const std::int32_t n = messagesOf(problem, options);
    if (adaptationOf(problem, options, n)) return std::nullopt;
    if (!options.isAuto("tuple"))
        return text("tuple ", options.word("tuple"), " is no usable adaptation for n = ", n, ", P = ", problem.groupA,
                    "; ", listing::tuples, " has them");
    if (options.is("fallback", "bruck")) return std::nullopt;
    return text("no adaptation exists for n = ", n, ", P = ", problem.groupA,
                "; n = ", shapes::smallestAdaptable(problem.groupA), " works");
}

SchedulePtr fallback(const Problem& problem, std::int32_t n) {
    const SchedulePtr bruck = instead(problem, n).schedule;
    Facts facts = bruck->facts();
    facts.remarks.push_back(
        text("no adaptation exists for n = ", n, ", P = ", problem.groupA, "; n-port Bruck runs instead"));
    return schedule(std::move(facts), Borrowed{bruck});
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t n = messagesOf(problem, options);
    if (problem.groupA == 1) return then(Facts{.ports = n}, Part{"nothing to do", 0, [](Rank, Round, auto&) {}});
    const auto adaptation = adaptationOf(problem, options, n);
    if (!adaptation) return fallback(problem, n);
    const Adapted adapted{problem.groupA, n, problem.layout.largest(), *adaptation};
    return then(adapted.facts(), Part{"adapted dissemination", adapted.rounds(), adapted});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const std::int32_t n = messagesOf(problem, options);
    if (const auto adaptation = adaptationOf(problem, options, n))
        return Adapted{problem.groupA, n, problem.layout.largest(), *adaptation}.cost(problem);
    const Plan bruck = instead(problem, n);
    return bruck.algorithm->predict(bruck.problem, bruck.options);
}

Choices choose(const Problem& problem, const Options& options) {
    const std::int32_t n = messagesOf(problem, options);
    Choices chosen = chosenPorts(options, n);
    const auto adaptation =
        options.isAuto("tuple") && problem.groupA > 1 ? adaptationOf(problem, options, n) : std::nullopt;
    if (adaptation) chosen.push_back({"tuple", wordsOf(*adaptation)});
    return chosen;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/adapted-dissemination",
        .collective = Collective::allreduce,
        .title = "Adapted n-way dissemination",
        .idea =
            "Dissemination whose last round is cut at boundaries that sender and receiver share, so that every vector is counted once. Where no such boundary exists, the n-port Bruck algorithm is used.",
        .source = "End et al. 2016, section III.B and theorem 1",
        .formula = "ceil(log_N p) (alpha + beta m) + C gamma m",
        .letters = "p ranks, n messages per round (option n), N = n + 1, m bytes, C vectors combined by a rank",
        .errata =
            {{"base border, said to comply with case 4",
              "the sender then sends one boundary too little in every one of these adaptations; it must send up to "
              "g^s[j_snd] itself, and nothing is taken out (P = 8 ranks, n = 2: x2 and x1)"},
             {"equation (8), first line",
              "P is g - g^s, since the sender's boundary lies to the left; the "
              "expanded lines are right"},
             {"equation (8), equal boundaries",
              "solutions such as (2, 1, 1, 1, 1) for n = 2, P = 6 make a rank its own sender; case 3 covers P = "
              "sM, where M = N^(k-1) with k rounds"},
             {"P = N^k", "no 5-tuple exists; only the base border with s = n gives the plain algorithm"},
             {"proof of case 3", "the sum runs from i = 0 to k - 2 and is M - 1; s = 1 cannot occur"},
             {"property (2) before equation (5)", "the sum ends at l - 2 and includes the sender itself"}},
        .options =
            {portsOption(),
             {.name = "fallback",
              .kind = Option::Kind::choice,
              .fallback = "bruck",
              .meaning = "if no adaptation exists: use n-port Bruck, or reject",
              .choices = {"bruck", "no"}},
             {.name = "tuple",
              .kind = Option::Kind::text,
              .fallback = "auto",
              .meaning =
                  "s,l_snd,l_rcv,j_snd,j_rcv of one adaptation: s senders in the last round; the last of them "
                  "sends the contributions that it had up to part j_snd of round l_snd (0,0: its own one alone), "
                  "and each rank leaves out those that it had itself up to part j_rcv of round l_rcv (-1,0: "
                  "none); auto: the one with the fewest messages"},
             {.name = "border",
              .kind = Option::Kind::choice,
              .fallback = "corrected",
              .meaning = "where the last sender stops if l_rcv is -1 (the paper's base border): at the boundary of the "
                         "tuple, or, as printed, at the one before it, which leaves a contribution out",
              .choices = {"corrected", "printed"},
              .broken = "printed"}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::allreduce_adapted_dissemination
