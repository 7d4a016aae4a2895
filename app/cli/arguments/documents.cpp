// SPDX-License-Identifier: BSD-3-Clause
// Help, the manual page and the shell completion, from the same definitions as the parser.
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>
#include <sstream>

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

void writeFlagsOfManual(const CLI::App& app, std::ostream& out) {
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

void writeFlags(std::ostream& out, const CLI::App& app) {
    std::vector<std::string> groups;
    const auto options = app.get_options([](const CLI::Option* option) { return option->nonpositional(); });
    for (const CLI::Option* option : options)
        if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end())
            groups.push_back(option->get_group());
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return (a == "Options") < (b == "Options"); });
    for (const std::string& group : groups) {
        out << '\n' << group << '\n';
        Table table{{Align::left, Align::left}, 2};
        for (const CLI::Option* option : options)
            if (option->get_group() == group) table.row({flagsOf(*option), option->get_description()});
        table.write(out);
    }
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& valuesInUsage() {
    static const std::vector<std::pair<std::string, std::string>> all{
        {"PROBLEM",
         "what the collective works on: the flags under Problem in the help of a command, from -n to --pieces; most algorithms need only -n, "
         "those between two groups -p and -q"},
        {"PROBLEM-RANGES", "a PROBLEM whose numbers may be ranges, such as 2..24/2, 16..1024*2 or 1,4,9"},
        {"TIME", "a number with ps, ns, us, ms or s, such as 5us"},
        {"BYTES", "a number, alone or with B, kB, KiB, MB, MiB, GB, GiB, TB or TiB, such as 64KiB"},
        {"TIME/BYTE", "a number with fs/B, ps/B, ns/B or us/B, such as 0.4ns/B"},
        {"SPEED",
         "a number with B/s, kB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s, bit/s, kbit/s, Mbit/s or Gbit/s, such as "
         "2.5GB/s"}};
    return all;
}

std::string flagsOf(const CLI::Option& option) {
    std::string words;
    const auto add = [&](const std::string& name) { words += (words.empty() ? "" : ", ") + name; };
    for (const std::string& name : option.get_snames()) add("-" + name);
    for (const std::string& name : option.get_lnames()) add("--" + name);
    if (option.get_items_expected_max() > 0) words += " " + option.get_type_name();
    return words;
}

std::vector<std::string> flagNames(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

std::string helpFor(const CLI::App& app) {
    std::ostringstream out;
    const auto paragraph = [&](std::string_view words) {
        for (const std::string& line : wrapped(words, lineWidth)) out << line << '\n';
    };
    paragraph(app.get_description());
    const auto subs = app.get_subcommands([](const CLI::App*) { return true; });
    if (!subs.empty()) {
        out << "\nUsage\n  collscope COMMAND ...\n  collscope              opens the window\n";
        std::size_t widest = 0;
        for (const CLI::App* sub : subs) widest = std::max(widest, sub->get_name().size());
        for (auto sub = subs.begin(); sub != subs.end();) {
            const std::string& task = (*sub)->get_group();
            Table table{{Align::left, Align::left}, 2};
            for (; sub != subs.end() && (*sub)->get_group() == task; ++sub) {
                std::string name = (*sub)->get_name();
                name.resize(widest, ' ');
                table.row({name, (*sub)->get_description()});
            }
            out << '\n' << task << '\n';
            table.write(out);
        }
        writeFlags(out, app);
        out << "\ncollscope COMMAND --help shows help for a command.\n"
            << "Exit codes: 0 success, 1 a check failed, 2 usage error.\n\nValues\n";
        Table values{{Align::left, Align::left}, 2};
        for (const auto& [name, meaning] : valuesInUsage()) values.row({name, meaning});
        values.write(out);
        return out.str();
    }
    const std::string footer = app.get_footer();
    const auto end = footer.rfind('\n');
    out << "\nUsage\n  collscope " << app.get_name();
    std::string usage;
    for (const CLI::Option* option : app.get_options())
        if (!option->nonpositional() && !option->get_description().empty()) usage = option->get_description();
    // Behind "--" there are no flags.
    if (usage.starts_with("--")) out << " [FLAGS] " << usage << '\n';
    else out << (usage.empty() ? "" : " ") << usage << " [FLAGS]\n";
    if (end != std::string::npos)
        for (const std::string& part : engine::split(footer.substr(0, end), '\n')) out << '\n', paragraph(part);
    writeFlags(out, app);
    out << "\nExample\n  " << footer.substr(end + 1) << '\n';
    return out.str();
}

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
        writeFlagsOfManual(sub, out);
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
