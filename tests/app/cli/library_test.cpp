// SPDX-License-Identifier: BSD-3-Clause
// library with maps that were kept: shown, drawn, compared. New maps: tests/scripts/mpi/library_map_test.py.
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace app::cli {
namespace {

class LibraryMaps : public testing::Test {
protected:
    LibraryMaps() {
        std::filesystem::create_directories(folder);
        write("a.csv", "");
        write("b.csv", "Open MPI v5,bcast,4,1024,bcast_intra_chain:64,bcast/chain with segments=16,,,,3\n");
    }
    ~LibraryMaps() override { std::filesystem::remove_all(folder); }
    LibraryMaps(const LibraryMaps&) = delete;
    LibraryMaps& operator=(const LibraryMaps&) = delete;

    void write(const char* name, const std::string& last) const {
        std::ofstream{folder / name}
            << "library,collective,ranks,bytes,executed,catalogue,differs,asked,instead,messages\n"
            << "Open MPI v4,bcast,2,4,bcast_intra_binomial,bcast/circulant,,,,1\n"
            << "Open MPI v4,bcast,3,4,bcast_intra_binomial,bcast/circulant,,,,2\n"
            << "Open MPI v4,bcast,4,4,bcast_intra_split_bintree,bcast/binary-tree,2 messages missing,,,3\n"
            << (last.empty() ? "Open MPI v4,bcast,4,1024,bcast_intra_binomial,bcast/circulant,,,,3\n" : last);
    }
    [[nodiscard]] std::string file(const char* name) const { return (folder / name).string(); }
    static std::string content(const std::string& path) {
        std::ostringstream words;
        words << std::ifstream{path}.rdbuf();
        return words.str();
    }

    std::filesystem::path folder = std::filesystem::path{testing::TempDir()} / "library_maps";
};

TEST_F(LibraryMaps, areShownWithALetterForEachAlgorithm) {
    const Answer answer = command("library " + file("a.csv"));
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out,
              "Open MPI v4: 4 cases, each called once\n"
              "\n"
              "bcast\n"
              "  ranks  4 B  1 KiB\n"
              "  2..3   A\n"
              "  4      B    A\n"
              "  A  bcast_intra_binomial       messages of bcast/circulant\n"
              "  B  bcast_intra_split_bintree  closest: bcast/binary-tree; other messages in 1 of 1 case\n");
    const auto json = jsonOf("library " + file("a.csv") + " --format json");
    EXPECT_EQ(json["library"], "Open MPI v4");
    EXPECT_EQ(json["cases"].size(), 4U);
    EXPECT_EQ(json["cases"][2]["differs"], "2 messages missing");
    EXPECT_TRUE(json["cases"][0]["asked"].is_null());
    EXPECT_EQ(command("library " + file("a.csv") + " --format csv").out, content(file("a.csv")));
}

TEST_F(LibraryMaps, areComparedByRanksAndBytes) {
    const std::string both = "library " + file("a.csv") + ' ' + file("b.csv");
    const Answer answer = command(both);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(answer.out.find("1 of 4 common cases differs"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("bcast       4      1 KiB  bcast_intra_binomial  bcast_intra_chain:64"),
              std::string::npos)
        << answer.out;
    EXPECT_EQ(command(both + " --format csv").out,
              "collective,ranks_from,ranks_to,bytes_from,bytes_to,a,b\n"
              "bcast,4,4,1024,1024,bcast_intra_binomial,bcast_intra_chain:64\n");
    EXPECT_EQ(jsonOf(both + " --format json")["changed"], 1);
}

TEST_F(LibraryMaps, areDrawnWithAFrameAroundChanges) {
    EXPECT_EQ(command("library " + file("a.csv") + " -o " + file("one.svg")).code, 0);
    const std::string one = content(file("one.svg"));
    EXPECT_TRUE(one.starts_with("<svg xmlns=")) << one.substr(0, 80);
    EXPECT_NE(one.find("bcast, 4 ranks, 1 KiB: bcast_intra_binomial"), std::string::npos);
    EXPECT_EQ(one.find("the other map"), std::string::npos);
    EXPECT_EQ(command("library " + file("a.csv") + ' ' + file("b.csv") + " -o " + file("two.svg")).code, 0);
    const std::string two = content(file("two.svg"));
    EXPECT_NE(two.find("bcast_intra_chain:64; the other map: bcast_intra_binomial"), std::string::npos);
    EXPECT_EQ(command("library " + file("a.csv") + " -o " + file("one.svg")).code, 2);  // is there
}

TEST_F(LibraryMaps, sayWhatTheCasesOfALetterShare) {
    const std::string header = content(file("a.csv")).substr(0, content(file("a.csv")).find('\n') + 1);
    std::ofstream{file("c.csv")} << header << "MPICH 4,reduce,2,4,chain,reduce/chain with fanout=2,,,,1\n"
                                 << "MPICH 4,reduce,3,4,chain,reduce/chain with fanout=4,,,,2\n"
                                 << "MPICH 4,reduce,4,4,other,,not compared: too many messages,,,3\n";
    const Answer answer = command("library " + file("c.csv"));
    EXPECT_NE(answer.out.find("messages of reduce/chain, options vary\n"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("messages not compared with the catalogue\n"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("options vary: the options of the algorithm differ between the cases of this letter"),
              std::string::npos)
        << answer.out;
    EXPECT_EQ(answer.out.find("X + Y"), std::string::npos) << answer.out;
}

TEST_F(LibraryMaps, mistakesAreOneSentence) {
    write("bad.csv", "Open MPI v4,bcast,4,1024,only\n");
    for (const std::string& line :
         {"library " + file("nowhere.csv"), "library " + file("bad.csv"), "library " + file("a.csv") + " bcast",
          std::string{"library bcats"}, std::string{"library gatherv"}, "library " + file("a.csv") + " -n 4",
          "library " + file("a.csv") + " --mpirun mpirun", "library " + file("a.csv") + " --lab",
          std::string{"library bcast --sizes 3"}, std::string{"library bcast -n 1"},
          "library " + file("a.csv") + " -o " + file("map.gif"),
          "library " + file("a.csv") + ' ' + file("b.csv") + " -o " + file("c.csv")}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 2) << line;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << line << ": " << answer.err;
    }
    EXPECT_NE(command("library " + file("bad.csv")).err.find("bad.csv:5"), std::string::npos);
}

}  // namespace
}  // namespace app::cli
