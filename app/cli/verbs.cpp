// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/verbs.hpp"

#include "app/cli/grade_verb.hpp"
#include "app/cli/tune/tune_verb.hpp"

namespace app::cli {

std::span<const Verb> verbs() {
    static const std::vector<Verb> all{
        {.name = "list",
         .usage = listTopics,
         .meaning = "Lists algorithms, topologies, models, tables and lessons.",
         .details = "",
         .example = "collscope list topologies",
         .flags = {},
         .formats = {"text", "json", "csv", "markdown"},
         .run = list},
        {.name = "describe",
         .usage = "ID [PROBLEM --search TIME]",
         .meaning = "Describes an algorithm: idea, paper, parameters, options, needs, cost, bounds, errata.",
         .details =
             "In every command, ID may also be the path of a script, or of a schedule in json or MSCCL XML. With the name of a "
             "model in place of ID: its values and their source. With --markdown and no ID: a table of all "
             "algorithms. With a PROBLEM and --search: whether a better schedule exists for it, or is proved impossible.",
         .example = "collscope describe halfduplex-allgather/ring-belts -p 4 -q 6 --search 10s",
         .flags = {Flags::markdown, Flags::problem, Flags::pieces, Flags::search},
         .formats = {"text", "json", "markdown"},
         .run = describe},
        {.name = "show",
         .usage = "ID PROBLEM",
         .meaning = "Prints the schedule of an algorithm, message by message.",
         .details =
             "dot is the language of Graphviz; for a reduction it also draws the order in which results are combined. goal "
             "is the language of LogGOPSim, msccl the XML of MSCCL, for the collectives that MSCCL has.",
         .example = "collscope show halfduplex-allgather/ring-belts -p 4 -q 6 --rounds 1..3",
         .flags = {Flags::problem, Flags::pieces, Flags::cut},
         .formats = {"text", "json", "dot", "goal", "msccl"},
         .run = show},
        {.name = "verify",
         .usage = "ID|FOLDER|LOG|all PROBLEM",
         .meaning = "Proves schedules, or shows the first counterexample.",
         .details =
             "verify all without a PROBLEM proves the whole catalogue on a fixed set of problems and options. Numbers may be ranges: 1..70, 2..24/2 (every second), 16..65536*2 (doubling), 1,4,9; so may --set n=1..8. Problems that "
             "an algorithm refuses are counted, but are no failures. verify FOLDER audits all schedules in it: Collscope's "
             "json, MSCCL XML, GOAL, results of TE-CCL and trees of ForestColl; --output writes the report as .html or "
             ".csv. Of a debug log of NCCL: whether each ring and tree includes all ranks, and double trees are "
             "complementary. Exit code 1 when a schedule breaks its promise, or a ring or tree is broken.",
         .example = "collscope verify halfduplex-allgather/ring-streams -p 2..24/2 -q 2..24/2",
         .flags = {Flags::ranges, Flags::pieces, Flags::file},
         .formats = {"text", "json", "csv"},
         .run = verify},
        {.name = "synthesize",
         .usage = "COLLECTIVE PROBLEM",
         .meaning = "Finds the best schedules on a network, or proves that none exists.",
         .details =
             "A SAT solver decides whether a schedule with so many chunks per contribution, steps and rounds exists in "
             "which only neighbours exchange messages. In each round every lane of a link carries one chunk; links that "
             "are faster than others have several lanes. The cost is the virtual time in lockstep. Without --chunks, --steps and --rounds the table goes from the "
             "fewest steps to the least bytes. With --ports a rank sends and receives at most K messages in a step; "
             "without it as many as it has links, and one on a network without links. An allreduce is composed of a "
             "reduce-scatter and an allgather. --output FILE.json or .xml writes the schedule of the lowest cost, which "
             "verify, run and show read; .lua an allgather in which all ranks do the same; exit code 1 when there is none to write.",
         .example = "collscope synthesize allgatherv -n 8 --topology dgx1 -o dgx1.json",
         .flags = {Flags::problem, Flags::synthesis, Flags::file},
         .formats = {"text", "json", "csv"},
         .run = synthesize},
        {.name = "grade",
         .usage = "TASK FILE...",
         .meaning =
             "Grades homework against a task: lists the checks that pass, and a counterexample for each that fails.",
         .details = "Each file is read and proved in a process of its own, so that one that never ends stops no other. "
                    "gradescope is the results.json of Gradescope's autograders, for one file. Exit code 1 when "
                    "something fails.",
         .example = "collscope grade ring.task mine.lua",
         .flags = {Flags::grading},
         .formats = {"text", "csv", "json", "gradescope"},
         .run = gradeFiles},
        {.name = "tuple",
         .usage = "",
         .meaning = "Shows for which n and P n-way dissemination can be adapted, and how.",
         .details = "Without flags: the table for n = 1..8, P = 2..1024. Both numbers may be ranges.",
         .example = "collscope tuple -n 2 -P 8",
         .flags = {Flags::tuple},
         .formats = {"text", "csv", "json"},
         .run = tuple},
        {.name = "run",
         .usage = "ID PROBLEM",
         .meaning = "Runs an algorithm once and compares its time with the lower bound and the cost model.",
         .details = "Exit code 1 when data came out wrong, the schedule is refuted or a bound is violated.",
         .example = "collscope run halfduplex-allgather/ring-belts -p 4 -q 6 --size 64KiB --trace out/belts",
         .flags = {Flags::problem, Flags::pieces, Flags::execution, Flags::measuring, Flags::launch, Flags::trace,
                   Flags::search},
         .formats = {"text", "json", "csv"},
         .run = runOne},
        {.name = "claims",
         .usage = "[PAPER]",
         .meaning = "Checks the speed-ups claimed in the papers by running both variants.",
         .details =
             "A paper's name: also names the runs, and why a number is another one than in print. In print stands what "
             "the paper says, expected is what its model comes to at this size. Exit code 1 when a quotient "
             "differs from its expected value by more than the tolerance, or from print without a term or a "
             "counterexample. "
             "'collscope figure' has the rest of what the papers say.",
         .example = "collscope claims hasanov2014",
         .flags = {},
         .formats = {"text", "json"},
         .run = checkClaims},
        {.name = "figure",
         .usage = "[PAPER|all [ITEM]]",
         .meaning = "Reproduces the figures, tables, equations and claims of the papers.",
         .details =
             "Alone it lists them; a bare number is a figure. An item is printed with the commands that reproduce it, what the "
             "paper prints, what is expected of its own model, and what comes out here; --output FILE.png, .svg or "
             ".pdf draws it, .csv and .json hold its numbers. 'figure all -o report.html' is all of it with pictures, "
             "what ran, and the text of an artifact appendix; .md the same without pictures and times. Verdicts are "
             "computed: exit code 1 when a number differs from its expected value, or from print without a term or a "
             "counterexample that accounts for it. Flags of the problem make the chart of one item with other runs than "
             "the paper's, and --on mpi "
             "measures them beside their virtual time; then nothing is judged.",
         .example = "collscope figure traff2010 10 -o fig10.pdf",
         .flags = {Flags::figure},
         .formats = {"text", "json", "csv"},
         .run = figure},
        {.name = "sweep",
         .usage = "ID... PROBLEM-RANGES|TRACE",
         .meaning =
             "Runs algorithms over ranges of parameters, in virtual time or measured over MPI; writes a table or a chart.",
         .details =
             "Every numeric flag takes a range: 16..65536*2 (doubling), 2..24/2 (every second), 1,4,9; so does --set, as in "
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
             "time, such as --sharing, apply only to the latter. With a TRACE, the recorded program is replayed (see "
             "replay), once for each combination of the listed values: --with allreduce=recorded,best,allreduce/ring, "
             "--topology full,torus:4x8, --alpha 1us,10us, --ports 1..4, --compute 0.5,1; --x is one of those, --y a "
             "result.",
         .example = "collscope sweep bcast/binomial-tree bcast/pipelined-chain:segments=64 -n 16..1024*2 --size 1MiB",
         .flags = {Flags::ranges, Flags::pieces, Flags::emulation, Flags::sweep, Flags::reading},
         .formats = {"text", "csv", "json"},
         .run = sweepMany},
        {.name = "rules",
         .usage = "COLLECTIVE|ID... PROBLEM-RANGES",
         .meaning = "Writes rules for MPI programs: the fastest algorithm in virtual time by ranks and bytes.",
         .details = "A collective, such as allreduce, stands for all its algorithms, with what they can "
                    "choose themselves. Ranks and sizes may be ranges. The drop-in library takes the file with "
                    "COLLSCOPE_RULES=FILE. A rule holds from its size on to the next one that was tried.",
         .example = "collscope rules allreduce -n 2..32 --size 8..64KiB*8 --model infiniband-2008",
         .flags = {Flags::ranges, Flags::emulation, Flags::file},
         .formats = {"text", "json"},
         .run = rules},
        {.name = "tune",
         .usage = "[COLLECTIVE,...]|check FILE|explain FILE COLLECTIVE|convert FILE|map FILE|placement TRACE",
         .meaning =
             "Measures an MPI library's algorithms and writes rules that help; checks, explains, converts rules.",
         .details =
             "tune COLLECTIVE,... measures the algorithms of Open MPI's coll/tuned, or of MPICH where --mpirun names its "
             "launcher, and tests their results. Without COLLECTIVE it measures bcast, allreduce, allgather, alltoall and "
             "reduce; with --for the collectives of a recorded program. It writes a rule for each case in which an "
             "algorithm is at least 5 % faster than the library's choice, and checks each rule by running with the file and "
             "without it. --output FILE (default: rules.conf, of MPICH rules.json) gets the rules. Beside it are written "
             "rules of the drop-in library (.collscope), a map (.svg, .csv) and a report (.html, .md). tune map "
             "FILE.measured draws the map again. tune check FILE reports faults by line: syntax errors, gaps, rules that "
             "decide no call, unknown algorithms. The exit code is 1 if there are faults. tune explain FILE COLLECTIVE "
             "reports the rule that decides a call, and the reasons. tune convert FILE writes the rules for another library "
             "and reports each loss. FILE is Open MPI's dynamic rules, a selection file or control variables of MPICH, or "
             "rules of the drop-in library. tune placement TRACE looks for an order of ranks on --hosts with less traffic "
             "between hosts.",
         .example = "collscope tune bcast,allreduce -n 16 --lab -o rules.conf",
         .flags = {Flags::tuning, Flags::launch},
         .formats = {"text", "json"},
         .run = tune},
        {.name = "library",
         .usage = "[COLLECTIVE,...|MAP.csv [MAP.csv]]",
         .meaning = "Shows which algorithm an MPI library chooses, by ranks and bytes, as a map; compares two maps.",
         .details =
             "It starts one set of processes and calls each collective once for each number of ranks and each size, with "
             "the library's messages recorded. Open MPI names its algorithms; those of MPICH are recognised from the "
             "messages. Without COLLECTIVE: allreduce, bcast, allgather, alltoall, reduce, gather, scatter, barrier, "
             "reduce_scatter and reduce_scatter_block. --mpirun mpirun.mpich selects MPICH. Parameters such as OMPI_MCA_coll_* and "
             "MPIR_CVAR_* apply as to any program. --output FILE.csv keeps the map, FILE.svg draws it. library MAP.csv shows a "
             "kept map, library A.csv B.csv lists the cases in which two maps differ, such as those of two versions or two "
             "settings; with --output FILE.svg both are drawn.",
         .example = "collscope library allreduce,bcast -n 2..16 -o openmpi.csv",
         .flags = {Flags::library, Flags::launch},
         .formats = {"text", "csv", "json"},
         .run = library},
        {.name = "record",
         .usage = "-- COMMAND",
         .meaning = "Runs an MPI program and records its MPI calls as an OTF2 archive.",
         .details =
             "COMMAND starts the program as without Collscope: mpirun -n 4 ./program ARGUMENTS, of Open MPI, MPICH or "
             "Slurm (srun), or a script that does so for Open MPI. Nothing has to be compiled or linked again. The exit "
             "code is that of COMMAND, or 1 when it is 0 and nothing was recorded. The first page of the trace goes to "
             "stderr.",
         .example = "collscope record -o solver -- mpirun -n 4 ./solver input.dat",
         .flags = {Flags::recording},
         .formats = {},
         .run = recordProgram},
        {.name = "open",
         .usage = "TRACE",
         .meaning = "Analyses an OTF2 trace or PyTorch profiler traces: efficiency, wait states, root causes, "
                    "collectives, lower bounds.",
         .details =
             "TRACE is a folder with one archive, or its .otf2 file, of any tool; or a folder with traces of the PyTorch "
             "profiler (*.json, *.json.gz), one per rank, or one of them; or a debug log of NCCL (NCCL_DEBUG=INFO): its "
             "rings, trees, algorithms and protocols. Without --tables: a first page in sentences. "
             "Dumps of PyTorch's Flight Recorder are listed by rank. Missing data is left empty and listed. csv output is one table.",
         .example = "collscope open out/belts --tables bounds,what-if",
         .flags = {Flags::questions, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = openTrace},
        {.name = "replay",
         .usage = "TRACE",
         .meaning = "Replays a recorded program in virtual time, unchanged and with changes.",
         .details =
             "Computation takes as long as recorded; waiting results from the replay. The first replay uses the recorded "
             "conditions; its error shows how reliable the others are. Conditions that the trace does not contain are fitted to its messages. "
             "Collectives run by the recorded algorithm, by that of --with, or by the fastest of the catalogue. Exit "
             "code 1 when the replay ends in a deadlock.",
         .example = "collscope replay out/belts --alpha 5us",
         .flags = {Flags::replay, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = replayTrace},
        {.name = "rollcall",
         .usage = "FOLDER",
         .meaning = "Diagnoses a program that hangs: the last call of each rank, and the missing ranks; from MPI "
                    "records or Flight Recorder dumps.",
         .details =
             "Of a program under libcollscope-pmpi.so that hangs, or was killed: in which call of which "
             "communicator each rank is, its index among the calls of that communicator, with root, count and "
             "operation. Those that others wait for come first, then those that are behind others, then the fewest. "
             "FOLDER is the folder of the records, which ends in .records; or it holds dumps of PyTorch's Flight Recorder, one per "
             "rank, pickles or json: which ranks did not call, start or finish which collective of which process group, or "
             "called it otherwise than the others.",
         .example = "collscope rollcall collscope-trace.records",
         .flags = {},
         .formats = {"text", "json"},
         .run = rollCall},
        {.name = "compare",
         .usage = "A B ... PROBLEM",
         .meaning = "Compares runs or traces.",
         .details =
             "A, B, ... are ids of algorithms, run on the one PROBLEM, or traces. An id may carry options and fields "
             "of its own: bcast/chain:fanout=4, allreduce/ring:size=1MiB:ranks=8. For two, the output also lists the "
             "messages or instances that differ, and whether both reduce every element in the same order.",
         .example = "collscope compare allgatherv/linear-ring allgatherv/pipelined-ring -n 8 --sizes broadcast",
         .flags = {Flags::problem, Flags::pieces, Flags::here, Flags::comparing, Flags::reading},
         .formats = {"text", "json", "csv"},
         .run = compare},
        {.name = "export",
         .usage = "TRACE|ID PROBLEM|LESSON ...",
         .meaning = "Writes a run or a trace as a picture, film, page or table, and lessons as a page.",
         .details =
             "The ending of the file decides: .png .svg .pdf pictures, .gif .mp4 .webm films, .html a page to "
             "read, .pftrace for Perfetto, .json the same for other readers of trace events, "
             ".csv one line per message, .otf2 a trace again. A debug log of NCCL becomes a network (.dot) or the "
             "placement of its ring (.placement). LESSON is a name of 'list lessons', a file that ends in "
             ".lesson, or 'lessons' for all of them: they become one page.",
         .example = "collscope export out/belts -o belts.svg",
         .flags = {Flags::picture, Flags::problem, Flags::pieces, Flags::execution, Flags::part, Flags::reading},
         .formats = {},
         .run = exportFile},
        {.name = "view",
         .usage = "[TRACE|SESSION|LESSON|TASK [FILE]|ID PROBLEM]",
         .meaning = "Opens the window, as collscope without a command does.",
         .details = "A session is a file that the window saved: its run or trace, view, selection and notes. A "
                    "lesson (.lesson) opens in the editor, and is given beside it. A task (.task) opens beside the "
                    "editor, with the file of an algorithm that is checked against it.",
         .example = "collscope view out/belts",
         .flags = {Flags::problem, Flags::pieces, Flags::execution, Flags::reading},
         .formats = {},
         .run = view},
        {.name = "lab",
         .usage = "up|status|down",
         .meaning = "Sets up a cluster of network namespaces on this machine, with ports of a given rate.",
         .details = "Real MPI over real TCP between hosts that share nothing but a switch: 'collscope run ... --on mpi "
                    "--lab' runs there. Needs root. It stands until 'lab down'; only namespaces called collscope-N, "
                    "links called clab-N and addresses 10.77.0.N are touched.",
         .example = "collscope lab up --hosts 16 --rate 100mbit",
         .flags = {Flags::lab},
         .formats = {"text", "json"},
         .run = lab},
        {.name = "calibrate",
         .usage = "[FILE]",
         .meaning = "Measures alpha and beta of this machine, or estimates them from results of nccl-tests.",
         .details =
             "Two processes send each other messages of 1 KiB to 1 MiB, both at once. Alpha and beta have the "
             "least relative error over all of these sizes; --message-sizes chooses others. Use --pairs if several "
             "ranks share a network card or processor. FILE is the output of programs of nccl-tests, such as "
             "all_reduce_perf: alpha and beta that fit its times as rings, with their 95 % intervals; --message-sizes "
             "chooses sizes.",
         .example = "collscope calibrate -o here.model",
         .flags = {Flags::calibration, Flags::launch},
         .formats = {"text", "json"},
         .run = calibrate},
        {.name = "bench",
         .usage = "",
         .meaning = "Measures the speed of virtual time on this machine, and of SimGrid if it is installed.",
         .details = "Some minutes of one core, most of them SimGrid's; --quick takes seconds. CPU time is counted, so "
                    "that other work on the machine matters little.",
         .example = "collscope bench --quick",
         .flags = {Flags::quick},
         .formats = {"text", "json", "csv"},
         .run = bench},
        {.name = "completion",
         .usage = "bash",
         .meaning = "Writes a script for shell completion of commands, flags and names.",
         .details = "",
         .example = "source <(collscope completion bash)",
         .flags = {},
         .formats = {},
         .run = completion},
        {.name = "manual",
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
