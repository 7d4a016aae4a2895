// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/definitions.hpp"

#include "app/analysis/question.hpp"
#include "app/cli/text.hpp"
#include "app/cli/verbs.hpp"
#include "app/gui/gui.hpp"
#include "engine/text.hpp"

#include <sstream>

namespace app::cli {
namespace {

using Word = Arguments::Word;

void flag(CLI::App& verb, const char* group, const char* names, const char* type, Word& target,
          const std::string& meaning) {
    verb.add_option_function<std::string>(
            names, [&target](const std::string& word) { target = word; }, meaning)
        ->type_name(type)
        ->group(group);
}

void addProblem(CLI::App& verb, Arguments& a, bool ranges) {
    constexpr const char* group = "Problem";
    const std::string or_ = ranges ? ", or a range" : "";
    flag(verb, group, "-n,--ranks", "N", a.ranks, "ranks of a collective within one group" + or_);
    flag(verb, group, "-p,--group-a", "P", a.groupA, "ranks of group A, which sends in half-duplex collectives" + or_);
    flag(verb, group, "-q,--group-b", "Q", a.groupB, "ranks of group B" + or_);
    flag(verb, group, "--size", "BYTES", a.size, "size of each contribution, such as 64KiB (the default)" + or_);
    flag(verb, group, "--size-b", "BYTES", a.sizeB, "size of group B's contributions, if it differs" + or_);
    flag(
        verb, group, "--sizes", "RULE", a.sizes,
        "regular, broadcast, spike, half-full, linear or geometric with --size as base, or @FILE with one size a line");
    flag(verb, group, "--root", "R", a.root, "rank that broadcasts; 0 by default" + or_);
    flag(verb, group, "--op", "OP", a.operation, "sum, min or max");
    flag(verb, group, "--type", "TYPE", a.element, "int32, int64, float or double");
    flag(verb, group, "--ports", "K", a.ports,
         "messages a rank can send, and receive, at one time; 1 by default" + or_);
    flag(verb, group, "--topology", "NAME", a.topology,
         "network: full, ring, torus:4x4; by default the algorithm's own");
    flag(verb, group, "--placement", "HOW", a.placement,
         "where ranks stand: block (the default), round-robin, snake, random:SEED, @FILE with one place per rank");
    verb.add_flag("--neighbours-only", a.neighboursOnly, "messages are relayed from neighbour to neighbour")
        ->group(group);
    verb.add_option("--set", a.settings, "an option of the algorithm; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
}

void addExecution(CLI::App& verb, Arguments& a) {
    constexpr const char* group = "Execution";
    flag(verb, group, "--on", "WHERE", a.on, "virtual (the default), threads or mpi");
    flag(verb, group, "--model", "NAME", a.model,
         "what communication costs in virtual time: one of 'list models', or @FILE; the flags below change its values");
    flag(verb, group, "--alpha", "TIME", a.alpha, "startup of a message; 1us by default");
    flag(verb, group, "--beta", "RATE", a.beta, "time per byte; 0.4ns/B by default");
    flag(verb, group, "--bandwidth", "SPEED", a.bandwidth, "the same as a speed, such as 2.5GB/s");
    flag(verb, group, "--gamma", "RATE", a.gamma, "time per combined byte; 0ns/B by default");
    flag(verb, group, "--loggp", "LETTERS", a.logGP,
         "LogGP in place of alpha and beta: L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B; those left out are 0");
    flag(verb, group, "--eager", "BYTES", a.eager,
         "larger messages wait for their receiver; all (the default): none waits");
    flag(verb, group, "--progress", "HOW", a.stepping, "free (the default): ranks go on alone; lockstep: all together");
    flag(verb, group, "--sharing", "HOW", a.sharing,
         "how messages share links: bottleneck (the default), fair, fair-weighted (by 1/latency), none");
    flag(verb, group, "--header", "BYTES", a.header, "fair sharing: bytes that every message has beyond its own");
    flag(verb, group, "--detached", "BYTES", a.detached, "fair sharing: senders do not wait for smaller messages");
    flag(verb, group, "--arrival", "PATTERN", a.arrival,
         "when ranks start: none (the default), random:1ms,SEED, ramp:1ms, or late:RANK,1ms");
    flag(verb, group, "--slow-ranks", "LIST", a.slowRanks,
         "3:2.5,7:4 makes all that rank 3 does take 2.5 times as long");
    flag(verb, group, "--slow-links", "LIST", a.slowLinks,
         "3-4:8 makes bytes from 3 to 4 take 8 times as long; s0 is switch 0");
}

void addMeasuring(CLI::App& verb, Arguments& a) {
    constexpr const char* group = "Over MPI";
    flag(verb, group, "--repeat", "K", a.repeats, "measure K executions; the median is shown");
    flag(verb, group, "--warm-ups", "W", a.warmUps, "executions before those; 1 by default, 2 with --repeat");
    flag(verb, group, "--against", "ID,...", a.against,
         "measure these in turn with it: native is the MPI library's own, ID:KEY=VALUE sets options");
    verb.add_flag("--no-check", a.noCheck, "do not compare the data")->group(group);
    constexpr const char* halves = "Split-phase";
    verb.add_flag("--split-phase", a.splitPhase, "an allreduce in two halves, start and wait, on threads or over MPI")
        ->group(halves);
    flag(
        verb, halves, "--transport", "HOW", a.transport,
        "one-sided (the default): written into the receiver's memory, with a notification; two-sided: sent and received");
    flag(verb, halves, "--compute", "TIME", a.compute,
         "how long each rank computes between the halves; also measured without, to say how much was hidden");
    flag(verb, halves, "--tests", "K", a.tests, "how often it looks after the messages meanwhile; 16 by default");
}

void addLaunch(CLI::App& verb, Arguments& a) {
    constexpr const char* group = "Over MPI";
    flag(verb, group, "--mpirun", "COMMAND", a.mpirun,
         "the launcher; with several words, such as 'srun -n 64', it is taken as it is");
    flag(verb, group, "--hostfile", "FILE", a.hostfile, "the hosts, as the launcher reads them");
    verb.add_flag("--lab", a.onLab, "on the hosts of the lab that 'collscope lab up' has set up")->group(group);
}

void addPicture(CLI::App& verb, Arguments& a) {
    constexpr const char* group = "File";
    flag(verb, group, "-o,--output", "FILE", a.output, "what to write; its ending decides the kind");
    std::string views;
    for (const gui::PictureView& view : gui::pictureViews)
        views += engine::text(view.name, view.name == gui::Picture{}.view ? " (the default), " : ", ");
    flag(verb, group, "--view", "NAME", a.view, views + "window");
    flag(verb, group, "--width", "PIXELS", a.width, "1600 by default");
    flag(verb, group, "--height", "PIXELS", a.height, "1000 by default");
    flag(verb, group, "--time", "TIME", a.time, "the moment shown; the end by default");
    flag(verb, group, "--seconds", "S", a.seconds, "length of a film; 10 by default");
    verb.add_flag("--dark", a.dark, "light on dark")->group(group);
    verb.add_flag("--force", a.force, "replace a file that is already there")->group(group);
}

void addQuestions(CLI::App& verb, Arguments& a) {
    std::string names;
    for (const analysis::Question& question : analysis::allQuestions())
        names += (names.empty() ? "" : ", ") + std::string{question.name};
    flag(verb, "Questions", "--tables", "LIST", a.tables, "these tables, or all: " + names);
    flag(verb, "Questions", "--from", "TIME", a.from, "only what ends at or after this time of the trace, such as 2ms");
    flag(verb, "Questions", "--to", "TIME", a.to, "only what begins before this time");
    flag(verb, "Questions", "--ranks", "LIST", a.ranks, "only messages among these ranks, such as 0..3,8");
    flag(verb, "Questions", "--comm", "LIST", a.communicators, "only these communicators, by name or number");
    constexpr const char* group = "Assumptions";
    flag(verb, group, "--topology", "NAME", a.topology, "the network it ran on, such as torus:4x4; else as recorded");
    flag(verb, group, "--placement", "HOW", a.placement, "block, round-robin, snake, random:SEED or @FILE");
    flag(verb, group, "--alpha", "TIME", a.alpha, "startup of a message; else recorded, or fitted to the messages");
    flag(verb, group, "--beta", "RATE", a.beta, "time per byte, likewise");
    flag(verb, group, "--bandwidth", "SPEED", a.bandwidth, "the same as a speed, such as 2.5GB/s");
    flag(verb, group, "--clocks", "WHOSE", a.clocks,
         "recorded (the default), or fitted so that no message arrives early");
    flag(verb, group, "--windows", "N", a.windows, "windows of time for link loads; 20 by default");
}

void add(CLI::App& verb, Flags flags, Arguments& a) {
    switch (flags) {
        case Flags::problem: return addProblem(verb, a, false);
        case Flags::ranges: return addProblem(verb, a, true);
        case Flags::execution: return addExecution(verb, a);
        case Flags::measuring: return addMeasuring(verb, a);
        case Flags::launch: return addLaunch(verb, a);
        case Flags::calibration:
            flag(verb, "Measuring", "--repeat", "K", a.repeats, "measure each message K times; 20 by default");
            flag(verb, "Measuring", "-o,--output", "FILE", a.output, "write a file that --model takes as @FILE");
            verb.add_flag("--force", a.force, "replace a file that is already there")->group("Measuring");
            return;
        case Flags::lab:
            flag(verb, "Lab", "--hosts", "N", a.hosts, "2 to 250; 16 by default");
            flag(verb, "Lab", "--rate", "SPEED", a.rate, "of each host's port, each way; 100mbit by default");
            return;
        case Flags::picture: return addPicture(verb, a);
        case Flags::questions: return addQuestions(verb, a);
        case Flags::part:
            flag(
                verb, "Part of a trace", "--from", "TIME", a.from,
                "for .otf2, .json and .csv: only from this time of the trace on, such as 2ms; --ranks 0..3,8 chooses ranks");
            flag(verb, "Part of a trace", "--to", "TIME", a.to, "only before this time");
            return;
        case Flags::reading:
            flag(verb, "Reading", "--memory", "BYTES", a.memory,
                 "that a trace may take, a quarter of the machine's memory by default; columns beyond it lie in files");
            flag(verb, "Reading", "--index", "WHERE", a.index,
                 "large traces open at once again: index in the user's cache (the default), beside the trace, or none");
            return;
        case Flags::sweep:
            flag(verb, "Sweep", "-o,--output", "FILE", a.output, "write .csv, .json, or a chart: .png, .svg, .pdf");
            verb.add_flag("--resume", a.resume, "go on where the sweep that writes --output was stopped")
                ->group("Sweep");
            verb.add_flag("--force", a.force, "replace a file that is already there")->group("Sweep");
            flag(verb, "Sweep", "--threads", "T", a.threads,
                 "runs side by side; by default as many as there are processors");
            flag(verb, "Sweep", "--width", "PIXELS", a.width, "of a chart; 1600 by default");
            flag(verb, "Sweep", "--height", "PIXELS", a.height, "of a chart; 1000 by default");
            verb.add_flag("--dark", a.dark, "a chart light on dark")->group("Sweep");
            return;
        case Flags::cut:
            flag(verb, "Part", "--rounds", "A..B", a.rounds,
                 "only these rounds, counted as the format does: from 1 in text, from 0 elsewhere");
            flag(verb, "Part", "--rank", "R", a.rank, "only what this rank sends or receives");
            return;
        case Flags::tuple:
            flag(verb, "Numbers", "-n,--ways", "N", a.ways, "messages a rank sends in a round, or a range");
            flag(verb, "Numbers", "-P,--ranks", "P", a.ranks, "ranks, or a range");
            return;
        case Flags::markdown: verb.add_flag("--markdown", a.markdown, "the same as --format markdown"); return;
        case Flags::quick: verb.add_flag("--quick", a.quick, "short runs: some seconds in all"); return;
        case Flags::trace:
            flag(verb, "Trace", "--trace", "DIR", a.trace, "record the run as an OTF2 archive in this folder");
            verb.add_flag("--force", a.force, "replace an archive that is already there")->group("Trace");
            return;
    }
}

std::string joined(const Formats& formats) {
    std::string words;
    for (std::size_t i = 0; i < formats.size(); ++i)
        words += (i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ") + formats[i];
    return words;
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

std::unique_ptr<CLI::App> definitions(Arguments& arguments) {
    auto app = std::make_unique<CLI::App>(
        "Shows what collective communication really does: who sends what to whom, in "
        "which round, over which link, and how near that is to the best possible.",
        "collscope");
    app->allow_extras();
    app->set_help_flag("-h,--help", "explains the program or a verb");
    app->set_version_flag("--version", "collscope " COLLSCOPE_VERSION, "says which version this is");
    for (const Verb& verb : verbs()) {
        CLI::App* sub = app->add_subcommand(std::string{verb.name}, std::string{verb.meaning});
        sub->allow_extras();
        sub->add_option("words", arguments.words, std::string{verb.usage})->expected(0, 1 << 20);
        for (const Flags flags : verb.flags) add(*sub, flags, arguments);
        if (!verb.formats.empty()) flag(*sub, "Options", "--format", "FORMAT", arguments.format, joined(verb.formats));
        std::string footer{verb.details};
        footer += footer.empty() ? "" : "\n";
        sub->footer(footer + std::string{verb.example});
    }
    return app;
}

std::string flagsOf(const CLI::Option& option) {
    std::string words;
    for (const std::string& name : option.get_snames()) words += "-" + name + ", ";
    for (const std::string& name : option.get_lnames()) words += "--" + name;
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
        out << "\nUsage\n  collscope VERB ...\n  collscope            opens the window\n\nVerbs\n";
        Table table{{Align::left, Align::left}, 2};
        for (const CLI::App* sub : subs) table.row({sub->get_name(), sub->get_description()});
        table.write(out);
        writeFlags(out, app);
        out << "\ncollscope VERB --help explains a verb.\n"
            << "Exit codes: 0 done, 1 a check failed, 2 a mistake in what was asked.\n";
        return out.str();
    }
    const std::string footer = app.get_footer();
    const auto end = footer.rfind('\n');
    out << "\nUsage\n  collscope " << app.get_name();
    for (const CLI::Option* option : app.get_options())
        if (!option->nonpositional() && !option->get_description().empty()) out << ' ' << option->get_description();
    out << " [FLAGS]\n";
    if (end != std::string::npos) out << '\n', paragraph(footer.substr(0, end));
    writeFlags(out, app);
    out << "\nExample\n  " << footer.substr(end + 1) << '\n';
    return out.str();
}

}  // namespace app::cli
