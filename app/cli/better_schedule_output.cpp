// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/better_schedule_output.hpp"

#include "app/cli/output/text_layout.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace app::cli {
namespace {

Json answerJson(const Better& better, const std::optional<BetterAnswer>& answer) {
    if (!answer) return {};
    const std::string command = answer->row.answer == SearchAnswer::found ? commandOf(better, *answer) : std::string{};
    return {{"answer", name(answer->row.answer)},
            {"rounds", answer->row.steps},
            {"blocks", answer->row.rounds},
            {"search_s", answer->row.took.count()},
            {"command", command.empty() ? Json{} : Json(command)}};
}

}  // namespace

std::optional<std::chrono::milliseconds> timeOfSearch(const Arguments& arguments) {
    if (!arguments.search) return std::nullopt;
    const auto time =
        std::chrono::duration_cast<std::chrono::milliseconds>(engine::readTime(*arguments.search, "--search"));
    if (time.count() < 1) throw engine::Error{engine::text("--search ", *arguments.search, ": must be at least 1ms")};
    return time;
}

std::optional<Better> searchedFor(std::optional<std::chrono::milliseconds> time, const Report& report,
                                  const ProblemWish& problem, const Console& console) {
    if (!time) return std::nullopt;
    ProgressLine line{console, "searching"};
    return lookForBetter(report, problem, *time, line.progress());
}

Json betterJson(const Better& better) {
    Json known;
    if (better.known)
        known = {{"algorithm", better.known->algorithm},
                 {"rounds", better.known->rounds},
                 {"serialized_bytes", better.known->bytes},
                 {"time_s", engine::seconds(better.known->time)},
                 {"neighbours_only", better.known->direct}};
    return {{"rounds", better.rounds},
            {"blocks", better.blocks},
            {"block_bytes", better.block},
            {"serialized_bytes", better.bytes},
            {"composed", better.composed},
            {"neighbours_only", better.neighboursOnly},
            {"fewer_blocks", answerJson(better, better.fewerBlocks)},
            {"fewer_rounds", answerJson(better, better.fewerRounds)},
            {"catalogue", std::move(known)}};
}

void writeBetter(const Better& better, const Console& console) {
    console.out << '\n';
    for (const std::string& sentence : inWords(better)) console.write(sentence);
    for (const auto& answer : {better.fewerBlocks, better.fewerRounds})
        if (answer && answer->row.answer == SearchAnswer::found && better.written) {
            console.out << "  " << commandOf(better, *answer) << '\n';
            console.write("A step of synthesize is a round here, and a round of synthesize a serialized block.");
            break;
        }
}

}  // namespace app::cli
