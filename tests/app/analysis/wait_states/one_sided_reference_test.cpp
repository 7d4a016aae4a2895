// SPDX-License-Identifier: BSD-3-Clause
// Waits at windows against their slow and plain definition, on random programs.
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/wait_states/one_sided_calls.hpp"
#include "tests/support/programs/window_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace app::analysis::in_one_sided_judged {
namespace {

using samples::WindowCall;
using samples::WindowJudge;
using samples::WindowPlay;
using samples::WindowWait;

bool isOf(const WindowWait& wanted, const BlockingCall& call) {
    return call.kind == wanted.kind && call.rank.value == wanted.rank && call.begin.count() == wanted.begin &&
           call.until().count() == wanted.end && wanted.late.contains(call.late.value);
}

std::string inWords(const BlockingCall& call) {
    return std::string{name(call.kind)} + " of " + std::to_string(call.rank.value) + " for " +
           std::to_string(call.late.value) + ' ' + std::to_string(call.begin.count()) + ".." +
           std::to_string(call.until().count());
}

/// Takes the call that is this wait out of `found`.
bool take(const WindowWait& wanted, std::vector<BlockingCall>& found) {
    const auto its =
        std::find_if(found.begin(), found.end(), [&](const BlockingCall& call) { return isOf(wanted, call); });
    if (its == found.end()) return false;
    found.erase(its);
    return true;
}

TEST(OneSidedJudged, waitsAreThoseOfTheWords) {
    std::array<int, waitKinds> met{};
    for (unsigned seed = 0; seed < 4000; ++seed) {
        SCOPED_TRACE(seed);
        WindowPlay play{seed};
        for (int steps = 20 + play.below(60); steps > 0; --steps) play.step(play.below(play.ranks()));
        const traces::Recording recording = play.finish();
        std::vector<BlockingCall> found;
        for (const BlockingCall& call : oneSidedCalls(recording, {}))
            if (call.waited()) found.push_back(call);
        for (const BlockingCall& call : found) ++met[static_cast<std::size_t>(call.kind)];
        const WindowJudge judge{play};
        for (const WindowWait& wanted : judge.waits())
            ASSERT_TRUE(take(wanted, found))
                << name(wanted.kind) << " of " << wanted.rank << ' ' << wanted.begin << ".." << wanted.end;
        for (const WindowCall& call : play.calls()) {
            if (call.what != WindowCall::What::wait) continue;
            std::vector<BlockingCall> its;
            for (const BlockingCall& one : found)
                if (one.rank.value == call.rank && one.begin.count() >= call.begin && one.begin.count() < call.end)
                    its.push_back(one);
            std::erase_if(found,
                          [&](const BlockingCall& one) { return std::find(its.begin(), its.end(), one) != its.end(); });
            const auto choices = judge.choicesOfWait(call);
            const bool fits = std::any_of(choices.begin(), choices.end(), [&](const std::vector<WindowWait>& choice) {
                std::vector<BlockingCall> left = its;
                return choice.size() == its.size() &&
                       std::all_of(choice.begin(), choice.end(),
                                   [&](const WindowWait& one) { return take(one, left); });
            });
            ASSERT_TRUE(fits || (choices.empty() && its.empty()))
                << "rank " << call.rank << " from " << call.begin << " on: " << (its.empty() ? "" : inWords(its[0]));
        }
        ASSERT_TRUE(found.empty()) << "nobody waited so: " << inWords(found.front());
    }
    for (const WaitKind kind : {WaitKind::earlyTransfer, WaitKind::latePost, WaitKind::earlyWait,
                                WaitKind::lateComplete, WaitKind::windowContention, WaitKind::forProgress})
        EXPECT_GT(met[static_cast<std::size_t>(kind)], 300) << name(kind);
}

TEST(OneSidedJudged, criticalPathKnowsWhereALockIsTakenOver) {
    std::int64_t taken = 0;
    for (unsigned seed = 0; seed < 1500; ++seed) {
        WindowPlay play{seed};
        for (int steps = 60; steps > 0; --steps) play.step(play.below(play.ranks()));
        const traces::Recording recording = play.finish();
        const std::vector<BlockingCall> calls = oneSidedCalls(recording, {});
        for (const PathStep& step : criticalPath(recording, calls, {{}, recording.duration})) {
            const auto isItsEnd = [&](const BlockingCall& call) {
                return call.kind == WaitKind::windowContention && call.rank == step.rank && call.end == step.end;
            };
            if (!step.isAfterLock) continue;
            ++taken;
            EXPECT_TRUE(std::ranges::any_of(calls, isItsEnd)) << seed;
        }
    }
    EXPECT_GT(taken, 100);
}

TEST(OneSidedJudged, waitsOfAPartAreThoseOfItsRanksAndWindows) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        WindowPlay play{seed};
        const int other = play.builder().communicator("pair", {engine::Rank{0}, engine::Rank{1}});
        play.builder().rest().windows.front().communicator = other;
        for (int steps = 60; steps > 0; --steps) play.step(play.below(play.ranks()));
        const traces::Recording recording = play.finish();
        const std::vector<BlockingCall> all = oneSidedCalls(recording, {});
        const auto count = [&](auto has) { return std::count_if(all.begin(), all.end(), has); };
        const auto few = oneSidedCalls(recording, {.part = {.ranks = {engine::Rank{1}}}, .communicators = {}});
        EXPECT_EQ(std::ssize(few), count([](const BlockingCall& call) { return call.rank.value == 1; })) << seed;
        const auto first = oneSidedCalls(recording, {.part = {}, .communicators = {other}});
        const auto rest = oneSidedCalls(recording, {.part = {}, .communicators = {0}});
        EXPECT_EQ(first.size() + rest.size(), all.size()) << seed;
        EXPECT_TRUE(oneSidedCalls(recording, {.part = {.tags = {{1, 2}}}, .communicators = {}}).empty());
    }
}

}  // namespace
}  // namespace app::analysis::in_one_sided_judged
