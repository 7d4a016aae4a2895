// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/proven_waits.hpp"

#include <algorithm>
#include <cstdint>

namespace app::analysis {

using engine::Picoseconds;

namespace {

/// Something that a rank does with a message. What ends one that began before comes first of all at one time.
struct ProvingStep {
    enum class Phase : std::uint8_t { endsWhatBegan, posts, endsAtOnce };

    Picoseconds time{};
    Phase phase = Phase::posts;
    bool sends = false;
    std::uint32_t message = 0;

    friend auto operator<=>(const ProvingStep&, const ProvingStep&) = default;
};

std::vector<ProvingStep> provingSteps(const traces::BusyEnds& messages) {
    using enum ProvingStep::Phase;
    std::vector<ProvingStep> steps;
    steps.reserve(4 * messages.from.size());
    const auto add = [&](Picoseconds begin, Picoseconds end, bool sends, std::uint32_t message) {
        steps.push_back({begin, posts, sends, message});
        steps.push_back({end, begin < end ? endsWhatBegan : endsAtOnce, sends, message});
    };
    for (std::uint32_t i = 0; i < messages.from.size(); ++i) {
        add(messages.sendBegin[i], messages.sendEnd[i], true, i);
        add(messages.receiveBegin[i], messages.receiveEnd[i], false, i);
    }
    std::ranges::sort(steps);
    return steps;
}

}  // namespace

std::vector<ProvenWait> provenWaits(const traces::BusyEnds& messages,
                                    std::span<const std::optional<Picoseconds>> entries) {
    struct State {
        Picoseconds kept{};  ///< until when it had not entered, or waited for somebody who was late
        Picoseconds last{};  ///< when it did something
    };
    std::vector<State> ranks;
    for (const std::optional<Picoseconds>& entry : entries)
        ranks.push_back({entry.value_or(Picoseconds{}), entry.value_or(Picoseconds{})});
    // How late either end was when it was posted.
    std::vector<Picoseconds> sent(messages.from.size()), asked(sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i)
        sent[i] = ranks[messages.from[i].index()].kept, asked[i] = ranks[messages.to[i].index()].kept;
    std::vector<ProvenWait> waits;
    for (const ProvingStep& step : provingSteps(messages)) {
        const std::size_t from = messages.from[step.message].index(), to = messages.to[step.message].index();
        const std::size_t self = step.sends ? from : to, other = step.sends ? to : from;
        State& its = ranks[self];
        const Picoseconds since = std::max(its.kept, its.last);
        its.last = std::max(its.last, step.time);
        if (step.phase == ProvingStep::Phase::posts) {
            (step.sends ? sent : asked)[step.message] = its.kept;
            continue;
        }
        // Who sends has waited only where the receiver came before the message was gone.
        if (self == other || (step.sends && messages.receiveBegin[step.message] >= step.time)) continue;
        const Picoseconds until = std::min((step.sends ? asked : sent)[step.message], step.time);
        if (until <= since) continue;
        waits.push_back({self, other, since, until});
        its.kept = until;
    }
    std::ranges::stable_sort(waits, {}, &ProvenWait::place);
    return waits;
}

}  // namespace app::analysis
