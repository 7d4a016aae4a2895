// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/commands.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

struct Mistake {
    std::string line;
    std::string sentence;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.line; }

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, endInOneSentence) {
    const Answer answer = command(GetParam().line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, "collscope: " + GetParam().sentence + "\n");
    EXPECT_EQ(answer.out, "");
}

TEST(Mistake, ofALauncherThatStartsOneNumberOfProcesses) {
    std::ostringstream out, err;
    EXPECT_EQ(run({"tune", "allreduce", "-n", "2,4", "--mpirun", "mpirun -n 2"}, out, err, {}), 2);
    EXPECT_EQ(
        err.str(),
        "collscope: --mpirun 'mpirun -n 2' starts the same number of processes for all 2 numbers of ranks: give one "
        "number with -n, or a launcher without arguments\n");
}

TEST(Mistake, inAPathThatNoSystemTakesIsOneSentence) {
    const std::string longest(300, 'x');
    for (const std::string& line :
         {"compare " + longest + " bcast/flat -n 4", "open " + longest, "run bcast/flat -n 4 --trace " + longest,
          "export bcast/flat -n 4 -o " + longest + ".svg", "sweep bcast/flat -n 4 -o " + longest + ".csv",
          "export " + longest + " -o x.svg"}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_EQ(answer.err.find("defect"), std::string::npos) << answer.err;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
}

TEST(Mistake, isNotThatATraceIsCalledLikeAVerb) {
    for (const Command& verb : commands()) {
        const std::string name{verb.name};
        // Where the tests run there may be a file of that name; a trace it is not.
        const std::string expected = "collscope: " + name + " ";
        EXPECT_EQ(command("open " + name + " --tables ranks").err.substr(0, expected.size()), expected);
        EXPECT_EQ(command("replay --alpha 1us " + name).err.substr(0, expected.size()), expected);
    }
}

/// Ids of the catalogue, in its order.
std::string idsThat(std::string_view between, auto which) {
    std::string all;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        if (which(*algorithm)) all += (all.empty() ? "" : std::string{between}) + algorithm->id;
    return all;
}

TEST(Mistake, inANameThatSeveralAlgorithmsHaveNamesThemAll) {
    const std::string flat = idsThat(" or ", [](const auto& one) { return one.id.ends_with("/flat"); });
    EXPECT_NE(flat.find(" or "), std::string::npos);
    EXPECT_EQ(command("describe flat").err, "collscope: unknown algorithm 'flat'; did you mean " + flat + "?\n");
    const std::string barriers =
        idsThat(", ", [](const auto& one) { return one.collective == engine::Collective::barrier; });
    const auto count = std::ranges::count(barriers, ',') + 1;
    EXPECT_EQ(command("describe barrier").err,
              engine::text("collscope: 'barrier' is a collective, not an algorithm; 'collscope list' lists its ", count,
                           " algorithms, such as ", barriers.substr(0, barriers.find(',')), "\n"));
    EXPECT_EQ(command("describe barrier").code, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Words, Mistakes,
    ::testing::Values(
        Mistake{"lst", "unknown command 'lst'; did you mean list?"},
        Mistake{"xyzzyplugh", "unknown command 'xyzzyplugh'; 'collscope --help' lists them all"},
        Mistake{"help lst", "unknown command 'lst'; did you mean list?"},
        Mistake{"help xyzzyplugh", "unknown command 'xyzzyplugh'; 'collscope --help' lists them all"},
        Mistake{"--fast list", "unknown flag --fast; 'collscope --help' lists them all"},
        Mistake{"list --formt=json", "list: unknown flag --formt; did you mean --format?"},
        Mistake{"run bcast/flat -n 4 --topolgy ring", "run: unknown flag --topolgy; did you mean --topology?"},
        Mistake{"run bcast/flat -n 4 -z", "run: unknown flag -z; 'collscope run --help' lists them all"},
        Mistake{"list topolgies", "list: unknown value 'topolgies'; did you mean topologies?"},
        Mistake{
            "list a b",
            "unexpected word 'b'; usage: collscope list [algorithms|topologies|models|sizes|tables|libraries|lessons]"},
        Mistake{"run xyzzyplugh -n 4",
                "unknown algorithm 'xyzzyplugh', and no file or folder has this name; "
                "'collscope list' lists all algorithms"},
        Mistake{"verify bcast/flat -n 4 --format csv", "--format csv is for folders; choose text or json"},
        Mistake{"verify bcast/flat -n 4 -o x.html",
                "--output writes a report on a folder only; write collscope verify FOLDER -o FILE.html"},
        Mistake{"rules bcast -n 4 -o /tmp", "--output: /tmp is a folder; name a file"},
        Mistake{"rules bcast -n 4 --force -o /tmp", "--output: /tmp is a folder; name a file"},
        Mistake{"replay x --lab", "--lab applies to the program that --check runs; add --check COMMAND"},
        Mistake{"rollcall nowhere/at-all",
                "'nowhere/at-all' does not exist; name the folder NAME.records of a program that hangs or was killed, "
                "or the folder of Flight Recorder dumps"},
        Mistake{"tune chek rules.conf", "tune: 'chek' is not a collective; did you mean tune check?"},
        Mistake{"calibrate --message-sizes 5",
                "--message-sizes: '5': write FIRST..LAST from 1B to 256MiB, LAST at least four times FIRST, such as "
                "64KiB..1MiB"},
        Mistake{"describe", "describe: ID is missing; 'collscope list' lists all algorithms"},
        Mistake{"describe bcast/falt", "unknown algorithm 'bcast/falt'; did you mean bcast/flat?"},
        Mistake{"compare bcast/flat allgatherv/bruck -n 4",
                "compare: bcast/flat and allgatherv/bruck solve different problems; name algorithms for one"},
        Mistake{"run bcast/flat -n 4 --on threads --arrival late:1,1ms",
                "--arrival is about virtual time; remove it, or remove --on threads"},
        Mistake{"run bcast/flat -n 4 --on threads --model bgp",
                "--model is about virtual time; remove it, or remove --on threads"},
        Mistake{"run barrier/butterfly -n 4 --size 4KiB", "--size: a barrier moves no bytes; leave it out"},
        Mistake{"run bcast/flat -n 4 --force", "--force replaces an archive; name it with --trace"},
        Mistake{"show allreduce/ring -n 4 --root 0", "allreduce takes no --root: it has no root"},
        Mistake{"verify scan/linear -n 4 --root 0", "scan takes no --root: it has no root"},
        Mistake{"run gatherv/flat -n 4 --op sum", "gatherv takes no --op: it combines nothing"},
        Mistake{"compare alltoallv/flat alltoallv/bruck -n 4 --type int32",
                "alltoallv takes no --type: it combines nothing"},
        Mistake{"rules bcast", "bcast needs --ranks (-n), such as -n 8"},
        Mistake{"compare bcast/flat", "compare: B is missing; usage: collscope compare A B ... PROBLEM"},
        Mistake{"show", "show: ID is missing; usage: collscope show ID PROBLEM"},
        Mistake{"show bcast/flat -n 4 --format jso", "--format: unknown value 'jso'; did you mean json?"},
        Mistake{"show bcast/flat -n 4 --format yaml",
                "--format: unknown value 'yaml'; choose text, json, dot, goal or msccl"},
        Mistake{"show bcast/flat -n 4 --format goal --rank 1",
                "show: goal is always written whole; leave out --rounds and --rank"},
        Mistake{"completion zsh", "completion: unknown value 'zsh'; choose bash"},
        Mistake{"view", "view: this program has no window; collscope --help lists the other commands"},
        Mistake{"", "view: this program has no window; collscope --help lists the other commands"},
        Mistake{"export bcast/flat -n 4", "export: --output FILE (-o) is missing"},
        Mistake{"export bcast/flat -n 4 --alpha 1us --beta 0ns/B --time 1s -o x.svg",
                "--time: 1s is after the end of the run, at 3 us"},
        Mistake{"export bcast/flat -n 4 -o x.png",
                "export: pictures are not available here; .csv, .pftrace and .json are"},
        Mistake{"export bcast/flat -n 4 -o /no/such/folder/x.csv",
                "cannot write '/no/such/folder/x.csv': its folder does not exist"},
        Mistake{"export bcast/flat -n 4 -o x.svg --to 1us",
                "--from and --to select a part for .otf2, .pftrace, .json or .csv, not for x.svg"},
        Mistake{"export bcast/flat -n 4 -o x.csv --from 2us --to 1us", "--to: 1us is not after --from 2us"},
        Mistake{"export bcast/flat -n 4 -o x.csv --time 1us",
                "--time: x.csv holds messages, however they look in a picture; leave the flag out"},
        Mistake{"export bcast/flat -n 4 -o x.json --view network",
                "--view: x.json holds messages, however they look in a picture; leave the flag out"},
        Mistake{"export bcast/flat -n 4 -o x.pftrace --dark",
                "--dark: x.pftrace holds messages, however they look in a picture; leave the flag out"},
        Mistake{"export bcast/flat -n 4 -o x.otf2 --width 800",
                "--width: x.otf2 holds messages, however they look in a picture; leave the flag out"},
        Mistake{"export bcast/flat -n 4 -o x.svg --seconds 5",
                "--seconds: x.svg is no film; leave the flag out, or write .gif, .mp4 or .webm"},
        Mistake{"export bcast/flat -n 4 -o x.gif --time 1us",
                "--time: a film shows all moments; leave the flag out, or write .png, .svg or .pdf"},
        Mistake{"export bcast/flat -n 4 -o x.svg --clocks fitted",
                "--clocks: no trace is read here; leave the flag out, or name a trace"},
        Mistake{"compare bcast/flat bcast/chain -n 4 --memory 1GiB",
                "--memory: no trace is read here; leave the flag out, or name a trace"},
        Mistake{"open x --memory 1MiB", "--memory: 1MiB is too little; give 64MiB or more"},
        Mistake{"open x --index shelf", "--index: unknown value 'shelf'; choose cache, beside or none"},
        Mistake{"export bcats/flat -n 4 -o x.csv",
                "'bcats/flat' is not a trace; unknown algorithm 'bcats/flat'; did you mean bcast/flat?"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Mistakes,
    ::testing::Values(
        Mistake{"run bcast/flat", "bcast needs --ranks (-n), such as -n 8"},
        Mistake{"run halfduplex-allgather/ring-belts -p 4", "halfduplex-allgather needs --group-b (-q), such as -q 8"},
        Mistake{"run bcast/flat -n", "run: --ranks needs a value: number of ranks, for collectives within one group"},
        Mistake{"run bcast/flat -n 4 -n 5", "run: --ranks is given more than once"},
        Mistake{"run bcast/flat -n 0", "--ranks: 0 is too small; it must be at least 1"},
        Mistake{"run bcast/flat -n -3", "--ranks: -3 is too small; it must be at least 1"},
        Mistake{"run bcast/flat -n 2..4",
                "--ranks: '2..4' is more than one value; give one, or use 'collscope sweep' or 'collscope verify', "
                "which take ranges"},
        Mistake{
            "run bcast/flat -n 4 --size 1KiB,2KiB",
            "--size: '1KiB,2KiB' is more than one value; give one, or use 'collscope sweep' or 'collscope verify', which take ranges"},
        Mistake{"run bcast/flat -n four", "--ranks: 'four' is not a whole number"},
        Mistake{"run bcast/flat -n 99999999999999999999",
                "--ranks: 99999999999999999999 is too large; the largest value is 2147483639"},
        Mistake{"run bcast/flat -n 4 --size 3parsec",
                "--size: '3parsec' has the unknown unit 'parsec'; choose one of B, kB, KiB, MB, MiB, GB, GiB, TB, TiB"},
        Mistake{"run allreduce/ring -n 4 --size 13",
                "--size: 13 B is not a multiple of an element of type int32 (4 B); write for example 16"},
        Mistake{"run allreduce/ring -n 4 --op ordered --size 20",
                "--size: 20 B is not a multiple of a 2 x 2 matrix of int32 (16 B); write for example 32"},
        Mistake{
            "run allreduce/swing -n 6",
            "allreduce/swing: needs a power-of-two number of ranks, not 6; allreduce/circulant supports any number"},
        Mistake{
            "run allreduce/swing -n 15 --topology torus:4x4",
            "allreduce/swing: needs a power-of-two number of ranks, not 15; allreduce/circulant supports any number"},
        Mistake{"run bcast/flat -n 6 --topology kautz:2",
                "--topology kautz needs 2 numbers, such as kautz:3,6; '2' has 1"},
        Mistake{"run bcast/flat -n 6 --pieces 4",
                "bcast/flat has no option 'pieces'; only schedules that are read from a file have it"},
        Mistake{"run bcast/flat -n 4 --model alpha=1us",
                "--model: beta is missing; alpha, beta and gamma are all needed"},
        Mistake{"run bcast/flat -n 4 --root 4", "--root: 4 is outside 0..3"},
        Mistake{"run bcast/flat -n 4 --ports 65", "--ports: 65 is too large; the largest value is 64"},
        Mistake{"run bcast/flat -n 4 --op sun", "--op: unknown value 'sun'; did you mean sum?"},
        Mistake{"run allreduce/bruck -n 4 --split-phase --repeat 3", "--repeat is about runs over MPI; add --on mpi"},
        Mistake{"run allreduce/bruck -n 4 --split-phase --tests 3us,2us",
                "--tests: 2us is not after the look before it; times rise"},
        Mistake{
            "run allreduce/bruck -n 4 --split-phase --tests 3 --background",
            "--split-phase: messages with progress in the background need no progress calls; leave one of the two out"},
        Mistake{"run allreduce/bruck -n 4 --on threads --split-phase --background",
                "--background is about virtual time; remove it, or remove --on threads"},
        Mistake{"run allreduce/bruck -n 4 --split-phase --progress lockstep",
                "--split-phase in virtual time does not support lockstep: ranks go on when they look"},
        Mistake{"run allreduce/bruck -n 4 --gamma-of most=1ns/B",
                "--gamma-of: unknown operation 'most'; choose from sum, min, max, user, ordered"},
        Mistake{"run allreduce/bruck -n 4 --gamma-of 1ns/B",
                "--gamma-of: '1ns/B' is not OPERATION=TIME/BYTE; write for example max=0.3ns/B"},
        Mistake{"run bcast/flat -n 4 --split-phase",
                "bcast/flat is neither an allreduce nor a barrier; only these have a split-phase form here"},
        Mistake{"run allreduce/bruck -n 4 --on threads --compute 1ms",
                "--compute is about split-phase runs; add --split-phase"},
        Mistake{"run allreduce/bruck -n 4 --on threads --split-phase --transport two-sided",
                "--transport two-sided is about runs over MPI; here ranks write into each other's memory"},
        Mistake{"run allreduce/bruck -n 4 --on mpi --split-phase --transport pigeon",
                "--transport: unknown value 'pigeon'; choose one-sided or two-sided"},
        Mistake{"run bcast/flat -n 4 --on threads --split-phase",
                "bcast/flat is neither an allreduce nor a barrier; only these have a split-phase form here"},
        Mistake{"run bcast/flat -n 4 --on mars", "--on: unknown value 'mars'; choose virtual, threads or mpi"},
        Mistake{"run bcast/flat -n 4 --model bpg", "--model: unknown model 'bpg'; did you mean bgp?"},
        Mistake{
            "run bcast/flat -n 4 --topology fat-tree:3x",
            "--topology fat-tree: '3x' is not a list of sizes; write whole numbers with x between them, such as 4x4"},
        Mistake{"run bcast/flat -n 8 --topology hypercube:3x",
                "--topology hypercube:3x: '3x' is not a whole number; write for example hypercube:4"},
        Mistake{"run bcast/flat -n 4 --topology rng", "--topology: unknown network 'rng'; did you mean ring?"},
        Mistake{"run bcast/flat -n 4 --beta 1ns/B --bandwidth 1GB/s",
                "--beta and --bandwidth set the same value; give one of them"},
        Mistake{"run bcast/flat -n 4 --set groups",
                "--set: 'groups' is not key=value; write for example --set segments=4"},
        Mistake{"run bcast/flat -n 4 --set groups=2 --set groups=4", "--set: 'groups' is set twice"},
        Mistake{"run bcast/flat -n 4 --set gruops=2", "bcast/flat has no option 'gruops'; did you mean groups?"},
        Mistake{"run bcast/flat -n 4 --force", "--force replaces an archive; name it with --trace"},
        Mistake{"show bcast/flat -n 4 --rounds 0..2", "--rounds: 0 is too small; it must be at least 1"},
        Mistake{"show bcast/flat -n 4 --rounds 4", "--rounds: 4 is beyond the last round, 3"},
        Mistake{"show bcast/flat -n 4 --rounds 3 --format json", "--rounds: 3 is beyond the last round, 2"},
        Mistake{"show bcast/flat -n 4 --rounds 3..2", "--rounds: the first number of 3..2 must not exceed the second"},
        Mistake{"show bcast/flat -n 4 --rank 4", "--rank: 4 is too large; the largest value is 3"},
        Mistake{"verify bcast/flat -n 9..1", "--ranks: the first number of 9..1 must not exceed the second"},
        Mistake{"sweep bcast/flat -n 4 --size 1KiB..4KiB",
                "--size: the range 1KiB..4KiB has 3073 numbers; write a factor or a step, such as 1KiB..4KiB*2"},
        Mistake{"verify bcast/flat -n 1..", "--ranks: the range '1..' lacks an end; write for example 2..24"},
        Mistake{"verify bcast/flat -n 1..2000000", "--ranks: the range 1..2000000 has more than 1,000,000 numbers"},
        Mistake{"verify bcast/flat -n 1..2000 --size 1..2000",
                "the ranges make more than 1000000 problems; choose smaller ones"},
        Mistake{"verify bcast/flat -n 1..4 --root 8..9", "--root: every root lies outside the ranks"},
        Mistake{"verify bcast/flat -p 1..4", "bcast takes no --group-a: it has one group of ranks, given by --ranks"}));

/// A name that exists, but is no schedule, is not an unknown algorithm.
TEST(Mistake, inAFileSaysWhatTheFileIs) {
    const std::filesystem::path before = std::filesystem::current_path();
    const std::filesystem::path here = std::filesystem::path{testing::TempDir()} / "collscope-no-schedules";
    std::filesystem::create_directories(here / "folder");
    std::filesystem::current_path(here);
    std::ofstream{"words.txt"} << "words";
    std::ofstream{"empty.json"} << "";
    std::ofstream{"noise.json"} << "noise";
    EXPECT_EQ(command("run folder -n 4").err,
              "collscope: 'folder' is a folder, not an algorithm; name a schedule in it\n");
    EXPECT_EQ(command("run words.txt -n 4").err,
              "collscope: 'words.txt' is a file, but not a schedule: its name must end in .json, .xml, .goal, .lua or "
              ".et\n");
    EXPECT_EQ(command("run empty.json").err, "collscope: empty.json: the file is empty; a schedule is expected\n");
    EXPECT_EQ(command("run noise.json").err, "collscope: noise.json: not a schedule in json: it must begin with {\n");
    EXPECT_EQ(command("rollcall words.txt").err.find("collscope: 'words.txt' is a file, but no dump"), 0U);
    std::filesystem::create_directories("hang.tr.records");
    EXPECT_EQ(command("rollcall hang.tr").err, "collscope: 'hang.tr' does not exist; did you mean hang.tr.records?\n");
    std::filesystem::current_path(before);
    std::filesystem::remove_all(here);
}

/// Every file that a command writes is named.
TEST(Output, namesTheFileThatWasWritten) {
    const std::filesystem::path here = std::filesystem::path{testing::TempDir()} / "collscope-written";
    std::filesystem::create_directories(here);
    const auto file = [&](const char* name) { return (here / name).string(); };
    for (const std::string& line :
         {"sweep bcast/flat -n 2..4 --force -o " + file("s.csv"),
          "sweep bcast/flat -n 2..4 --force -o " + file("s.json"), "rules bcast -n 4 --force -o " + file("r.rules"),
          "synthesize allgatherv -n 4 --topology ring --force -o " + file("a.json")}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 0) << answer.err;
        EXPECT_NE(answer.out.find("wrote " + line.substr(line.rfind(' ') + 1)), std::string::npos) << answer.out;
    }
    const Answer proof = command(
        "synthesize allgatherv -n 4 --topology ring --chunks 1 --steps 1 --rounds 1 --force "
        "--proof " +
        file("p.drat"));
    EXPECT_NE(proof.out.find("wrote " + file("p.drat") + " and " + file("p.drat") + ".cnf\n"), std::string::npos)
        << proof.out;
    EXPECT_EQ(command("sweep bcast/flat -n 2..4 --format csv --force -o " + file("s.csv")).out.find("wrote"),
              std::string::npos);
    std::filesystem::remove_all(here);
}

/// The units that the help lists are the ones that are read.
TEST(Help, explainsTheValuesOfUsages) {
    const std::string help = command("--help").out;
    for (const char* word : {"\n  PROBLEM ", "\n  TIME ", "\n  BYTES ", "\n  TIME/BYTE ", "\n  SPEED "})
        EXPECT_NE(help.find(word), std::string::npos) << word;
    const auto reads = [](const std::string& name, const std::string& unit) {
        const std::string value = '1' + unit;
        if (name == "TIME") (void)engine::readTime(value, name);
        if (name == "BYTES") (void)engine::readBytes(value, name);
        if (name == "TIME/BYTE") (void)engine::readRate(value, name);
        if (name == "SPEED") (void)engine::readBandwidth(value, name);
    };
    for (const auto& [name, meaning] : valuesInUsage()) {
        if (name.starts_with("PROBLEM")) continue;
        const std::size_t begin = meaning.find("with ") + 5;
        std::string units = meaning.substr(begin, meaning.find(", such as") - begin);
        units.replace(units.find(" or "), 4, ", ");
        for (const std::string& unit : engine::split(units, ','))
            EXPECT_NO_THROW(reads(name, unit.substr(unit.find_first_not_of(' ')))) << name << unit;
    }
    const std::string page = command("manual").out;
    EXPECT_NE(page.find(".SH VALUES"), std::string::npos);
    EXPECT_NE(page.find("\n.I Split\\-phase\n"), std::string::npos) << "groups of flags have their headings";
}

TEST(Refusals, areMistakesOnlyWhenNothingIsLeft) {
    const Answer some = command("verify allgatherv/recursive-doubling -n 2..5");
    EXPECT_EQ(some.code, 0);
    EXPECT_EQ(
        some.out.rfind(
            "proved 2 of 2 schedules correct (10 messages)\n  2 problems were left out: the algorithm does not support them. The first:",
            0),
        0U)
        << some.out;
    const Answer none = command("verify allgatherv/recursive-doubling -n 5..7");
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(
        none.err.rfind("collscope: the algorithm supports none of 3 problems: allgatherv/recursive-doubling: needs", 0),
        0U)
        << none.err;
    const Answer one = command("verify allgatherv/recursive-doubling -n 5");
    EXPECT_EQ(one.code, 2);
    EXPECT_EQ(one.err.rfind("collscope: allgatherv/recursive-doubling: needs", 0), 0U) << one.err;
}

TEST(Interruption, endsWith130) {
    std::stop_source stop;
    stop.request_stop();
    const Answer answer = command("verify all -n 1..70", {.stop = stop.get_token()});
    EXPECT_EQ(answer.code, 130);
    EXPECT_EQ(answer.err, "collscope: interrupted; nothing was left half done\n");
}

TEST(Output, thatCannotBeWrittenIsAMistake) {
    std::ostringstream out;
    std::ostringstream err;
    out.setstate(std::ios::badbit);
    EXPECT_EQ(run({"show", "bcast/flat", "-n", "4"}, out, err), 2);
    EXPECT_EQ(err.str(), "collscope: the output cannot be written; is the disk full?\n");
}

}  // namespace
}  // namespace app::cli
