// SPDX-License-Identifier: BSD-3-Clause
// The flags of the command line are those of the table of fields.
#include "app/session/options/run_options.hpp"
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/commands.hpp"
#include "tests/app/cli/command.hpp"
#include "tests/app/session/specifications.hpp"

#include <gtest/gtest.h>

namespace app::cli {
namespace {

TEST(Flags, askForWhatALineAsksFor) {
    SpecificationDraw draw{5};
    for (int i = 0; i < 200; ++i) {
        const Specification drawn = draw.next();
        const std::string line = lineOf(drawn);
        if (line.find('\'') != std::string::npos) continue;  // a shell takes quotes away
        Arguments arguments;
        const auto app = definitions(arguments);
        const std::vector<std::string> words = engine::split("run " + line, ' ');
        app->parse(std::vector<std::string>{words.rbegin(), words.rend()});
        ASSERT_EQ(arguments.words, std::vector<std::string>{drawn.run.algorithm}) << line;
        ASSERT_EQ(specify(drawn.run.algorithm, arguments.asked), drawn) << line;
    }
}

TEST(Flags, areExplainedCompletedAndInTheManual) {
    const std::string help = command("run --help").out;
    const std::string completion = command("completion bash").out;
    const std::string manual = command("manual").out;
    for (const fields::Entry& entry : fields::all()) {
        const std::string flag = "--" + std::string{entry.key};
        EXPECT_NE(help.find(flag + (entry.type.empty() ? " " : " " + std::string{entry.type})), std::string::npos)
            << flag;
        EXPECT_NE(completion.find(' ' + flag + ' '), std::string::npos) << flag;
        const std::string first = entry.choices == nullptr ? "" : entry.choices().front();
        EXPECT_NE(completion.find(first.empty() ? flag : "*," + flag + ") choices='" + first), std::string::npos)
            << flag;
        std::string safe;
        for (const char c : flag) safe += c == '-' ? std::string{"\\-"} : std::string{c};
        EXPECT_NE(manual.find(safe), std::string::npos) << flag;
    }
}

TEST(Flags, sayAMachineInOneWord) {
    const nlohmann::json run =
        jsonOf("run bcast/flat -n 4 --model name=mine:alpha=2us:beta=1ns/B:gamma=0ns/B:eager=1KiB --format json");
    EXPECT_EQ(run["model"]["name"], "mine");
    EXPECT_DOUBLE_EQ(run["model"]["alpha_s"], 2e-6);
    EXPECT_EQ(run["model"]["eager_bytes"], 1024);
}

}  // namespace
}  // namespace app::cli
