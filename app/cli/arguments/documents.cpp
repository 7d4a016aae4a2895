// SPDX-License-Identifier: BSD-3-Clause
// The manual page and the shell completion, from the same definitions as the parser.
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/commands.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/catalogue/native_collectives.hpp"

namespace app::cli {
namespace {

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Words as troff takes them: no line begins with a dot, dashes stay dashes.
std::string troff(std::string_view words) {
    std::string safe;
    for (const char c : words) {
        if (c == '\\') safe += "\\e";
        else if (c == '-') safe += "\\-";
        else if (c == '\n') safe += "\n.PP\n\\&";
        else safe += c;
    }
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

void writeFlags(const CLI::App& app, std::ostream& out) {
    std::string group = "Options";
    for (const CLI::Option* option : app.get_options()) {
        if (!option->nonpositional()) continue;
        if (option->get_group() != group) {
            group = option->get_group();
            out << ".PP\n.I " << troff(group) << '\n';
        }
        out << ".TP\n.B " << troff(flagsOf(*option)) << '\n' << troff(option->get_description()) << '\n';
    }
}

}  // namespace

int manual(const Arguments& arguments, const Console& console) {
    wordsOf(arguments, 0, 0, "manual");
    Arguments unused;
    const auto app = definitions(unused);
    std::ostream& out = console.out;
    out << ".TH COLLSCOPE 1 \"\" \"collscope " COLLSCOPE_VERSION "\" \"User Commands\"\n"
        << ".SH NAME\ncollscope \\- shows how collective communication works\n"
        << ".SH SYNOPSIS\n.B collscope\n.RI [ COMMAND \" ...]\"\n"
        << ".SH DESCRIPTION\n"
        << troff(app->get_description()) << "\nWithout a command it opens its window.\n"
        << ".SH COMMANDS\n";
    for (const Command& command : commands()) {
        const CLI::App& sub = *app->get_subcommand(std::string{command.name});
        out << ".SS \"collscope " << command.name << (command.usage.empty() ? "" : " ") << troff(command.usage)
            << "\"\n"
            << troff(command.meaning) << '\n';
        if (!command.details.empty()) out << troff(command.details) << '\n';
        writeFlags(sub, out);
        out << ".PP\nExample:\n.PP\n.RS\n" << troff(command.example) << "\n.RE\n";
    }
    out << ".SH VALUES\n";
    for (const auto& [name, meaning] : valuesInUsage())
        out << ".TP\n.I " << troff(name) << '\n' << troff(meaning) << '\n';
    out << ".SH EXIT STATUS\n.TP\n.B 0\nsuccess\n.TP\n.B 1\na check failed: not proved, wrong data, or a bound violated\n"
        << ".TP\n.B 2\nusage error, described in one sentence\n"
        << ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen set, text is not coloured\n";
    return done;
}

int completion(const Arguments& arguments, const Console& console) {
    const auto& words = wordsOf(arguments, 1, 1, "completion bash");
    choice(words[0], "completion", {"bash"}, {});
    Arguments unused;
    const auto app = definitions(unused);
    std::ostream& out = console.out;
    std::vector<std::string> names;
    std::vector<std::string> ids;
    for (const CLI::App* sub : verbsOf(*app)) names.push_back(sub->get_name());
    for (const engine::Algorithm* algorithm : engine::catalogue()) ids.push_back(algorithm->id);
    for (const engine::live::Native& native : engine::live::natives()) ids.push_back(native.about.id);
    out << "# bash completion of collscope; load it with: source <(collscope completion bash)\n"
        << "_collscope() {\n"
        << "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        << "    local command=${COMP_WORDS[1]} choices= files=\n"
        << "    COMPREPLY=()\n"
        << "    if ((COMP_CWORD == 1)); then\n"
        << "        COMPREPLY=($(compgen -W '" << engine::joined(names, " ") << " --help --version' -- \"$word\"))\n"
        << "        return\n    fi\n"
        << "    case $command,$before in\n";
    for (const Command& command : commands())
        if (!command.formats.empty())
            out << "        " << command.name << ",--format) choices='" << engine::joined(command.formats, " ")
                << "' ;;\n";
    for (const fields::Entry& entry : fields::all())
        if (entry.choices != nullptr)
            out << "        *,--" << entry.key << ") choices='" << engine::joined(entry.choices(), " ") << "' ;;\n";
    out << "        list,*) choices='" << engine::joined(topicsOfList(), " ") << " --format' ;;\n"
        << "        tune,--to) choices='openmpi mpich collscope' ;;\n"
        << "        lab,*) choices='up status down --hosts --rate --format' ;;\n"
        << "        completion,*) choices=bash ;;\n    esac\n"
        << "    if [[ -z $choices ]]; then\n        [[ $word != -* ]] && files=yes\n        case $command in\n";
    for (const Command& command : commands()) {
        const CLI::App& sub = *app->get_subcommand(std::string{command.name});
        out << "            " << command.name << ") choices='" << engine::joined(flagNames(sub), " ");
        if (command.usage.find("ID") != std::string_view::npos) out << ' ' << engine::joined(ids, " ");
        if (command.usage.find("all") != std::string_view::npos) out << " all";
        out << "' ;;\n";
    }
    out << "        esac\n    fi\n"
        << "    COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
        << "    if [[ $files ]]; then COMPREPLY+=($(compgen -f -- \"$word\")); fi\n"
        << "}\ncomplete -o filenames -F _collscope collscope\n";
    return done;
}

}  // namespace app::cli
