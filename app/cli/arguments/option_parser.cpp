// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/arguments/option_parser.hpp"

#include "app/analysis/tables/table_definition.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/figures/figure_result.hpp"
#include "app/cli/open/requirement.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/gui/gui.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/replay_changes.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

namespace app::cli {
namespace {

using Word = Arguments::Word;

void flag(CLI::App& command, const char* group, const char* names, const char* type, Word& target,
          const std::string& meaning) {
    command
        .add_option_function<std::string>(
            names, [&target](const std::string& word) { target = word; }, meaning)
        ->type_name(type)
        ->group(group);
}

/// A flag of the run, or one that means to the command what it means to a run.
void askedFlag(CLI::App& command, const char* group, const std::string& names, const char* type, Asked& asked,
               std::string_view key, const std::string& meaning) {
    command
        .add_option_function<std::string>(
            names, [&asked, key](const std::string& word) { asked.add(key, word); }, meaning)
        ->type_name(type)
        ->group(group);
}

/// A flag that has the name and the type of its field.
void askedFlag(CLI::App& command, const char* group, Asked& asked, std::string_view key, std::string_view meaning) {
    const fields::Entry& entry = fields::named(key);
    askedFlag(command, group, engine::text("--", key), std::string{entry.type}.c_str(), asked, key,
              std::string{meaning});
}

const char* headingOf(fields::Part part) {
    switch (part) {
        case fields::Part::problem: return "Problem";
        case fields::Part::execution: return "Execution";
        case fields::Part::measuring:
        case fields::Part::launch: return "Over MPI";
        case fields::Part::halves: return "Split-phase";
    }
    return "";
}

enum class Numbers : std::uint8_t { single, ranges };
/// Where the command can execute.
enum class Where : std::uint8_t { anywhere, here, inVirtualTime };

/// The flag of one field.
void addField(CLI::App& command, const fields::Entry& entry, Numbers numbers, Asked& asked, Where where) {
    const bool on = entry.key == engine::field::on.key;
    const std::string key{entry.key};
    const std::string names = (entry.letter != '\0' ? engine::text('-', entry.letter, ",--") : "--") + key;
    const bool range = numbers == Numbers::ranges && entry.several == fields::Several::range;
    const std::string meaning = on && where == Where::here ? "virtual (the default) or threads"
                                                           : std::string{entry.help} + (range ? ", or a range" : "");
    CLI::Option* option = nullptr;
    if (entry.kind == fields::Kind::toggle)
        option = command.add_flag_function(
            names, [&asked, key](std::int64_t) { asked.add(key, ""); }, meaning);
    else if (entry.kind == fields::Kind::list)
        option = command
                     .add_option_function<std::vector<std::string>>(
                         names,
                         [&asked, key](const std::vector<std::string>& words) {
                             for (const std::string& word : words) asked.add(key, word);
                         },
                         meaning)
                     ->type_name(std::string{entry.type})
                     ->expected(1)
                     ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    else
        return askedFlag(command, headingOf(entry.part), names, std::string{entry.type}.c_str(), asked, entry.key,
                         meaning);
    option->group(headingOf(entry.part));
}

void addFields(CLI::App& command, fields::Part part, Numbers numbers, Asked& asked, Where where = Where::anywhere) {
    for (const fields::Entry& entry : fields::all())
        if (entry.part == part && !(entry.key == engine::field::on.key && where == Where::inVirtualTime))
            addField(command, entry, numbers, asked, where);
}

/// How the points of a sweep are measured.
void addLive(CLI::App& command, Asked& asked) {
    askedFlag(command, "Over MPI", asked, "on",
              "virtual (the default), or mpi: each point is also measured over MPI, one after the other");
    for (const fields::Entry& entry : fields::all())
        if (isOfProcesses(entry)) addField(command, entry, Numbers::single, asked, Where::anywhere);
}

/// A flag that may be given several times.
void manyFlag(CLI::App& command, const char* group, const char* name, const char* type,
              std::vector<std::string>& target, const std::string& meaning) {
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [&target](const std::vector<std::string>& words) {
                target.insert(target.end(), words.begin(), words.end());
            },
            meaning)
        ->type_name(type)
        ->group(group)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addOutput(CLI::App& command, const char* group, Arguments& a, const char* meaning) {
    flag(command, group, "-o,--output", "FILE", a.output, meaning);
    command.add_flag("--force", a.force, "replace an existing file")->group(group);
}

void addPictureSize(CLI::App& command, const char* group, Arguments& a) {
    flag(command, group, "--width", "PIXELS", a.width, "width of a picture; 1600 by default");
    flag(command, group, "--height", "PIXELS", a.height, "height of a picture; 1000 by default");
    command.add_flag("--dark", a.dark, "draw the picture on a dark background")->group(group);
}

void addPicture(CLI::App& command, Arguments& a) {
    constexpr const char* group = "File";
    flag(command, group, "-o,--output", "FILE", a.output, "file to write; its ending selects the format");
    std::string views;
    for (const gui::PictureView& view : gui::pictureViews)
        views +=
            engine::text(view.name, " (", view.heading, view.name == gui::Picture{}.view ? "; the default), " : "), ");
    flag(
        command, group, "--view", "NAME", a.view,
        views +
            "window (all of it). calltree is where, iterations when, and ranks idle; for a program, timeline is tracks, for a "
            "run, messages is timeline");
    addPictureSize(command, group, a);
    flag(command, group, "--time", "TIME", a.time,
         "time to show; by default the end of the run, and for network and poster a round near the middle");
    flag(command, group, "--block", "N", a.block, "block to follow: it keeps its colour, all other blocks are grey");
    flag(command, group, "--seconds", "S", a.seconds, "length of a film; 10 by default");
    command.add_flag("--force", a.force, "replace an existing file; a trace is never replaced")->group(group);
}

void addQuestions(CLI::App& command, Arguments& a) {
    std::string names;
    for (const analysis::TableDefinition& definition : analysis::tableDefinitions())
        names += (names.empty() ? "" : ", ") + std::string{definition.name};
    flag(command, "Tables", "--tables", "LIST", a.tables, "tables to print, or all: " + names);
    flag(
        command, "Tables", "--sql", "STATEMENT", a.sql,
        "one select over these tables, with _ for -, and over messages: \"select rank, sum(time_s) from waits where wait "
        "not like '%completion' group by 1\"; an unknown column lists all columns of the table");
    flag(command, "Tables", "--limit", "N", a.limit, "maximum number of rows of --sql; 1000 by default in text output");
    flag(command, "Tables", "--from", "TIME", a.from,
         "only events that end at or after this time of the trace, such as "
         "2ms");
    flag(command, "Tables", "--to", "TIME", a.to, "only events that start before this time");
    askedFlag(command, "Tables", "--ranks", "LIST", a.asked, "ranks",
              "only messages among these ranks, such as 0..3,8");
    flag(command, "Tables", "--comm", "LIST", a.communicators, "only these communicators, by name or number");
    flag(command, "Tables", "--tags", "LIST", a.tags,
         "only messages with these tags, such as 3,7..9, and no collectives");
    flag(command, "Tables", "--message-sizes", "LIST", a.messageSizes,
         "only messages of these sizes, such as 0..4KiB or 64KiB.., and no collectives");
    constexpr const char* group = "Assumptions";
    askedFlag(command, group, a.asked, "topology",
              "network on which the program ran, such as torus:4x4; by default as recorded");
    askedFlag(command, group, a.asked, "placement", "block, round-robin, snake, random:SEED or @FILE");
    askedFlag(command, group, a.asked, "alpha",
              "startup of a message; by default as recorded, or fitted to the messages, or unknown");
    askedFlag(command, group, a.asked, "beta",
              "time per byte; by default as recorded, or fitted to the messages, or unknown");
    askedFlag(command, group, a.asked, "bandwidth", "in place of --beta, such as 2.5GB/s");
    flag(command, group, "--windows", "N", a.windows, "number of time windows for link loads; 20 by default");
    manyFlag(command, "Check", "--require", "METRIC>=VALUE", a.require,
             engine::text(
                 "exit code 1 unless this is true, such as 'parallel-efficiency>=0.8' (in quotes); METRIC is one of ",
                 engine::joined(requirementMetrics(), ", ")));
}

/// A change that may be said several times.
void addChange(CLI::App& command, const char* group, std::string_view key, std::vector<std::string>& target) {
    const ReplayChange& change = replayChange(key);
    manyFlag(command, group, engine::text("--", key).c_str(), std::string{change.type}.c_str(), target,
             std::string{change.help});
}

/// What of a recorded program is to be another way.
void addChanges(CLI::App& command, const char* group, Arguments& a) {
    addChange(command, group, "with", a.with);
    addChange(command, group, "without", a.without);
    addChange(command, group, "even", a.even);
    command.add_flag("--overlap", a.overlap, std::string{replayChange("overlap").help})->group(group);
    const ReplayChange& inPorts = replayChange("in-ports");
    flag(command, group, "--in-ports", std::string{inPorts.type}.c_str(), a.inPorts, std::string{inPorts.help});
}

void addSweep(CLI::App& command, Arguments& a) {
    constexpr const char* group = "Sweep";
    manyFlag(command, group, "--together", "LIST", a.together,
             "ranges that vary together instead of in all combinations, such as p,q or n,groups");
    flag(command, group, "--repeat", "K", a.repeats,
         "number of executions of each point over MPI, or of seeds of a random --arrival in virtual time; the median "
         "and the range are shown");
    flag(command, group, "-o,--output", "FILE", a.output, "file to write: .csv, .json, or a chart (.png, .svg, .pdf)");
    flag(command, group, "--measured", "FILE", a.measured,
         "results of nccl-tests to show next to virtual time; ranks and sizes are taken from the file unless given");
    command.add_flag("--resume", a.resume, "continue the interrupted sweep that was writing --output")->group(group);
    command.add_flag("--force", a.force, "replace an existing file")->group(group);
    flag(command, group, "--threads", "T", a.threads, "number of parallel runs; by default the number of processors");
    constexpr const char* chart = "Chart";
    flag(command, chart, "--x", "QUANTITY", a.across,
         "x axis: a column, an option, or a formula such as p*size; by default the first that varies");
    flag(command, chart, "--y", "QUANTITY", a.up,
         "y axis: time (the default), ratio (time of the --baseline / time), rounds, messages, bytes, idle, hidden, or "
         "a formula");
    flag(command, chart, "--series", "LIST", a.series,
         "columns by which lines differ; by default all others that vary");
    flag(command, chart, "--baseline", "WHAT", a.baseline,
         "runs with which others are compared: ID, or KEY=VALUE such as groups=1; a horizontal line if KEY is on the x "
         "axis");
    command.add_flag("--formula", a.formula, "draw the cost formula of each algorithm as a dashed line")->group(chart);
    manyFlag(command, chart, "--line", "NAME=FORMULA", a.lines,
             "an additional line, in seconds if the y axis is time, such as 'ring=(p-1)*(alpha+beta*size)'");
    flag(command, chart, "--linear", "AXES", a.linear,
         "axes with a linear scale: x, y or x,y; both are logarithmic by default");
    flag(command, chart, "--title", "WORDS", a.title, "title of the chart");
    addPictureSize(command, chart, a);
    addChanges(command, "Replay of a trace", a);
}

void addReplay(CLI::App& command, Arguments& a) {
    constexpr const char* group = "Changes";
    addChanges(command, group, a);
    addChange(command, group, "compute", a.compute);
    flag(command, "Check", "--check", "COMMAND", a.check,
         "run the program with the same algorithms by this command, such as 'mpirun -n 8 ./program', and compare the "
         "measured time with the predicted time");
    flag(command, "Check", "--repeat", "K", a.repeats, "number of runs, of which the median is shown; 1 by default");
    flag(command, "Check", "--seconds", "S", a.seconds,
         "time limit of a run; by default a minute and ten times the recorded or predicted time");
    command.add_flag("--lab", a.inLab, "run it in the lab that 'collscope lab up' has set up")->group("Check");
    flag(command, "Check", "--measured", "DIR", a.measured, "keep the trace of the (median) run in this folder");
    flag(command, "Tables", "--tables", "LIST", a.tables,
         "only these tables: activities, collectives, ranks, with --check also check and check-activities; csv output "
         "is one table");
    flag(command, "Output", "--goal", "FILE", a.goal,
         "write the program of the last replay as GOAL text, which LogGOPSim replays");
    flag(command, "Output", "--time-independent", "DIR", a.timeIndependent,
         "write it as a time-independent trace in this folder, which SimGrid replays: smpirun -replay traces");
    flag(command, "Trace", "--trace", "OUT", a.trace,
         "record the last replay as an OTF2 archive: in this folder, or as a new file that ends in .otf2");
    command.add_flag("--force", a.force, "replace an existing file, or an existing archive in a folder")
        ->group("Trace");
    for (const std::string_view key : replayConditions) {
        const bool isRecorded =
            key == "alpha" || key == "beta" || key == "gamma" || key == "topology" || key == "ports";
        const std::string_view help = fields::named(key).help;
        // The default of a run is not that of a replay.
        askedFlag(command, group, a.asked, key,
                  isRecorded
                      ? engine::text(help.substr(0, help.find(';')), "; by default as recorded",
                                     key == "alpha" || key == "beta" ? ", or fitted to the messages, or assumed" : "")
                  : key == "eager"
                      ? engine::text(help.substr(0, help.find(';')),
                                     "; all: every message is eager; by default as recorded, or fitted to the calls of "
                                     "MPI_Send that waited")
                      : std::string{help});
    }
}

void addPieces(CLI::App& command, Arguments& a) {
    command
        .add_option_function<std::string>(
            "--pieces", [&a](const std::string& word) { a.asked.add("set", "pieces=" + word); },
            "repeat the schedule of a file over K pieces of each chunk, pipelined (the same as --set pieces=K)")
        ->type_name("K")
        ->group(headingOf(fields::Part::problem));
}

void add(CLI::App& command, Flags flags, Arguments& a) {
    switch (flags) {
        case Flags::problem: return addFields(command, fields::Part::problem, Numbers::single, a.asked);
        case Flags::ranges: return addFields(command, fields::Part::problem, Numbers::ranges, a.asked);
        case Flags::pieces: return addPieces(command, a);
        case Flags::search:
            flag(
                command, "Search", "--search", "TIME", a.search,
                "look for schedules between neighbours, without split contributions, that have fewer rounds or serialized blocks, for at most this time");
            return;
        case Flags::execution: return addFields(command, fields::Part::execution, Numbers::single, a.asked);
        case Flags::here: return addFields(command, fields::Part::execution, Numbers::single, a.asked, Where::here);
        case Flags::emulation:
            return addFields(command, fields::Part::execution, Numbers::single, a.asked, Where::inVirtualTime);
        case Flags::measuring:
            addFields(command, fields::Part::measuring, Numbers::single, a.asked);
            return addFields(command, fields::Part::halves, Numbers::single, a.asked);
        case Flags::launch: return addFields(command, fields::Part::launch, Numbers::single, a.asked);
        case Flags::calibration:
            askedFlag(command, "Measuring", a.asked, "repeat", "number of measurements of each message; 20 by default");
            flag(command, "Measuring", "--message-sizes", "FIRST..LAST", a.messageSizes,
                 "message sizes, each four times the one before; 1KiB..1MiB by default");
            flag(command, "Measuring", "--pairs", "K", a.pairs,
                 "number of pairs of processes that exchange messages at the same time; 1 by default");
            flag(command, "Measuring", "-o,--output", "FILE", a.output, "model file to write, for --model @FILE");
            command.add_flag("--force", a.force, "replace an existing file")->group("Measuring");
            return;
        case Flags::lab:
            flag(command, "Lab", "--hosts", "N", a.hosts, "number of hosts, 2 to 250; 16 by default");
            flag(command, "Lab", "--rate", "SPEED", a.rate,
                 "rate of each host's port in each direction; 100Mbit/s by default");
            return;
        case Flags::picture: return addPicture(command, a);
        case Flags::recording:
            flag(command, "Recording", "-o,--output", "DIR", a.output,
                 "the archive, a new folder; collscope-trace by default, or collscope-trace.2, ...");
            flag(command, "Recording", "--rules", "FILE", a.recordRules,
                 "rules, as written by 'collscope rules', that replace algorithms of the library by those of the "
                 "catalogue");
            flag(command, "Recording", "--calls", "N", a.calls,
                 "number of MPI calls that each process can record, at 48 B each; 262144 by default; later calls are "
                 "counted, not recorded");
            return;
        case Flags::questions: return addQuestions(command, a);
        case Flags::part:
            flag(command, "Part of a trace", "--from", "TIME", a.from,
                 "for .otf2, .pftrace, .json and .csv: only from this time of the trace on, such as 2ms");
            command.get_option("--ranks")->description(
                "number of ranks, for collectives within one group; of a trace, only these ranks, such as 0..3,8 (for "
                ".otf2, .pftrace, .json and .csv)");
            flag(command, "Part of a trace", "--to", "TIME", a.to, "only before this time");
            return;
        case Flags::comparing:
            flag(command, "Programs", "--scaling", "KIND", a.scaling,
                 "compares traces of one program with different numbers of ranks: efficiencies, speed-up and "
                 "computation scalability; strong: the problem size is the same; weak: it grows with the number of "
                 "ranks");
            flag(command, "Programs", "-o,--output", "FILE", a.output,
                 "with --scaling: the table as a picture, .png, .svg or .pdf");
            addPictureSize(command, "Programs", a);
            command.add_flag("--force", a.force, "replace an existing file")->group("Programs");
            return flag(command, "Check", "--no-worse-than", "PERCENT", a.noWorseThan,
                        "exit code 1 if B takes more than PERCENT longer than A, such as 5%");
        case Flags::reading:
            flag(command, "Input", "--memory", "BYTES", a.memory,
                 "memory limit for the trace, by default a quarter of the machine's; data beyond it is kept in files");
            flag(
                command, "Input", "--index", "WHERE", a.index,
                "where to keep the index that speeds up reopening large traces: cache (the default: the user's cache), "
                "beside (next to the trace), or none");
            flag(command, "Input", "--clocks", "WHOSE", a.clocks,
                 "recorded, or fitted so that no message arrives before it is sent; by default fitted where the "
                 "recorded clocks contradict each other");
            return;
        case Flags::sweep:
            addFields(command, fields::Part::halves, Numbers::single, a.asked, Where::inVirtualTime);
            addLive(command, a.asked);
            return addSweep(command, a);
        case Flags::file: addOutput(command, "File", a, "file to write"); return;
        case Flags::figure:
            addOutput(command, "Figure", a,
                      "one item: .png, .svg, .pdf, .csv or .json; several: .html, .md, .csv or .json");
            command.add_flag("--small,--quick", a.small, "fewer and smaller runs")->group("Figure");
            flag(command, "Figure", "--rows", "FILE", a.rows,
                 "read results of earlier runs from this .csv file, and append new results");
            flag(command, "Figure", "--threads", "T", a.threads,
                 "number of parallel runs; by default the number of processors");
            addPictureSize(command, "Figure", a);
            for (const std::string_view key : figureInstead()) {
                const fields::Entry& entry = fields::named(key);
                addField(command, entry, Numbers::ranges, a.asked, Where::inVirtualTime);
            }
            flag(command, "Over MPI", "--repeat", "K", a.repeats,
                 "number of executions of each point; the median and the range are shown");
            return addLive(command, a.asked);
        case Flags::cut:
            flag(command, "Part", "--rounds", "A..B", a.rounds,
                 "only these rounds; they are numbered from 1 in text, and from 0 in other formats");
            flag(command, "Part", "--rank", "R", a.rank, "only what this rank sends or receives");
            return;
        case Flags::tuple:
            flag(command, "Numbers", "-n,--ways", "N", a.ways,
                 "number of messages that a rank sends in a round, or a "
                 "range");
            flag(command, "Numbers", "-P,--ranks", "P", a.processes, "number of ranks, or a range");
            return;
        case Flags::library:
            flag(command, "Call", "-n,--ranks", "RANGE", a.processes,
                 "numbers of ranks of the communicators; 2..16 by default");
            flag(command, "Call", "--sizes", "RANGE", a.sizes,
                 "sizes of the call: the message of a broadcast, the vector of a reduction, or one block of other "
                 "collectives; "
                 "4..4MiB by default, each four times the one before");
            addOutput(command, "File", a, "write the map to this file, .csv or .svg");
            return;
        case Flags::tuning:
            flag(command, "Call", "-n,--ranks", "N", a.processes,
                 "number of ranks of the communicator; a range when measuring");
            flag(command, "Call", "--bytes", "SIZE", a.bytes,
                 "size of the call: the message of a broadcast, the vector of a reduction, or one block of other "
                 "collectives");
            flag(command, "Measuring", "--sizes", "RANGE", a.sizes,
                 "sizes to measure, as for --bytes; 4..4MiB by default, each four times the one before");
            flag(command, "Measuring", "--for", "TRACE", a.program,
                 "tune for the collectives of this recorded program, with its arrival patterns");
            flag(
                command, "Measuring", "--budget", "TIME", a.budget,
                "time of the measurements, also in minutes, such as 5m; 10m by default; the check of the rules takes more");
            flag(command, "Measuring", "--candidates", "WHICH", a.candidates,
                 "algorithms to measure beside the library's choice: library (the default), catalogue or all");
            command
                .add_flag("--commutative", a.commutative,
                          "user-defined operations of the program commute, so that algorithms that change the order of "
                          "contributions may be chosen")
                ->group("Measuring");
            command.add_flag("--resume", a.resume, "continue the measurement in FILE.measured")->group("Measuring");
            flag(command, "File", "--to", "LIBRARY", a.to,
                 "library to write for: openmpi or mpich; when converting also collscope");
            flag(command, "Placement", "--hosts", "FILE", a.hosts,
                 "the hosts, one a line: NAME slots=N switch=PATH; PATH names the switches above the host, such as "
                 "spine1/leaf2");
            flag(command, "Check", "--check", "COMMAND", a.check,
                 "run the program with this command without and with the rules, or in the current and in the new "
                 "order, in turn, such as 'mpirun -n 8 ./program'");
            flag(command, "Check", "--repeat", "K", a.repeats, "number of these runs of each kind; 3 by default");
            flag(command, "Check", "--seconds", "S", a.seconds, "time limit of a run; 600 by default");
            askedFlag(command, "Placement", a.asked, "topology",
                      "the network on which orders are emulated; by default a cluster of the hosts");
            askedFlag(command, "Placement", a.asked, "model", "cost model of that network; by default as recorded");
            addOutput(command, "File", a, "file to write");
            return;
        case Flags::synthesis: {
            constexpr const char* group = "Search";
            flag(command, group, "--chunks", "C", a.chunks,
                 "number of equal parts of each contribution; by default 1, 2, ... while that saves bytes, at most 8");
            flag(command, group, "--steps", "S", a.steps, "number of steps; by default the fewest possible and more");
            flag(command, group, "--rounds,--blocks", "R", a.rounds,
                 "total number of rounds, in each of which a lane of a link carries one chunk; by default the fewest "
                 "possible");
            flag(command, group, "--method", "HOW", a.method,
                 "solver (the default), trees: along spanning trees that share the network's capacities, or greedy: "
                 "chunks "
                 "matched with links round by round; trees and greedy support up to 256 ranks and do not prove "
                 "optimality");
            flag(command, group, "--limit", "TIME", a.limit, "time limit of the search; 60s by default");
            command.get_option("--topology")->description("network, such as full (the default), ring or torus:4x4");
            command.get_option("--ports")->description(
                "messages a rank can send, and receive, in a step; by default only its links limit them, and it has 1 port "
                "on a network without links");
            flag(command, group, "--proof", "FILE", a.proof,
                 "write the solver's proof of one question as DRAT text, and its clauses to FILE.cnf as DIMACS");
            for (const std::string_view key : {"model", "alpha", "beta", "bandwidth"})
                askedFlag(command, "Cost", a.asked, key, fields::named(key).help);
            return;
        }
        case Flags::markdown: command.add_flag("--markdown", a.markdown, "the same as --format markdown"); return;
        case Flags::grading:
            flag(command, "Limits", "--seconds", "S", a.seconds, "time limit for each file; 5 by default");
            flag(command, "Limits", "--memory", "BYTES", a.memory, "memory limit for each file; 256MiB by default");
            return;
        case Flags::replay: return addReplay(command, a);
        case Flags::quick: command.add_flag("--quick", a.quick, "short runs, some seconds in total"); return;
        case Flags::trace:
            flag(command, "Trace", "--trace", "OUT", a.trace,
                 "record the run as an OTF2 archive: in this folder, or as a new file that ends in .otf2");
            command.add_flag("--force", a.force, "replace an existing archive in a folder")->group("Trace");
            return;
    }
}

}  // namespace

std::unique_ptr<CLI::App> definitions(Arguments& arguments) {
    auto app = std::make_unique<CLI::App>(
        "Shows how collective communication works: which rank sends which bytes to which rank, in which round and over "
        "which link, and how far the cost of the collective is from its lower bound.",
        "collscope");
    app->allow_extras();
    app->require_subcommand(0, 1);  // behind a command the name of one is a word: a trace may be called "lab"
    app->set_help_flag("-h,--help", "shows help for the program or a command");
    app->set_version_flag("--version", "collscope " COLLSCOPE_VERSION, "prints the version");
    for (const Command& command : commands()) {
        CLI::App* sub = app->add_subcommand(std::string{command.name}, std::string{command.meaning});
        sub->group(std::string{command.task});
        sub->allow_extras();
        sub->add_option("words", arguments.words, std::string{command.usage})->expected(0, 1 << 20);
        for (const Flags flags : command.flags) add(*sub, flags, arguments);
        if (!command.formats.empty())
            flag(*sub, "Options", "--format", "FORMAT", arguments.format,
                 command.formatsInWords.empty() ? fields::alternatives(command.formats)
                                                : std::string{command.formatsInWords});
        std::string footer{command.details};
        footer += footer.empty() ? "" : "\n";
        sub->footer(footer + std::string{command.example});
    }
    return app;
}

}  // namespace app::cli
