// SPDX-License-Identifier: BSD-3-Clause
// Files that choose algorithms: how they are read, checked, explained and converted. That Open MPI and MPICH themselves
// decide likewise is tested with these libraries, in tests/scripts/mpi/tune_test.py.
#include "app/session/tune/mpich_conditions.hpp"
#include "app/session/tune/rule_table.hpp"
#include "app/session/tune/rules_check.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/library_names.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace app::tune {
namespace {

using engine::live::Called;
using engine::live::Extent;
using Kind = Finding::Kind;

/// Open MPI 4.1.4 as far as these tests need it.
Installed openMpi() {
    return {.version = "Open MPI 4.1.4",
            .present = true,
            .algorithms = {
                {"barrier", {"ignore", "linear", "double_ring", "recursive_doubling", "bruck", "two_proc"}},
                {"allgather", {"ignore", "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"}},
                {"alltoall", {"ignore", "linear", "pairwise"}},
                {"scan", {"ignore", "linear", "recursive_doubling"}},
                {"allreduce",
                 {"ignore", "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
                  "rabenseifner"}},
                {"bcast",
                 {"ignore", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial",
                  "knomial", "scatter_allgather", "scatter_allgather_ring"}}}};
}

Installed mpich() {
    return mpichFrom(
        "MPIR_CVAR_BCAST_INTRA_ALGORITHM\nMPIR_CVAR_BCAST_SHORT_MSG_SIZE\nMPIR_CVAR_BCAST_INTER_ALGORITHM\n"
        "MPIR_CVAR_DEVICE_COLLECTIVES\nMPIR_CVAR_COLLECTIVE_FALLBACK\nMPIR_CVAR_BCAST_DEVICE_COLLECTIVE\n"
        "MPIR_CVAR_ENABLE_GPU\ninteger BCAST_SHORT_MSG_SIZE 12288\ninteger ENABLE_GPU 1\n"
        "algorithm=MPIR_Allgather_intra_recursive_doubling\nalgorithm=MPIR_Allgather_intra_ring\n"
        "algorithm=MPIR_Bcast_allcomm_nb\nalgorithm=MPIR_Bcast_intra_binomial\n"
        "algorithm=MPIR_Bcast_intra_scatter_ring_allgather\nalgorithm=MPIR_Bcast_intra_smp\n"
        "algorithm=MPIR_Bcast_inter_remote_send_local_bcast\n"
        "algorithm=MPIR_Allreduce_intra_recursive_doubling\nalgorithm=MPIR_Allreduce_intra_reduce_scatter_allgather\n"
        "{\"collective=bcast\":{\"comm_type=intra\":{\"avg_msg_size<100\":{\"algorithm=MPIR_Bcast_intra_binomial\":{}},"
        "\"avg_msg_size=any\":{\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\":{}}},"
        "\"comm_type=inter\":{\"algorithm=MPIR_Bcast_inter_remote_send_local_bcast\":{}}},"
        "\"collective=allreduce\":{\"comm_type=intra\":{\"algorithm=MPIR_Allreduce_intra_recursive_doubling\":{}}}}",
        "4.0.2");
}

/// Lines and kinds of the faults, as "6 unreachable".
std::vector<std::string> faultsOf(const std::string& words, const Installed& installed) {
    std::vector<std::string> all;
    for (const Finding& one : check(rulesFileFrom(words), installed))
        if (one.fault) all.push_back(std::to_string(one.line) + ' ' + std::string{name(one.kind)});
    return all;
}
using Words = std::vector<std::string>;

std::string decided(const std::string& words, Called called, std::int64_t ranks, engine::Bytes bytes,
                    const Installed& installed = openMpi()) {
    const Explanation why =
        explain(rulesFileFrom(words), {.called = called, .ranks = ranks, .bytes = bytes}, installed);
    return std::to_string(why.line) + ' ' + why.algorithm;
}

TEST(OpenMpiRules, areRangesOfRisingNumbers) {
    // The last number in front of the first that is larger; the first one for all that are smaller.
    EXPECT_EQ(rangesOf({4, 8}), (std::vector<Extent>{{0, 7}, {8}}));
    EXPECT_EQ(rangesOf({8, 4}), (std::vector<Extent>{{0, 7}, {8}})) << "8 stops the search up to 7 ranks";
    EXPECT_EQ(rangesOf({0, 100, 10}), (std::vector<Extent>{{0, 99}, {100, 9}, {100}}));
    EXPECT_EQ(rangesOf({0, 0}), (std::vector<Extent>{{0, -1}, {0}}));
}

TEST(OpenMpiRules, areReadAsAStreamOfNumbers) {
    const OpenMpiRules rules = openMpiRulesFrom("1 7 1 # comment 5\n010 2 0 6 0 0\n0x400 3 0 8192");
    ASSERT_TRUE(rules.accepted);
    ASSERT_EQ(rules.sections.size(), 1U);
    EXPECT_EQ(rules.sections[0].sizes[0].ranks, 8) << "octal, as C reads 010";
    EXPECT_EQ(rules.sections[0].sizes[0].messages[1].bytes, 1024);
    EXPECT_EQ(rules.sections[0].sizes[0].messages[1].line, 3);
    EXPECT_EQ(rules.findings.size(), 2U);
    EXPECT_TRUE(std::ranges::none_of(rules.findings, &Finding::fault));
}

TEST(OpenMpiRules, wordsAreSkippedButTheirDigitsAreNot) {
    const OpenMpiRules rules = openMpiRulesFrom("1\n7\n1\n4 2\n0 1 0 0\n64k 2 0 0\n");
    ASSERT_TRUE(rules.accepted);
    EXPECT_EQ(rules.sections[0].sizes[0].messages[1].bytes, 64);
    ASSERT_EQ(rules.findings.size(), 1U);
    EXPECT_EQ(rules.findings[0].line, 6);
    EXPECT_TRUE(rules.findings[0].fault);
    // "bcast1" is the number 1: here the count of communicator sizes, and what follows no longer fits.
    EXPECT_FALSE(openMpiRulesFrom("1\n7 bcast1\n1\n4 1\n0 6 0 0\n").accepted);
}

TEST(OpenMpiRules, signsWithoutDigitsTakeTheCharacterBehindThem) {
    const auto bytesOf = [](const std::string& number) {
        const OpenMpiRules rules = openMpiRulesFrom("1\n7\n1\n2 2\n0 6 0 0\n" + number + " 1 0 0\n");
        return rules.accepted ? rules.sections[0].sizes[0].messages[1].bytes : -1;
    };
    EXPECT_EQ(bytesOf("--1000"), 1000);
    EXPECT_EQ(bytesOf("+-48"), 48);
    EXPECT_EQ(bytesOf("- 5"), 5);
    EXPECT_EQ(bytesOf("---7"), -1) << "the third sign belongs to the number";
    EXPECT_EQ(bytesOf("a-7"), -1);
}

TEST(OpenMpiRules, keepThirtyTwoBitsOfNumbers) {
    const OpenMpiRules rules = openMpiRulesFrom("1\n7\n1\n4294967298 1\n0 4294967302 0 4294967296\n");
    ASSERT_TRUE(rules.accepted);
    EXPECT_EQ(rules.sections[0].sizes[0].ranks, 2);
    EXPECT_EQ(rules.sections[0].sizes[0].messages[0].algorithm, 6);
    EXPECT_EQ(rules.sections[0].sizes[0].messages[0].segment, 0);
    EXPECT_EQ(rules.findings.size(), 3U);
    // 4096 ranks with 4 MiB are 2^32 elements; 2^31 elements are negative, and more bytes than any rule has.
    EXPECT_EQ(countedByOpenMpi({.called = Called::gather, .ranks = 4096, .bytes = 4 << 20}).bytes, 0);
    EXPECT_EQ(countedByOpenMpi({.called = Called::gather, .ranks = 2048, .bytes = 4 << 20}).bytes, unlimited - 1);
    EXPECT_EQ(countedByOpenMpi({.called = Called::scatter, .ranks = 1024, .bytes = 4 << 20}).bytes,
              std::int64_t{4} << 30);
}

TEST(OpenMpiRules, withoutBytesDecideNoCall) {
    const std::string words = "2\n2\n1\n2 1\n0 99 0 0\n6\n1\n2 1\n0 99 0 0\n";
    const auto outcome = [&](Called called, engine::Bytes bytes) {
        return explain(rulesFileFrom(words), {.called = called, .bytes = bytes}, openMpi()).outcome;
    };
    EXPECT_EQ(outcome(Called::allreduce, 0), "MPI returns at once");
    EXPECT_EQ(outcome(Called::allreduce, 4), "the call fails");
    EXPECT_EQ(outcome(Called::barrier, 0), "the call fails");
}

TEST(OpenMpiRules, ofOtherVersionsAreNamed) {
    for (const char* const words : {"{\"rule_file_version\":3,\"module\":\"tuned\",\"collectives\":{\"alltoall\":[]}}",
                                    "rule-file-version-2\n1\n3\n1\n2 1\n0 1 0 0 0\n"}) {
        const RulesFile file = rulesFileFrom(words);
        ASSERT_TRUE(std::holds_alternative<OpenMpiRules>(file)) << words;
        const Findings findings = check(file, openMpi());
        ASSERT_EQ(findings.size(), 1U) << words;
        EXPECT_NE(findings[0].words.find("4.1.4 cannot read it"), std::string::npos);
        EXPECT_THROW(explain(file, {}, openMpi()), engine::Error);
    }
}

TEST(OpenMpiRules, haveAtMost32Chains) {
    const std::string words = "1\n7\n1\n2 1\n0 2 64 0\n";
    EXPECT_EQ(faultsOf(words, openMpi()), Words{"5 segment"});
    EXPECT_EQ(decided(words, Called::bcast, 100, 4), "5 2 (chain), fan-out 32");
    std::vector<std::string> losses;
    EXPECT_NE(asCollscopeRules(tableOf(rulesFileFrom(words), openMpi(), losses)).words.find("fanout=32"),
              std::string::npos);
    const Converted back =
        asOpenMpiRules(tableOf(rulesFileFrom("bcast intra * * bcast/chain:fanout=64"), {}, losses), openMpi());
    EXPECT_NE(back.words.find("0 2 32 0"), std::string::npos) << back.words;
    EXPECT_EQ(back.losses.size(), 1U);
}

TEST(OpenMpiRules, thatOpenMpiIgnoresSayWhy) {
    for (const auto& [words, line] : std::vector<std::pair<std::string, int>>{{"1\n7\n1\n4 1\n10 6 0 0\n", 5},
                                                                              {"1\n7\n1\n4 2\n0 6 0 0\n", 5},
                                                                              {"1\n7\n1\n4 1\n0 -6 0 0\n", 5},
                                                                              {"23\n7\n", 1},
                                                                              {"1\n22\n1\n4 1\n0 1 0 0\n", 2}}) {
        const OpenMpiRules rules = openMpiRulesFrom(words);
        EXPECT_FALSE(rules.accepted) << words;
        ASSERT_FALSE(rules.findings.empty()) << words;
        EXPECT_EQ(rules.findings.back().line, line) << words;
        EXPECT_NE(rules.findings.back().words.find("ignores the whole file"), std::string::npos);
        EXPECT_THROW(explain(RulesFile{rules}, {}, openMpi()), engine::Error);
    }
}

TEST(OpenMpiRules, aWrongCountIsTracedToItsLine) {
    const OpenMpiRules rules = openMpiRulesFrom("1\n7\n2\n2 1\n0 6 0 0\n100 3 0 8192\n8 1\n0 6 0 0\n");
    ASSERT_FALSE(rules.accepted);
    EXPECT_NE(rules.findings.back().words.find("line 6 looks like a rule"), std::string::npos);
    EXPECT_NE(rules.findings.back().words.find("the count on line 4 announces only 1"), std::string::npos);
    // What follows was not meant that way, and is not judged.
    EXPECT_EQ(check(RulesFile{rules}, openMpi()).size(), 1U);
}

TEST(OpenMpiRules, areCheckedLineByLine) {
    EXPECT_EQ(faultsOf("1\n7\n2\n2 2\n0 6 0 0\n65536 3 0 8192\n16 1\n0 9 0 0\n", openMpi()), Words{});
    EXPECT_EQ(faultsOf("1\n7\n1\n4 1\n0 6 0 0\n", openMpi()), Words{"4 gap"}) << "2 and 3 ranks take the rules for 4";
    EXPECT_EQ(faultsOf("1\n7\n1\n2 1\n0 10 0 0\n", openMpi()), Words{"5 algorithm"});
    EXPECT_EQ(faultsOf("1\n7\n1\n2 1\n0 9 0 4096\n", openMpi()), Words{"5 segment"});
    EXPECT_EQ(faultsOf("1\n7\n1\n2 3\n0 6 0 0\n4096 6 0 0\n1024 5 0 0\n", openMpi()), Words{"6 unreachable"});
    EXPECT_EQ(faultsOf("1\n7\n2\n2 1\n0 6 0 0\n2 1\n0 5 0 0\n", openMpi()), Words{"4 unreachable"});
    EXPECT_EQ(faultsOf("1\n6\n1\n2 2\n0 4 0 0\n8 3 0 0\n", openMpi()), Words{"6 unreachable"})
        << "a barrier has 0 bytes";
    EXPECT_EQ(faultsOf("1\n6\n1\n2 1\n0 5 0 0\n", openMpi()), Words{"5 algorithm"}) << "two_proc beyond two ranks";
    EXPECT_EQ(faultsOf("1\n6\n2\n2 1\n0 5 0 0\n3 1\n0 4 0 0\n", openMpi()), Words{});
    EXPECT_EQ(faultsOf("1\n10\n1\n2 1\n0 1 0 0\n", openMpi()), Words{"2 unreachable"}) << "coll/tuned has no gatherv";
    EXPECT_EQ(faultsOf("2\n7\n1\n2 1\n0 6 0 0\n7\n1\n2 1\n0 5 0 0\n", openMpi()), Words{"2 unreachable"});
    EXPECT_EQ(faultsOf("1\n7\n0\n", openMpi()), Words{"2 gap"});
    EXPECT_EQ(faultsOf("1\n7\n1\n2 0\n", openMpi()), Words{"4 gap"});
    EXPECT_EQ(faultsOf("1\n7\n2\n1 1\n0 6 0 0\n2 1\n0 6 0 0\n", openMpi()), Words{"4 unreachable"});
    EXPECT_EQ(faultsOf("1\n7\n1\n2 1\n0 6 0 0\n99\n", openMpi()), Words{"6 syntax"}) << "never read";
    EXPECT_EQ(faultsOf("2\n7\n1\n4 3\n0 6 0 0\n100 99 0 0\n50 2 0 0\n2\n1\n2 1\n100 3 0 0\n", openMpi()),
              (Words{"4 gap", "6 unreachable", "6 algorithm", "11 syntax"}))
        << "also what stands in front of the mistake for which Open MPI ignores the file";
}

TEST(OpenMpiRules, areExplained) {
    const std::string words =
        "3\n7\n2\n4 2\n0 6 0 0\n65536 3 0 8192\n16 1\n0 0 0 0\n0\n1\n2 2\n0 2 0 0\n4096 4 0 0\n14\n1\n2 2\n0 1 0 0\n64 2 0 0\n";
    EXPECT_EQ(decided(words, Called::bcast, 2, 65535), "5 6 (binomial)") << "below the first size the first rules";
    EXPECT_EQ(decided(words, Called::bcast, 15, 65536), "6 3 (pipeline), segments of 8 KiB");
    EXPECT_EQ(decided(words, Called::bcast, 16, 65536), "8 ");
    // Open MPI counts what all ranks have together: 4 KiB are 1 KiB of 4 ranks.
    EXPECT_EQ(decided(words, Called::allgather, 4, 1023), "12 2 (bruck)");
    EXPECT_EQ(decided(words, Called::allgather, 4, 1024), "13 4 (ring)");
    // Of a scan it counts one element for each rank: 4 B x 16 ranks.
    EXPECT_EQ(decided(words, Called::scan, 15, 1 << 20), "17 1 (linear)");
    EXPECT_EQ(decided(words, Called::scan, 16, 4), "18 2 (recursive_doubling)");
    EXPECT_EQ(decided(words, Called::reduce, 16, 4), "0 ");
    EXPECT_EQ(explain(rulesFileFrom(words), {.called = Called::bcast, .ranks = 8, .bytes = 1}, openMpi()).id,
              "bcast/binomial-tree");
}

TEST(MpichSelection, isCheckedLineByLine) {
    const std::string good =
        "{\"collective=bcast\":\n {\"comm_type=intra\":\n  {\"avg_msg_size<8\":\n   {\"algorithm=MPIR_Bcast_intra_binomial\":{}},\n"
        "   \"avg_msg_size=any\":\n   {\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\":{}}},\n \"comm_type=inter\":\n"
        "  {\"algorithm=MPIR_Bcast_inter_remote_send_local_bcast\":{}}}}";
    EXPECT_EQ(faultsOf(good, mpich()), Words{"0 gap"}) << "all other collectives are missing";
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string changed = good;
        changed.replace(changed.find(from), from.size(), to);
        Words faults = faultsOf(changed, mpich());
        std::erase(faults, "0 gap");
        return faults;
    };
    EXPECT_EQ(with("_binomial", "_binary"), Words{"4 algorithm"});
    EXPECT_EQ(with("MPIR_Bcast_intra_binomial", "MPIR_Allreduce_intra_recursive_doubling"), Words{"4 algorithm"});
    EXPECT_EQ(with("avg_msg_size<8", "msg_size<8"), Words{"3 syntax"});
    EXPECT_EQ(with("avg_msg_size=any", "avg_msg_size<4"), (Words{"5 unreachable", "5 gap"}));
    EXPECT_EQ(with("avg_msg_size<8", "comm_size=any"), (Words{"3 syntax", "5 unreachable"})) << "must be the last";
    EXPECT_EQ(with("avg_msg_size=any", "any"), Words{"5 syntax"}) << "MPICH 4.0 does not know it";
    EXPECT_EQ(with("\"avg_msg_size=any\":\n", "\"comm_size<8\":\n"), Words{"5 gap"});
    EXPECT_EQ(with("avg_msg_size=any", "is_commutative=no"), (Words{"5 syntax", "5 gap"})) << "of no bcast";
    EXPECT_EQ(with("},\n   \"avg", "}\n   \"avg"), Words{"5 syntax"}) << "a comma is missing";
    EXPECT_EQ(with("_binomial\":{}},\n", "_binary\":{}}\n"), (Words{"4 algorithm", "5 syntax"}));
    EXPECT_EQ(with("collective=bcast", "collective=broadcast"), Words{"1 syntax"});
    EXPECT_EQ(with("comm_type=inter", "comm_type=intra"), Words{"2 unreachable"})
        << "the second one replaces the first";
}

TEST(MpichSelection, isExplained) {
    const std::string words = mpich().selection;
    EXPECT_EQ(decided(words, Called::bcast, 4, 99, mpich()), "1 MPIR_Bcast_intra_binomial");
    EXPECT_EQ(decided(words, Called::bcast, 4, 100, mpich()), "1 MPIR_Bcast_intra_scatter_ring_allgather");
    EXPECT_EQ(decided(words, Called::scan, 4, 100, mpich()), "0 ") << "no branch";
}

TEST(MpichVariables, areCheckedAndExplained) {
    const std::string words =
        "# of mpiexec\nMPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\nexport MPIR_CVAR_BCAST_INTRA_ALGORITHM=smp\n"
        "MPIR_CVAR_BCAST_INTRA_ALGORITM=smp\n-genv MPIR_CVAR_BCAST_SHORT_MSG_SIZE 12\n";
    EXPECT_EQ(faultsOf(words, mpich()), (Words{"2 unreachable", "4 syntax"}));
    EXPECT_EQ(faultsOf("MPIR_CVAR_BCAST_INTRA_ALGORITHM=binary\n", mpich()), Words{"1 algorithm"});
    EXPECT_EQ(decided(words, Called::bcast, 4, 100, mpich()), "3 smp");
    EXPECT_EQ(decided(words, Called::reduce, 4, 100, mpich()), "0 ");
}

TEST(MpichVariables, withValuesThatEndThePrograms) {
    for (const char* const line :
         {"MPIR_CVAR_BCAST_SHORT_MSG_SIZE=12k", "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=0x10",
          "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=yes", "MPIR_CVAR_DEVICE_COLLECTIVES=foo", "MPIR_CVAR_COLLECTIVE_FALLBACK=foo",
          "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=5", "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=Yes", "MPIR_CVAR_ENABLE_GPU=foo"}) {
        EXPECT_EQ(faultsOf(line, mpich()), Words{"1 syntax"}) << line;
        EXPECT_THROW((void)decided(line, Called::reduce, 4, 100, mpich()), engine::Error) << line;
    }
    EXPECT_EQ(faultsOf("MPIR_CVAR_BCAST_INTER_ALGORITHM=binomial", mpich()), Words{"1 algorithm"});
    EXPECT_THROW((void)decided("MPIR_CVAR_BCAST_INTRA_ALGORITHM=binary", Called::bcast, 4, 100, mpich()),
                 engine::Error);
    for (const char* const line : {"MPIR_CVAR_BCAST_SHORT_MSG_SIZE=-3", "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=010",
                                   "MPIR_CVAR_DEVICE_COLLECTIVES=none", "MPIR_CVAR_COLLECTIVE_FALLBACK=silent",
                                   "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=YES", "MPIR_CVAR_ENABLE_GPU=off",
                                   "MPIR_CVAR_BCAST_INTER_ALGORITHM=remote_send_local_bcast",
                                   "MPIR_CVAR_BCAST_INTER_ALGORITHM=auto", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb"})
        EXPECT_EQ(faultsOf(line, mpich()), Words{}) << line;
    // The last value counts.
    EXPECT_EQ(decided("MPIR_CVAR_BCAST_INTRA_ALGORITHM=binary\nMPIR_CVAR_BCAST_INTRA_ALGORITHM=smp\n", Called::bcast, 4,
                      1, mpich()),
              "2 smp");
}

/// A selection file of one collective.
std::string selectionOf(const std::string& call, const std::string& inside) {
    return "{\"collective=" + call + "\":{" + inside + "}}";
}

Words faultsOfSelection(const std::string& words) {
    Words faults = faultsOf(words, mpich());
    std::erase(faults, "0 gap");
    return faults;
}

TEST(MpichSelection, namesAlgorithmsThatAbortWithoutTheirCondition) {
    const std::string smp = "\"algorithm=MPIR_Bcast_intra_smp\":{}";
    const std::string binomial = "\"algorithm=MPIR_Bcast_intra_binomial\":{}";
    const std::string doubling = "\"algorithm=MPIR_Allgather_intra_recursive_doubling\":{}";
    const std::string ring = "\"algorithm=MPIR_Allgather_intra_ring\":{}";
    const std::string rabenseifner = "\"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather\":{}";
    const std::string other = "\"algorithm=MPIR_Allreduce_intra_recursive_doubling\":{}";
    const auto either = [](const std::string& first, const std::string& a, const std::string& second,
                           const std::string& b) {
        return "\"" + first + "\":{" + a + "},\"" + second + "\":{" + b + "}";
    };
    const Words fault{"1 algorithm"};
    EXPECT_EQ(faultsOfSelection(selectionOf("bcast", smp)), fault);
    EXPECT_EQ(
        faultsOfSelection(selectionOf("bcast", either("comm_hierarchy=parent", smp, "comm_hierarchy=any", binomial))),
        Words{});
    EXPECT_EQ(
        faultsOfSelection(selectionOf("bcast", either("comm_hierarchy=flat", smp, "comm_hierarchy=any", binomial))),
        fault);
    EXPECT_EQ(faultsOfSelection(selectionOf("allgather", doubling)), fault);
    EXPECT_EQ(faultsOfSelection(selectionOf("allgather", either("comm_size=pow2", doubling, "comm_size=any", ring))),
              Words{});
    EXPECT_EQ(faultsOfSelection(selectionOf("allgather", either("comm_size<3", doubling, "comm_size=any", ring))),
              Words{});
    EXPECT_EQ(faultsOfSelection(selectionOf("allgather", either("comm_size<4", doubling, "comm_size=any", ring))),
              fault);
    EXPECT_EQ(faultsOfSelection(selectionOf("allreduce", rabenseifner)), fault);
    EXPECT_EQ(faultsOfSelection(selectionOf("allreduce", either("count<pow2", other, "count=any", rabenseifner))),
              Words{});
    EXPECT_EQ(faultsOfSelection(
                  selectionOf("allreduce", either("avg_msg_size<2048", other, "avg_msg_size=any", rabenseifner))),
              Words{})
        << "a note: large elements may be few";
    const auto outcome = [](const std::string& words, Called called, std::int64_t ranks, engine::Bytes bytes) {
        return explain(rulesFileFrom(words), {.called = called, .ranks = ranks, .bytes = bytes}, mpich()).outcome;
    };
    const std::string ends = "the program ends with an assertion";
    EXPECT_EQ(outcome(selectionOf("allgather", doubling), Called::allgather, 3, 64), ends);
    EXPECT_EQ(outcome(selectionOf("allgather", doubling), Called::allgather, 4, 64), "");
    EXPECT_EQ(outcome(selectionOf("allreduce", rabenseifner), Called::allreduce, 4, 12), ends);
    EXPECT_EQ(outcome(selectionOf("allreduce", rabenseifner), Called::allreduce, 4, 16), "");
    EXPECT_EQ(outcome(selectionOf("bcast", smp), Called::bcast, 4, 16), ends);
    EXPECT_EQ(outcome(selectionOf("bcast", binomial), Called::scan, 4, 16), ends) << "no branch";
    EXPECT_EQ(outcome(selectionOf("bcast", binomial), Called::scan, 4, 0), "MPI returns at once");
}

TEST(MpichSelection, isReadAsLenientlyAsByMpich) {
    const std::string inside = "'algorithm=MPIR_Bcast_intra_binomial':{}";
    for (const std::string& words :
         {"{'collective=bcast':{" + inside + "}}", "// a\n/* b\n */{\"collective\\u003dbcast\":{" + inside + ",},}",
          "\f{\"collective=\" /**/ : {}, " + std::string{"\" collective = bcast \":{"} + inside + "}}"}) {
        const RulesFile file = rulesFileFrom(words);
        ASSERT_TRUE(std::holds_alternative<MpichSelection>(file)) << words;
        EXPECT_TRUE(std::get<MpichSelection>(file).accepted) << words;
    }
    EXPECT_EQ(faultsOfSelection(selectionOf("bcast", inside) + "\n}{"), Words{"2 syntax"}) << "ignored";
    EXPECT_EQ(decided(selectionOf("bcast", inside) + "}{", Called::bcast, 4, 1, mpich()).substr(0, 2), "1 ");
    for (const std::string& words : {selectionOf("bcast", inside + ",,"), "/* " + selectionOf("bcast", inside),
                                     std::string{"{collective=bcast:{}}"}, "# a\n" + selectionOf("bcast", inside)})
        EXPECT_FALSE(mpichSelectionFrom(words).accepted) << words;
}

TEST(MpichSelection, numbersAreReadUpToTheFirstLetter) {
    const std::string rest =
        ":{\"algorithm=MPIR_Bcast_intra_binomial\":{}},\"comm_size=any\":{\"algorithm="
        "MPIR_Bcast_intra_scatter_ring_allgather\":{}}";
    EXPECT_EQ(faultsOfSelection(selectionOf("bcast", "\"comm_size<8k\"" + rest)), Words{"1 syntax"});
    EXPECT_EQ(faultsOfSelection(selectionOf("bcast", "\"comm_size<-8\"" + rest)), Words{"1 unreachable"});
    EXPECT_EQ(faultsOfSelection(selectionOf("bcast", "\"comm_size<4294967300\"" + rest)), Words{"1 syntax"});
    EXPECT_EQ(decided(selectionOf("bcast", "\"comm_size<2k\"" + rest), Called::bcast, 3, 1, mpich()),
              "1 MPIR_Bcast_intra_scatter_ring_allgather");
    EXPECT_EQ(decided(selectionOf("bcast", "\"comm_size<4294967300\"" + rest), Called::bcast, 3, 1, mpich()),
              "1 MPIR_Bcast_intra_binomial");
}

TEST(MpichSelection, oppositeConditionsCannotHoldTogether) {
    const std::string alone = "{\"algorithm=MPIR_Allreduce_intra_recursive_doubling\":{}}";
    EXPECT_EQ(
        faultsOfSelection("{\"collective=allreduce\":{\n\"is_op_built_in=no\":{\n\"is_op_built_in=yes\":" + alone +
                          ",\n\"is_op_built_in=no\":" + alone + "},\n\"is_op_built_in=yes\":" + alone + "}}"),
        Words{"3 unreachable"});
}

TEST(CollscopeRules, areCheckedAndExplained) {
    const std::string words =
        "bcast intra 2..15 0..65535 bcast/binomial-tree\nbcast intra 2..8 * bcast/flat\n"
        "bcast intra 2..8 1KiB.. bcast/chain\nbcast intra 2 bcast/flat\nbcats intra * * native\n";
    EXPECT_EQ(faultsOf(words, {}), (Words{"3 unreachable", "4 syntax", "5 syntax"}))
        << "lines 1 and 2 take what 3 is for";
    // The drop-in library follows no rule of a file with a mistake.
    EXPECT_THROW((void)decided(words, Called::bcast, 8, 65536, {}), engine::Error);
    const std::string right = words.substr(0, words.find("bcast intra 2 bcast"));
    EXPECT_EQ(decided(right, Called::bcast, 8, 65536, {}), "2 bcast/flat");
    EXPECT_EQ(decided(right, Called::bcast, 9, 65536, {}), "0 ");
}

TEST(OpenMpiRules, areExplainedForTheLargestCalls) {
    const std::string words = "1\n3\n1\n2 2\n0 1 0 0\n1024 2 0 0\n";
    EXPECT_EQ(decided(words, Called::alltoall, 100'000'000, engine::Bytes{1} << 40, openMpi()).substr(0, 2), "6 ");
}

TEST(Conversion, keepsEveryDecisionThatTheTargetKnows) {
    const std::string words = "2\n7\n2\n4 2\n0 6 0 0\n65536 9 0 0\n16 1\n0 1 0 0\n2\n1\n2 2\n0 3 0 0\n1000 6 0 0\n";
    std::vector<std::string> losses;
    const RuleTable table = tableOf(rulesFileFrom(words), openMpi(), losses);
    const Converted own = asCollscopeRules(table);
    const Converted again = asOpenMpiRules(table, openMpi());
    EXPECT_TRUE(losses.empty() && own.losses.empty() && again.losses.empty());
    for (const Called called : {Called::bcast, Called::allreduce})
        for (const std::int64_t ranks : {2, 3, 4, 15, 16, 17, 1000})
            for (const engine::Bytes bytes : {1, 999, 1000, 65535, 65536, 1 << 30}) {
                const CallQuestion call{.called = called, .ranks = ranks, .bytes = bytes};
                const std::string id = explain(rulesFileFrom(words), call, openMpi()).id;
                EXPECT_FALSE(id.empty());
                EXPECT_EQ(explain(rulesFileFrom(own.words), call, {}).id, id) << own.words;
                EXPECT_EQ(explain(rulesFileFrom(again.words), call, openMpi()).id, id) << again.words;
            }
    EXPECT_EQ(faultsOf(own.words, {}), Words{});
    EXPECT_EQ(faultsOf(again.words, openMpi()), Words{});
}

TEST(Conversion, namesWhatTheTargetCannotExpress) {
    std::vector<std::string> losses;
    // segment sizes are numbers of segments in Collscope; MPICH has no pipeline; two_proc exists in Open MPI alone
    const RuleTable table =
        tableOf(rulesFileFrom("2\n7\n1\n2 2\n0 6 0 0\n65536 3 0 8192\n6\n1\n2 1\n0 5 0 0\n"), openMpi(), losses);
    const Converted own = asCollscopeRules(table);
    EXPECT_NE(own.words.find("bcast intra 2.. 65536.. bcast/pipelined-chain:segments=8\n"), std::string::npos)
        << own.words;
    ASSERT_EQ(own.losses.size(), 2U);
    EXPECT_NE(own.losses[0].find("line 6"), std::string::npos);
    EXPECT_NE(own.losses[1].find("two_proc"), std::string::npos);
    const Converted selection = asMpichSelection(table, mpich());
    ASSERT_EQ(selection.losses.size(), 2U);
    EXPECT_NE(selection.losses[0].find("pipeline has no counterpart"), std::string::npos);
    EXPECT_NE(selection.losses[1].find("barrier"), std::string::npos) << "not in the built-in selection of this test";
    // From 64 KiB on MPICH's own choice holds, of which one branch is left there.
    EXPECT_EQ(decided(selection.words, Called::bcast, 4, 65535, mpich()), "5 MPIR_Bcast_intra_binomial");
    EXPECT_EQ(decided(selection.words, Called::bcast, 4, 65536, mpich()), "8 MPIR_Bcast_intra_scatter_ring_allgather");
    EXPECT_THROW(asMpichSelection(table, {}), engine::Error) << "nothing to complete the file from";
}

TEST(Conversion, ofARingCutsItsBlocks) {
    std::vector<std::string> losses;
    // 16 KiB on 4 ranks are blocks of 4 KiB.
    const Converted own = asCollscopeRules(
        tableOf(rulesFileFrom("1\n2\n2\n2 1\n0 3 0 0\n4 2\n0 3 0 0\n16384 5 0 2048\n"), openMpi(), losses));
    EXPECT_NE(own.words.find("allreduce/ring:segments=2\n"), std::string::npos) << own.words;
    ASSERT_FALSE(own.losses.empty());
    EXPECT_NE(own.losses[0].find("on 4 ranks only"), std::string::npos);
    EXPECT_NE(own.losses[0].find("does not cut the blocks that it gathers"), std::string::npos);
    const Converted back = asOpenMpiRules(
        tableOf(rulesFileFrom("allreduce intra 4 16KiB.. allreduce/ring:segments=2\n"), {}, losses), openMpi());
    EXPECT_NE(back.words.find("16384 5 0 2048"), std::string::npos) << back.words;
    // A message of one byte more than eight segments has nine.
    EXPECT_NE(asCollscopeRules(tableOf(rulesFileFrom("1\n7\n1\n2 2\n0 6 0 0\n65537 3 0 8192\n"), openMpi(), losses))
                  .words.find("bcast/pipelined-chain:segments=9\n"),
              std::string::npos);
}

TEST(Conversion, ofRulesWithoutBytesKeepsOne) {
    std::vector<std::string> losses;
    Installed library = openMpi();
    library.algorithms["alltoallv"] = {"ignore", "basic_linear", "pairwise"};
    const Converted own =
        asCollscopeRules(tableOf(rulesFileFrom("1\n4\n1\n2 2\n0 1 0 0\n1024 2 0 0\n"), library, losses));
    EXPECT_EQ(std::ranges::count(own.words, '\n'), 2) << own.words;
    EXPECT_EQ(losses.size(), 1U);
    EXPECT_EQ(faultsOf(own.words, {}), Words{});
}

TEST(Conversion, guardsWhatMpichDoesNotCheck) {
    std::vector<std::string> losses;
    const RuleTable table = tableOf(rulesFileFrom("1\n2\n1\n2 1\n0 6 0 0\n"), openMpi(), losses);
    const Converted selection = asMpichSelection(table, mpich());
    EXPECT_EQ(faultsOfSelection(selection.words), Words{}) << selection.words;
    // The algorithm fails with fewer elements than ranks: 4 bytes are one element.
    EXPECT_NE(decided(selection.words, Called::allreduce, 4, 4, mpich()).find("recursive_doubling"), std::string::npos);
    EXPECT_NE(decided(selection.words, Called::allreduce, 4, 64, mpich()).find("reduce_scatter_allgather"),
              std::string::npos);
}

/// A row of the page's table on MPICH: what a rule can select, with the conditions that are added, and what it cannot.
std::string rowOf(const std::string& call, const std::vector<std::string>& selectable) {
    std::string rules, others;
    const auto add = [](std::string& all, const std::string& one) { all += (all.empty() ? "" : ", ") + one; };
    for (const std::string& algorithm : selectable) {
        std::string needs;
        for (const MpichNeed& need : needsOf(call, algorithm))
            add(needs, engine::text('`', need.met ? "" : "not ", need.key, '`'));
        add(rules, needs.empty() ? algorithm : engine::text(algorithm, " (", needs, ')'));
    }
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms())
        if (one.known.library == "MPICH" && one.known.call == call && one.known.name != "auto" &&
            std::ranges::find(selectable, one.known.name) == selectable.end())
            add(others, one.known.name);
    return engine::text("| ", call, " | ", rules.empty() ? "-" : rules, " | ", others, " |");
}

TEST(MpichSelection, documentationListsWhatARuleCanSelect) {
    if (!installedMpich().present) GTEST_SKIP() << "MPICH is not installed";
    std::ifstream file{support::sourceFolder() / "resources/docs/tune.md"};
    std::vector<std::string> documented;
    bool isThere = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("| collective | a rule selects")) isThere = true;
        else if (isThere && line.empty()) break;
        else if (isThere && !line.starts_with("|---")) documented.push_back(line);
    }
    std::vector<std::string> rows;
    for (const Called called : engine::live::everyCalled) {
        if (!isBlocking(called)) continue;
        const auto found = installedMpich().algorithms.find(std::string{name(called)});
        rows.push_back(
            rowOf(std::string{name(called)}, found == installedMpich().algorithms.end() ? Words{} : found->second));
    }
    EXPECT_EQ(documented, rows) << engine::joined(rows, "\n");
}

TEST(Conversion, convertsLimitsThatAreCountedInAnotherWay) {
    std::vector<std::string> losses;
    // Open MPI counts the mean block of an allgatherv and p blocks of an alltoall; Collscope counts p and p p blocks.
    const RuleTable table =
        tableOf(rulesFileFrom("1\n3\n2\n2 1\n0 1 0 0\n4 2\n0 1 0 0\n400 2 0 0\n"), openMpi(), losses);
    const Converted own = asCollscopeRules(table);
    EXPECT_NE(own.words.find("alltoall intra 4.. 1600.. alltoallv/pairwise-exchange\n"), std::string::npos)
        << own.words;
    ASSERT_EQ(own.losses.size(), 1U);
    EXPECT_NE(own.losses[0].find("depends on the ranks"), std::string::npos);
}

TEST(Conversion, ofRulesWithoutARangeLeavesTheRestToTheLibrary) {
    std::vector<std::string> losses;
    const RuleTable table = tableOf(rulesFileFrom("bcast intra 8..15 1KiB..4KiB bcast/binomial-tree\n"), {}, losses);
    const Converted made = asOpenMpiRules(table, openMpi());
    for (const auto& [ranks, bytes, expected] :
         std::vector<std::tuple<std::int64_t, engine::Bytes, std::string>>{{7, 2048, ""},
                                                                           {8, 1023, ""},
                                                                           {8, 1024, "6 (binomial)"},
                                                                           {15, 4096, "6 (binomial)"},
                                                                           {15, 4097, ""},
                                                                           {16, 2048, ""}})
        EXPECT_EQ(
            explain(rulesFileFrom(made.words), {.called = Called::bcast, .ranks = ranks, .bytes = bytes}, openMpi())
                .algorithm,
            expected)
            << made.words;
}

TEST(Installed, isReadFromWhatTheLibrariesPrint) {
    const Installed library = openMpiFrom(
        "Open MPI v4.1.4\nmca:coll:tuned:param:coll_tuned_bcast_algorithm:enumerator:value:0:ignore\n"
        "mca:coll:tuned:param:coll_tuned_bcast_algorithm:enumerator:value:2:chain\n");
    EXPECT_EQ(library.version, "Open MPI 4.1.4");
    EXPECT_EQ(library.nameOf("bcast", 2), "chain");
    EXPECT_EQ(library.nameOf("bcast", 1), "");
    EXPECT_EQ(library.nameOf("bcast", 3), "");
    EXPECT_FALSE(openMpiFrom("").present);
}

}  // namespace
}  // namespace app::tune
