// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/check_output.hpp"

#include "app/session/replay/replay_words.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace app::cli {

using engine::Error;
using engine::seconds;
using engine::text;

std::optional<CheckWish> readCheck(const Arguments& arguments) {
    if (!arguments.check) {
        for (const auto& [given, flag] : {std::pair{arguments.inLab, "--lab"},
                                          {arguments.measured.has_value(), "--measured"},
                                          {arguments.repeats.has_value(), "--repeat"},
                                          {arguments.seconds.has_value(), "--seconds"}})
            if (given) throw Error{text(flag, " applies to the program that --check runs; add --check COMMAND")};
        return std::nullopt;
    }
    CheckWish wish{.command = *arguments.check, .lab = arguments.inLab};
    if (arguments.repeats)
        wish.repeats = static_cast<std::int32_t>(engine::readInteger(*arguments.repeats, "--repeat", 1, 1000));
    if (arguments.seconds)
        wish.most = std::chrono::seconds{engine::readInteger(*arguments.seconds, "--seconds", 1, 1'000'000)};
    if (arguments.measured) wish.kept = *arguments.measured;
    return wish;
}

Checked check(const Replaying& replaying, const CheckWish& wish, const Console& console) {
    const std::string command = commandOfCheck(replaying, wish);  // throws before anything is printed
    console.err << "collscope: running " << command;
    if (wish.repeats > 1) console.err << ", " << wish.repeats << " times";
    console.err << '\n';
    if (!replaying.rules.empty()) console.err << "collscope: by these rules\n" << replaying.rules;
    const Checked checked = [&] {
        ProgressLine line{console, "running"};
        return app::checked(replaying, wish, line.progress());
    }();
    console.err << checked.said;
    return checked;
}

std::string gainOf(const Replaying& replaying, const Checked& checked) {
    if (!replaying.changed) return {};
    return text("predicted ", against(checked.predicted, checked.replayed, "replayed"), ", measured ",
                against(checked.measured, checked.recorded, "recorded"));
}

Json checkJson(const Replaying& replaying, const CheckWish& wish, const Checked& checked) {
    Json json{{"command", wish.command}, {"rules", replaying.rules}, {"trouble", checked.trouble}};
    if (!checked.trouble.empty()) return json;
    json["predicted_s"] = seconds(checked.predicted);
    json["measured_s"] = seconds(checked.measured);
    json["error_share"] = checked.error();
    Json& runs = json["runs_s"] = Json::array();
    for (const engine::Picoseconds time : checked.times) runs.push_back(seconds(time));
    return json;
}

}  // namespace app::cli
