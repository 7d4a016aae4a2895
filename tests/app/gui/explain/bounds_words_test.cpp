// SPDX-License-Identifier: BSD-3-Clause
// Who adds up the numbers of a bound, or of what its time is said to be of, gets its time.
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

namespace app::gui {
namespace {

using engine::Picoseconds;

double secondsIn(const std::string& words) { return engine::seconds(engine::readTime(words, "time")); }

/// "3 startups and 256 KiB of serialized transfer" under alpha and beta.
double timeOf(const std::string& words, const engine::Model& model) {
    static const std::regex startups{"([0-9,]+) (startup|round)s?"},
        bytes{"([0-9.]+ [KMG]?i?B) of serialized transfer"};
    double time = 0;
    std::smatch found;
    if (std::regex_search(words, found, startups)) time += std::stod(found[1]) * engine::seconds(model.alpha);
    if (std::regex_search(words, found, bytes))
        time += static_cast<double>(engine::readBytes(found[1].str(), "bytes")) *
                static_cast<double>(model.beta.femtosecondsPerByte) / 1e15;
    return time;
}

std::vector<RunWish> wishes() {
    std::vector<RunWish> all;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const char* topology : {"", "full"})
            for (const engine::Bytes size : {1024, 65536}) {
                RunWish wish{.algorithm = algorithm->id, .network = {.topology = topology}};
                if (isIntergroup(algorithm->collective)) wish.problem.groupA = 4, wish.problem.groupB = 6;
                else wish.problem.ranks = 8;
                if (algorithm->collective != engine::Collective::barrier) wish.problem.size = size;
                all.push_back(wish);
            }
    return all;
}

TEST(BoundsInWords, addUp) {
    static const std::regex limit{
        "([0-9,]+ rounds?, [0-9.]+ [KMG]?i?B of serialized transfer), ([0-9.]+ [a-z]+)( \\(the time bound of "
        "([0-9.]+ [a-z]+) is ([^;)]*)[^)]*\\))?"};
    int plain = 0, explained = 0;
    for (const RunWish& wish : wishes()) {
        std::optional<DrawableRun> subject;
        try {
            subject.emplace(execute(wish));
        } catch (const engine::Error&) {
            continue;
        }
        const engine::Model& model = *subject->report().model;
        for (const QString& sentence : boundsInWords(*subject)) {
            const std::string words = QString{sentence}.replace(QStringLiteral("\u00b5"), "u").toStdString();
            for (std::sregex_iterator at{words.begin(), words.end(), limit}, end; at != end; ++at) {
                const bool says = (*at)[3].matched;
                ++(says ? explained : plain);
                const double time = secondsIn((*at)[2]);
                // What is shown has three digits.
                EXPECT_NEAR(timeOf(says ? (*at)[5] : (*at)[1], model), time, time * 6e-3)
                    << wish.algorithm << ": " << words;
                if (says) {
                    EXPECT_EQ((*at)[4], (*at)[2]);
                }
            }
        }
    }
    EXPECT_GT(plain, 20);
    EXPECT_GT(explained, 20);
}

/// 4 senders on a ring of 10: five hops to the farthest receiver; or three startups, since who takes in four blocks
/// needs as many, and then all bytes.
TEST(BoundsInWords, tellOfWhatATimeIsWhereRoundsAndBytesAreAnother) {
    RunWish wish = groupsFor("halfduplex-allgather/ring-streams", 4, 6);
    wish.problem.size = 65536;
    const QString words = boundsInWords(subjectOf(wish)).join('\n');
    EXPECT_TRUE(words.contains(QStringLiteral(
        "for one-block messages: 6 rounds, 384 KiB of serialized transfer, 163 \u00b5s; for any messages: 5 rounds, 256 KiB of "
        "serialized transfer, 108 \u00b5s (the time bound of 108 \u00b5s is 3 startups and "
        "256 KiB of serialized transfer; each bound is proved separately).")))
        << words.toStdString();
}

}  // namespace
}  // namespace app::gui
