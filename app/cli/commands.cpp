// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/commands.hpp"

#include "app/cli/grade_command.hpp"
#include "app/cli/tune/tune_command.hpp"

namespace app::cli {

std::span<const Command> commands() {
    static const std::vector<Command> all{
        {.name = "list",
         .task = "Look at an algorithm",
         .usage = listTopics,
         .meaning = "Lists algorithms, topologies, models, sizes, tables, libraries and lessons.",
         .details = "",
         .example = "collscope list topologies",
         .flags = {},
         .formats = {"text", "json", "csv", "markdown"},
         .run = list},
        {.name = "describe",
         .task = "Look at an algorithm",
         .usage = "ID [PROBLEM --search TIME]",
         .meaning = "Describes an algorithm: idea, paper, cost, parameters, requirements, lower bounds, options, "
                    "errata.",
         .details =
             "In every command, ID may also be the path of a script, or of a schedule in json or MSCCL XML. With the "
             "name of a model in place of ID, the command prints the values of the model and their source, and with "
             "that of a kind of network its meaning and an example. With "
             "--markdown and no ID it prints a table of all algorithms. With a PROBLEM and --search it reports whether "
             "a better schedule exists, or proves that none does.",
         .example = "collscope describe halfduplex-allgather/ring-belts -p 4 -q 6 --search 10s",
         .flags = {Flags::markdown, Flags::problem, Flags::pieces, Flags::search},
         .formats = {"text", "json", "markdown"},
         .run = describe},
        {.name = "show",
         .task = "Look at an algorithm",
         .usage = "ID PROBLEM",
         .meaning = "Prints the schedule of an algorithm, message by message.",
         .details =
             "Formats: dot is the language of Graphviz, and for a reduction also draws the order in which results are "
             "combined; goal is the language of LogGOPSim; msccl is the XML of MSCCL, for the collectives that MSCCL "
             "supports.",
         .example = "collscope show halfduplex-allgather/ring-belts -p 4 -q 6 --rounds 1..3",
         .flags = {Flags::problem, Flags::pieces, Flags::cut},
         .formats = {"text", "json", "dot", "goal", "msccl"},
         .run = show},
        {.name = "run",
         .task = "Look at an algorithm",
         .usage = "ID PROBLEM",
         .meaning = "Runs an algorithm once and compares its time with the lower bound and the cost model.",
         .details = "Exit code 1 if the data is wrong, the schedule is refuted or a lower bound is violated.",
         .example = "collscope run halfduplex-allgather/ring-belts -p 4 -q 6 --size 64KiB --trace out/belts",
         .flags = {Flags::problem, Flags::pieces, Flags::execution, Flags::measuring, Flags::launch, Flags::trace,
                   Flags::search},
         .formats = {"text", "json", "csv"},
         .run = runOne},
        {.name = "verify",
         .task = "Look at an algorithm",
         .usage = "ID|FOLDER|LOG|all PROBLEM",
         .meaning = "Proves schedules correct, or shows the first counterexample.",
         .details =
             "'verify all' without a PROBLEM proves the whole catalogue on a fixed set of problems and options. "
             "Numbers may be ranges: 1..70, 2..24/2 (every second), 16..65536*2 (doubling), 1,4,9, and also --set "
             "n=1..8. Problems that an algorithm does not support are counted, but are no failures.\n"
             "'verify FOLDER' checks all schedules in the folder: Collscope's json, MSCCL XML, GOAL, results of TE-CCL "
             "and trees of ForestColl. --output writes the report as .html or .csv, and "
             "--format csv, which is for a FOLDER only, prints it. Files that are left out or not readable are "
             "listed, and do not change the exit code.\n"
             "LOG is a debug log of NCCL. The command checks that each ring and tree includes all ranks, and that "
             "double trees are complementary.\nExit code 1 if a schedule is wrong, or a ring or tree is broken.",
         .example = "collscope verify halfduplex-allgather/ring-streams -p 2..24/2 -q 2..24/2",
         .flags = {Flags::ranges, Flags::pieces, Flags::file},
         .formats = {"text", "json", "csv"},
         .run = verify,
         .formatsInWords = "text or json; for a FOLDER also csv"},
        {.name = "synthesize",
         .task = "Look at an algorithm",
         .usage = "COLLECTIVE PROBLEM",
         .meaning = "Finds the best schedules for a network, or proves that none exists.",
         .details =
             "A SAT solver decides whether there is a schedule with a given number of chunks per contribution, of "
             "steps and of rounds, in which only neighbours exchange messages. Each step costs one startup (alpha), and is called a round in all other "
             "commands. In a round, each lane of a link carries one "
             "chunk; a link that is faster than others has several lanes. With one chunk, rounds are the serialized blocks "
             "of the other commands. Without --chunks, --steps and --rounds the "
             "table lists the schedules from the fewest steps to the fewest bytes. --ports K limits the messages that "
             "a rank sends, and receives, in a step; by default only its links limit them, and it has one port on a network "
             "without links. An allreduce is composed of a reduce-scatter and an allgather.\n"
             "--output FILE.json or FILE.xml writes the schedule of the lowest cost, which verify, run and show read. "
             "FILE.lua is a script; it needs an allgather in which all ranks do the same. With --output, the exit code is 1 "
             "if no schedule was found.",
         .example = "collscope synthesize allgatherv -n 8 --topology dgx1 -o dgx1.json",
         .flags = {Flags::problem, Flags::synthesis, Flags::file},
         .formats = {"text", "json", "csv"},
         .run = synthesize},
        {.name = "view",
         .task = "Look at an algorithm",
         .usage = "[TRACE|SESSION|LESSON|TASK [FILE]|TUNING|ID PROBLEM]",
         .meaning = "Opens the window, as collscope without a command does.",
         .details = "SESSION is a file that the window saved: its run or trace, view, selection and notes. LESSON "
                    "(.lesson) opens in the editor, with the lesson itself next to it. TASK (.task) opens next to the "
                    "editor, with FILE, the algorithm that is checked against it. TUNING is the file of rules that "
                    "'collscope tune' wrote, or its FILE.measured: the map of the tuning opens.",
         .example = "collscope view out/belts",
         .flags = {Flags::problem, Flags::pieces, Flags::execution, Flags::reading},
         .formats = {},
         .run = view},
        {.name = "export",
         .task = "Look at an algorithm",
         .usage = "TRACE|ID PROBLEM|LESSON ...",
         .meaning = "Writes a run or a trace as a picture, film, page or table, and lessons as a page.",
         .details =
             "The ending of the file name selects the format: .png .svg .pdf a picture; .gif .mp4 .webm a film; .html "
             "an interactive page; .pftrace a trace for Perfetto; .json the same in Chrome's trace-event format; .csv "
             "one line per message; .otf2 an OTF2 trace. A debug log of NCCL is written as a network (.dot) or as the "
             "placement of its ring (.placement). LESSON is a name from 'list lessons', a .lesson file, or 'lessons' "
             "for all of them in one page.",
         .example = "collscope export out/belts -o belts.svg",
         .flags = {Flags::picture, Flags::problem, Flags::pieces, Flags::execution, Flags::part, Flags::reading},
         .formats = {},
         .run = exportFile},
        {.name = "compare",
         .task = "Compare and measure",
         .usage = "A B ... PROBLEM",
         .meaning = "Compares runs or traces.",
         .details =
             "A, B, ... are traces, or ids of algorithms, which run on the same PROBLEM. Options and fields of the "
             "problem may be appended to an id: bcast/chain:fanout=4, allreduce/ring:size=1MiB:ranks=8. For two runs, "
             "the output also lists the messages or calls that differ, and whether both reduce every element in the "
             "same order.",
         .example = "collscope compare allgatherv/linear-ring allgatherv/pipelined-ring -n 8 --sizes broadcast",
         .flags = {Flags::problem, Flags::pieces, Flags::here, Flags::comparing, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = compare},
        {.name = "sweep",
         .task = "Compare and measure",
         .usage = "ID... PROBLEM-RANGES|TRACE",
         .meaning =
             "Runs algorithms over ranges of parameters, in virtual time or over MPI; writes a table or a chart.",
         .details =
             "Every numeric flag takes a range: 16..65536*2 (doubling), 2..24/2 (every second), 1,4,9; so does --set, "
             "as in "
             "segments=1..64*2. Other flags, such as --alpha and --sizes, take a list. All combinations run; ranges "
             "named by --together vary together. To set an option for one algorithm only, append it to the ID: "
             "ID:segments=8. Runs are parallel (--threads).\n"
             "--output FILE.csv is written row by row, to FILE.csv.part until it is complete, and --resume continues "
             "an interrupted sweep. FILE.json is the same table; .png, .svg and .pdf are a chart with the lower bound "
             "as a line.\n"
             "Formulas (--x, --y, --line) may use p and n (ranks, or those of group A), q (ranks of group B), size, "
             "size_b, total, largest, smallest (bytes), empty, ports, alpha, beta, gamma (seconds), options by their "
             "names, x, and results of each run: time, rounds, messages, bytes, idle, bound, measured; with + - * / "
             "^, log2, sqrt, ceil, floor, abs, min, max.\n"
             "With --on mpi each point is also measured over MPI, after all runs in virtual time; options of virtual "
             "time, such as --sharing, do not change the measurement.\n"
             "With a TRACE, the recorded program is replayed (see "
             "replay), once for each combination of the listed values: --with allreduce=recorded,best,allreduce/ring, "
             "--topology full,torus:4x8, --alpha 1us,10us, --ports 1..4, --compute 0.5,1; --x is one of those, --y a "
             "result.",
         .example = "collscope sweep bcast/binomial-tree bcast/pipelined-chain:segments=64 -n 16..1024*2 --size 1MiB",
         .flags = {Flags::ranges, Flags::pieces, Flags::emulation, Flags::sweep, Flags::reading},
         .formats = {"text", "csv", "json"},
         .run = sweepMany},
        {.name = "calibrate",
         .task = "Compare and measure",
         .usage = "[FILE]",
         .meaning = "Measures alpha and beta of this machine, or estimates them from results of nccl-tests.",
         .details =
             "Two processes send messages of 1 KiB to 1 MiB to each other at the same time. Alpha and beta minimise "
             "the relative error over these sizes; --message-sizes selects others. Use --pairs if several ranks share "
             "a network card or processor.\n"
             "FILE is the output of a program of nccl-tests, such as all_reduce_perf. Alpha and beta are fitted to its "
             "times under the cost model of the ring, with 95% confidence intervals; --message-sizes selects the "
             "sizes that are used.",
         .example = "collscope calibrate -o here.model",
         .flags = {Flags::calibration, Flags::launch},
         .formats = {"text", "json"},
         .run = calibrate},
        {.name = "bench",
         .task = "Compare and measure",
         .usage = "",
         .meaning = "Measures the speed of virtual time on this machine, and of SimGrid if it is installed.",
         .details = "The benchmark takes some minutes on one core, most of them for SimGrid; --quick takes seconds. It "
                    "measures CPU time, which other load on the machine changes little.",
         .example = "collscope bench --quick",
         .flags = {Flags::quick},
         .formats = {"text", "json", "csv"},
         .run = bench},
        {.name = "lab",
         .task = "Compare and measure",
         .usage = "up|status|down",
         .meaning = "Sets up a cluster of network namespaces on this machine, with ports of a given rate.",
         .details = "MPI programs communicate over TCP between these hosts, which are connected by one switch. "
                    "'collscope run ... --on mpi --lab' runs there. The command needs root. The lab exists until 'lab "
                    "down'. Only namespaces named collscope-N, links named clab-N and addresses 10.77.0.N are changed.",
         .example = "collscope lab up --hosts 16 --rate 100Mbit/s",
         .flags = {Flags::lab},
         .formats = {"text", "json"},
         .run = lab},
        {.name = "record",
         .task = "Analyse a program",
         .usage = "-- COMMAND",
         .meaning = "Runs an MPI program and records its MPI calls as an OTF2 archive.",
         .details =
             "COMMAND is the command that starts the program without Collscope: mpirun -n 4 ./program ARGUMENTS for "
             "Open MPI, MPICH or Slurm (srun), or a script that starts programs of Open MPI. The program needs no "
             "recompilation or relinking. A summary of the trace goes to stderr. The exit code is that of COMMAND, or "
             "1 if that is 0 and nothing was recorded.",
         .example = "collscope record -o solver -- mpirun -n 4 ./solver input.dat",
         .flags = {Flags::recording},
         .formats = {},
         .run = recordProgram},
        {.name = "open",
         .task = "Analyse a program",
         .usage = "TRACE",
         .meaning = "Analyses an OTF2 trace or PyTorch profiler traces: efficiency, wait states, root causes, "
                    "collectives, lower bounds.",
         .details =
             "TRACE is one of: an OTF2 archive of any tool (its folder or its .otf2 file); traces of the PyTorch "
             "profiler (*.json, *.json.gz; a folder with one per rank, or one file); a debug log of NCCL "
             "(NCCL_DEBUG=INFO), which shows rings, trees, algorithms and protocols; dumps of PyTorch's Flight "
             "Recorder, which are listed by rank. Without --tables the command prints a summary. Cells without data "
             "are shown as '-' in text and are empty in csv. The summary lists losses; table not-recorded lists all data that is missing "
             "from the trace. csv output is one table.",
         .example = "collscope open out/belts --tables bounds,what-if",
         .flags = {Flags::questions, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = openTrace},
        {.name = "replay",
         .task = "Analyse a program",
         .usage = "TRACE",
         .meaning = "Replays a recorded program in virtual time, unchanged and with changes.",
         .details =
             "Computation takes as long as recorded; waiting times result from the replay. The first replay uses the "
             "recorded conditions; its error shows how reliable the predictions are. Conditions that the trace does "
             "not contain are fitted to its messages, or assumed; the output reports which. A collective uses the algorithm of --with, else the recorded "
             "one, else the fastest of the catalogue. TRACE may be a GOAL text (FILE.goal), which has no recorded times: "
             "the first replay then uses a fully connected network. Exit code 1 if the replay ends in a deadlock.",
         .example = "collscope replay out/belts --alpha 5us",
         .flags = {Flags::replay, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = replayTrace},
        {.name = "rollcall",
         .task = "Analyse a program",
         .usage = "FOLDER",
         .meaning = "Diagnoses a program that hangs: the last call of each rank, and the missing ranks; from MPI "
                    "records or Flight Recorder dumps.",
         .details =
             "FOLDER contains records or dumps.\n"
             "Records (NAME.records) are written by an MPI program under libcollscope-pmpi.so that hangs, or was "
             "killed. The command shows the call and communicator in which each rank is, the index of the call on "
             "that communicator, its root, count and operation. Ranks for which others wait come first, then ranks "
             "that are behind others, then the smallest groups.\n"
             "Dumps are those of PyTorch's Flight Recorder (pickle or json), one per rank. The command shows which "
             "ranks did not call, start or finish a collective of a process group, or called it with other arguments "
             "than the rest.",
         .example = "collscope rollcall collscope-trace.records",
         .flags = {},
         .formats = {"text", "json"},
         .run = rollCall},
        {.name = "library",
         .task = "Choose the algorithms of an MPI library",
         .usage = "[COLLECTIVE,...|MAP.csv [MAP.csv]]",
         .meaning = "Shows which algorithm an MPI library chooses, by ranks and bytes, as a map; compares two maps.",
         .details =
             "The command starts one set of processes, calls each collective once for each number of ranks and each "
             "size, and records the library's messages. Open MPI reports the names of its algorithms; those of MPICH "
             "are recognised from the messages. The default COLLECTIVEs are allreduce, bcast, allgather, alltoall, "
             "reduce, gather, scatter, barrier, "
             "reduce_scatter and reduce_scatter_block. --mpirun mpirun.mpich selects MPICH, if collscope-mpi-mpich is "
             "installed. Parameters such as "
             "OMPI_MCA_coll_* and MPIR_CVAR_* have their usual effect.\n"
             "--output FILE.csv saves the map, FILE.svg draws it. 'library MAP.csv' shows a saved map. 'library A.csv "
             "B.csv' lists the cases in which two maps differ, such as those of two versions or two settings; with "
             "--output FILE.svg both are drawn.",
         .example = "collscope library allreduce,bcast -n 2..16 -o openmpi.csv",
         .flags = {Flags::library, Flags::launch},
         .formats = {"text", "csv", "json"},
         .run = library},
        {.name = "tune",
         .task = "Choose the algorithms of an MPI library",
         .usage = "[COLLECTIVE,...]|check FILE|explain FILE [COLLECTIVE]|convert FILE|map FILE|placement TRACE",
         .meaning =
             "Measures the algorithms of an MPI library and writes rules that select the fastest; checks, explains and "
             "converts rules.",
         .details =
             "tune COLLECTIVE,... measures the algorithms of Open MPI's coll/tuned, or of MPICH where --mpirun names "
             "its "
             "launcher, and checks their results. Without COLLECTIVE it measures bcast, allreduce, allgather, alltoall "
             "and reduce; with --for, the collectives of a recorded program. It writes a rule for each case in which "
             "an algorithm is at least 5% faster than the library's choice, and checks each rule by running with and "
             "without it. --output FILE (default: rules.conf, or rules.json for MPICH) names the file of rules. Rules "
             "of the drop-in library (.collscope), a map (.svg, .csv) and a report (.html, .md) are written next to "
             "it. With --candidates, the rules of the drop-in library name algorithms of the catalogue as well.\n"
             "tune map FILE draws the map of the measurement behind the rules in FILE again.\n"
             "tune check FILE lists faults by line: syntax errors, gaps, rules that decide no call, unknown "
             "algorithms. Exit code 1 if there are faults.\n"
             "tune explain FILE [COLLECTIVE] -n RANKS --bytes SIZE shows which rule decides this call, and why. Without "
             "COLLECTIVE it shows all collectives for which a rule decides.\n"
             "tune convert FILE writes the rules for another library and lists all that cannot be converted.\n"
             "FILE is Open MPI's dynamic rules, a selection file or control variables of MPICH, or rules of the "
             "drop-in library.\n"
             "tune placement TRACE looks for an order of ranks on --hosts with less traffic between hosts.",
         .example = "collscope tune bcast,allreduce -n 16 --lab -o rules.conf",
         .flags = {Flags::tuning, Flags::launch},
         .formats = {"text", "json"},
         .run = tune},
        {.name = "rules",
         .task = "Choose the algorithms of an MPI library",
         .usage = "COLLECTIVE|ID... PROBLEM-RANGES",
         .meaning = "Writes rules for MPI programs: the fastest algorithm in virtual time by ranks and bytes.",
         .details = "COLLECTIVE, such as allreduce, means all of its algorithms, with the options that they choose "
                    "themselves. Ranks and sizes may be ranges. The drop-in library reads the file if "
                    "COLLSCOPE_RULES=FILE is set. A rule applies from its size up to the next size that was tried.",
         .example = "collscope rules allreduce -n 2..32 --size 8..64KiB*8 --model infiniband-2008",
         .flags = {Flags::ranges, Flags::emulation, Flags::file},
         .formats = {"text", "json"},
         .run = rules},
        {.name = "grade",
         .task = "Teach",
         .usage = "TASK FILE...",
         .meaning =
             "Grades homework against a task: lists the checks that pass, and a counterexample for each that fails.",
         .details =
             "Each file is read and proved in a separate process, so that a script that never ends does not "
             "affect the other files; a file that does not exist gets 0 points, unless all are missing. The format gradescope is the results.json of Gradescope's autograders, "
             "for one file. Exit code 1 if a check fails.",
         .example = "collscope grade ring.task mine.lua",
         .flags = {Flags::grading},
         .formats = {"text", "csv", "json", "gradescope"},
         .run = gradeFiles},
        {.name = "figure",
         .task = "Papers",
         .usage = "[PAPER|@FILE|all [ITEM]]",
         .meaning = "Reproduces the figures, tables, equations and claims of the papers.",
         .details =
             "Without PAPER the command lists all items. ITEM is a name from that list; a bare number is a figure. For "
             "an ITEM the command prints the commands that reproduce it, the printed values, the values expected from "
             "the paper's own model, and the values found here. --output FILE.png, .svg or .pdf draws the item; .csv "
             "and .json hold its numbers.\n"
             "'figure all -o report.html' writes a report of all items with pictures, running times and the text of an "
             "artifact appendix; .md is the same without pictures and times.\n"
             "@FILE is a paper of your own; resources/docs/write-your-own.md explains the format.\n"
             "Exit code 1 if a number differs from its expected value, or if a difference from the printed value is "
             "not explained by a term or a counterexample.\n"
             "Flags of the problem draw the chart of one item for other problems than the paper's; --on mpi adds "
             "measurements to the virtual times. Such charts get no verdict.",
         .example = "collscope figure traff2010 10 -o fig10.pdf",
         .flags = {Flags::figure},
         .formats = {"text", "json", "csv"},
         .run = figure},
        {.name = "claims",
         .task = "Papers",
         .usage = "[PAPER]",
         .meaning = "Checks the speed-ups claimed in the papers by running both variants.",
         .details =
             "Each row has the speed-up that the paper claims, the speed-up expected from the paper's own model at "
             "this size, and the speed-up found here. With the name of a PAPER the command also lists the runs and "
             "explains differences from the printed value. Exit code 1 if a speed-up differs from its expected value "
             "by more than the tolerance, or if a difference from the printed value is not explained by a term or a "
             "counterexample. 'collscope figure' covers the figures, tables and equations.",
         .example = "collscope claims hasanov2014",
         .flags = {},
         .formats = {"text", "json"},
         .run = checkClaims},
        {.name = "tuple",
         .task = "Papers",
         .usage = "",
         .meaning = "Shows for which n and P the n-way dissemination allreduce has an adaptation to P ranks, and its "
                    "parameters.",
         .details =
             "n is the number of messages that a rank sends in a round, and P the number of ranks, which is -n in other "
             "commands. Without flags: for how many P from 2 to 1024 there is none, n = 1..8. Both numbers may be ranges; "
             "up to 20 values of P are listed one by one.",
         .example = "collscope tuple -n 2 -P 8",
         .flags = {Flags::tuple},
         .formats = {"text", "csv", "json"},
         .run = tuple},
        {.name = "completion",
         .task = "Shell",
         .usage = "bash",
         .meaning = "Writes a script for shell completion of commands, flags and names.",
         .details = "",
         .example = "source <(collscope completion bash)",
         .flags = {},
         .formats = {},
         .run = completion},
        {.name = "manual",
         .task = "Shell",
         .usage = "",
         .meaning = "Writes the manual page.",
         .details = "",
         .example = "collscope manual | man -l -",
         .flags = {},
         .formats = {},
         .run = manual},
    };
    return all;
}

}  // namespace app::cli
