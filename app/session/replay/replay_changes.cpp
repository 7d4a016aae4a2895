// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_changes.hpp"

#include "app/session/options/run_options.hpp"
#include "app/session/replay/replay_conditions.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::text;

constexpr auto allReplayChanges = std::to_array<ReplayChange>({
    {.key = "with",
     .label = "Algorithms",
     .type = "WAY",
     .help = "run a collective by another algorithm, such as allreduce=allreduce/ring:segments=4, or best",
     .tip = "Algorithms of collectives: allreduce=allreduce/ring:segments=4; up to a size allreduce:..64KiB=best; on a "
            "communicator bcast@row=best; rules of a file @FILE; separate several by ;",
     .unset = "as recorded",
     .several = true,
     .ofPrograms = false},
    {.key = "compute",
     .label = "Computation",
     .type = "TIMES",
     .help = "multiply computation by a factor: 0.5, REGION=0.5, or 'rank 3: REGION=0.5'",
     .tip =
         "A factor for computation: 0.5; of a region assemble=0.5, of a rank 'rank 3: assemble=0.5'; separate several "
         "by ;",
     .unset = "as long as recorded",
     .several = true},
    {.key = "without",
     .label = "Without",
     .type = "DELAY",
     .help = "remove delays: 'rank 3: REGION' or 'rank 3: before main/MPI_Reduce', as the summary of open names them; "
             "REGION alone: no rank computes there",
     .tip = "Delays to remove: 'rank 3: assemble' or 'rank 3: before main/MPI_Reduce', as the summary names them; "
            "assemble removes all computation there; separate several by ;",
     .unset = "no delay removed",
     .several = true},
    {.key = "even",
     .label = "Even out",
     .type = "REGION",
     .help =
         "replace the computation of the ranks in REGION by their mean; REGION is a call path, or 'before CALL' for the "
         "computation that precedes it",
     .tip = "Regions in which all ranks compute equally long; separate several by ;",
     .unset = "no region",
     .several = true},
    {.key = "overlap",
     .label = "Overlap",
     .type = "",
     .help = "make blocking calls nonblocking: sends do not wait, and receives are posted as soon as a buffer is free",
     .tip = "Nonblocking calls in place of blocking ones, where no data depend on it"},
    {.key = "in-ports",
     .label = "Incoming",
     .type = "HOW",
     .help =
         "message (the default): a port receives one message after the other, when the rank waits for it; byte: bytes "
         "queue at the port in order of arrival, as behind a switch",
     .tip =
         "Whether a port receives one message after the other, when the rank waits for it (message), or bytes queue at "
         "the port in order of arrival, as behind a switch (byte)",
     .unset = "as recorded"},
});

bool isCondition(std::string_view key) { return std::ranges::find(replayConditions, key) != replayConditions.end(); }

}  // namespace

std::span<const ReplayChange> replayChanges() { return allReplayChanges; }

const ReplayChange* findReplayChange(std::string_view key) {
    const auto found = std::ranges::find(allReplayChanges, key, &ReplayChange::key);
    return found == allReplayChanges.end() ? nullptr : &*found;
}

const ReplayChange& replayChange(std::string_view key) {
    const ReplayChange* found = findReplayChange(key);
    ENSURE(found != nullptr, text("a replay changes no ", key));
    return *found;
}

ReplayWords wordsOf(const ReplayWish& wish) {
    ReplayWords all;
    const auto say = [&](std::string_view key, std::vector<std::string> words) {
        if (!words.empty()) all.emplace_back(key, std::move(words));
    };
    say("with", wish.with);
    say("compute", wish.ownTime.compute);
    say("without", wish.ownTime.without);
    say("even", wish.ownTime.even);
    if (wish.overlap) say("overlap", {std::string{fields::toggledOn}});
    if (wish.inPorts) say("in-ports", {std::string{nameOf(*wish.inPorts)}});
    for (const std::string_view key : replayConditions) say(key, wish.asked.all(key));
    return all;
}

ReplayWish replayWishFrom(const ReplayWords& words) {
    ReplayWish wish;
    const auto add = [](std::vector<std::string>& all, const std::vector<std::string>& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    for (const auto& [key, values] : words) {
        if (key == "with") add(wish.with, values);
        else if (key == "compute") add(wish.ownTime.compute, values);
        else if (key == "without") add(wish.ownTime.without, values);
        else if (key == "even") add(wish.ownTime.even, values);
        else if (key == "overlap") wish.overlap = wish.overlap || !values.empty();
        else if (key == "in-ports") {
            for (const std::string& value : values) wish.inPorts = inPortsNamed(value);
        } else if (isCondition(key)) {
            for (const std::string& value : values) wish.asked.add(key, value);
        } else {
            throw engine::Error{text("a replay changes no '", key, "'")};
        }
    }
    return wish;
}

std::string commandOf(const std::string& trace, const ReplayWish& wish) {
    std::string command = text("collscope replay ", shellWord(trace));
    for (const auto& [key, values] : wordsOf(wish)) {
        const ReplayChange* change = findReplayChange(key);
        const bool isToggle = change != nullptr && change->type.empty();
        for (const std::string& value : values) command += text(" --", key, isToggle ? "" : " " + shellWord(value));
    }
    return command;
}

std::string delayIn(engine::Rank rank, std::string_view region) { return text("rank ", rank, ": ", region); }

}  // namespace app
