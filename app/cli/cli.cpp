// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/cli.hpp"

#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/output/text_layout.hpp"
#include "engine/base/stopping.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <new>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

/// Words that no flag and no command took.
[[noreturn]] void refuseExtra(const std::string& word, const CLI::App& app, bool root) {
    const std::string where = root ? "" : app.get_name() + ": ";
    if (word.size() > 1 && word.front() == '-') {
        const std::string name = word.substr(0, word.find('='));
        const std::string hint = name.size() > 2 ? engine::didYouMean(name, flagNames(app)) : "";
        throw Error{text(where, "unknown flag ", name,
                         hint.empty() ? root ? "; 'collscope --help' lists them all"
                                             : "; 'collscope " + app.get_name() + " --help' lists them all"
                                      : hint)};
    }
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    const std::string hint = engine::didYouMean(word, names);
    throw Error{
        text(where, "unknown command '", word, "'", hint.empty() ? "; 'collscope --help' lists them all" : hint)};
}

/// The parser's complaint about an option, which it names first, as a sentence of ours.
[[noreturn]] void refuse(const CLI::ParseError& error, const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    const std::string where = parsed.empty() ? "" : parsed.front()->get_name() + ": ";
    const std::string message = error.what();
    const auto dashes = message.find("--");
    const std::string name =
        dashes == std::string::npos ? "" : message.substr(dashes, message.find_first_of(": ,", dashes) - dashes);
    if (name.empty()) throw Error{where + message};
    if (message.find("missing") != std::string::npos || message.find("At least") != std::string::npos) {
        const CLI::App& command = parsed.empty() ? app : *parsed.front();
        const CLI::Option* const option = command.get_option_no_throw(name);
        const std::string meaning = option == nullptr ? "" : option->get_description();
        throw Error{text(where, name, " needs a value", meaning.empty() ? "" : ": ", meaning)};
    }
    if (message.find("flag") != std::string::npos) throw Error{text(where, name, " takes no value")};
    throw Error{text(where, name, " is given more than once")};
}

const Command& commandNamed(std::string_view name) {
    return *std::find_if(commands().begin(), commands().end(),
                         [&](const Command& command) { return command.name == name; });
}

/// "help run" is "run --help"; "help" and "help help" are "--help".
std::vector<std::string> withoutHelpVerb(std::vector<std::string> words) {
    const auto end = std::find_if(words.begin(), words.end(), [](const std::string& word) { return word != "help"; });
    if (end != words.begin()) {
        words.erase(words.begin(), end);
        words.emplace_back("--help");
    }
    return words;
}

/// What follows "--" are no options: names of files there that begin with a dash are written as the parser takes them.
std::vector<std::string> withoutMark(std::vector<std::string> words) {
    const auto mark = std::find(words.begin(), words.end(), "--");
    if (mark == words.end()) return words;
    for (auto word = mark + 1; word != words.end(); ++word)
        if (word->starts_with('-')) word->insert(0, "./");
    words.erase(mark);
    return words;
}

/// What `record` runs: the words behind "--", which are taken away.
std::vector<std::string> commandIn(std::vector<std::string>& words) {
    if (words.empty() || words.front() != "record") return {};
    const auto mark = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> command(mark == words.end() ? mark : mark + 1, words.end());
    words.erase(mark, words.end());
    return command;
}

int act(const std::vector<std::string>& given, const Console& console) {
    std::vector<std::string> words = withoutHelpVerb(given);
    Arguments arguments;
    arguments.command = commandIn(words);
    words = withoutMark(words);
    const auto app = definitions(arguments);
    const auto chosen = [&] { return app->get_subcommands().empty() ? app.get() : app->get_subcommands().front(); };
    try {
        app->parse(std::vector<std::string>{words.rbegin(), words.rend()});
    } catch (const CLI::CallForHelp&) {
        if (const auto extra = app->remaining(); !extra.empty()) refuseExtra(extra.front(), *app, true);
        console.out << helpFor(*chosen());
        return done;
    } catch (const CLI::CallForVersion& version) {
        console.out << version.what() << '\n';
        return done;
    } catch (const CLI::ParseError& error) {
        refuse(error, *app);
    }
    if (const auto extra = app->remaining(); !extra.empty()) refuseExtra(extra.front(), *app, true);
    if (chosen() == app.get()) return view(arguments, console);
    if (const auto extra = chosen()->remaining(); !extra.empty()) {
        if (chosen()->get_name() == "record" && arguments.command.empty()) requireCommand(arguments);
        refuseExtra(extra.front(), *chosen(), false);
    }
    const Command& command = commandNamed(chosen()->get_name());
    VisibleStream err{console.err, false};
    // Output for programs is written unchanged; a terminal gets no output in any of these formats.
    if (arguments.format.value_or("text") != "text" && !console.around.screen)
        return command.run(arguments, {console.out, err, console.around, console.paint, &console.err});
    VisibleStream out{console.out, console.around.colour};
    const Console careful{out, err, console.around, console.paint, &console.err};
    const int code = command.run(arguments, careful);
    out.flush();
    careful.requireOutput();
    return code;
}

/// One line, whatever the words: names from files and other libraries may hold line breaks.
int complain(std::ostream& err, int code, std::string words) {
    std::replace_if(
        words.begin(), words.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    err << "collscope: " << visibly(words, false) << '\n';
    return code;
}

}  // namespace

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
        const Surroundings& surroundings) {
    const Console console{out, err, surroundings, Paint{surroundings.colour}};
    const engine::StoppingAll stopping{surroundings.stop};
    try {
        const int code = act(arguments, console);
        out.flush();
        console.requireOutput();
        return code;
    } catch (const Error& error) {
        out.flush();
        return complain(err, userMistake, spoken(error.words()));
    } catch (const ResumableInterruption& resumable) {
        return complain(err, interrupted, "interrupted; " + resumable.howToResume);
    } catch (const engine::Cancelled&) {
        return complain(err, interrupted, "interrupted; nothing was left half done");
    } catch (const OutputFailed&) {
        return complain(err, userMistake, "the output cannot be written; is the disk full?");
    } catch (const std::bad_alloc&) {
        return complain(err, userMistake, "not enough memory for this problem; choose a smaller one");
    } catch (const std::filesystem::filesystem_error& refusal) {
        // Of a path that the user named, or lies below one: too long a name, a loop of links, a folder that is closed.
        return complain(err, userMistake, text("'", refusal.path1().string(), "': ", refusal.code().message()));
    } catch (const std::exception& defect) {
        return complain(err, checkFailed, text("defect in this program: ", defect.what()));
    }
}

}  // namespace app::cli
