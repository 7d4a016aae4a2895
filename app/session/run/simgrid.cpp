// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/simgrid.hpp"

#include "app/session/run/scratch.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/text.hpp"
#include "engine/live/child_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace app {
namespace {

namespace fs = std::filesystem;

/// SMPI adds 16 bytes to every message; the program leaves them out, so that `bytes` are on the wire.
constexpr std::string_view program = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks, rank, bytes = atoi(argv[1]) - 16;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    double start = MPI_Wtime(), time, slowest;
    for (int round = 0; round < ranks - 1; ++round)
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % ranks, 0, in, bytes, MPI_CHAR, (rank + ranks - 1) % ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    time = MPI_Wtime() - start;
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("seconds %.12f\n", slowest);
    MPI_Finalize();
    return 0;
}
)";

std::optional<PeerSpeed> answerIn(const fs::path& file, double cpu) {
    std::ifstream answer{file};
    for (std::string word; answer >> word;) {
        double seconds = 0;
        if (word == "seconds" && answer >> seconds)
            return PeerSpeed{cpu, engine::Picoseconds{static_cast<std::int64_t>(seconds * 1e12 + 0.5)}};
    }
    return std::nullopt;
}

/// CPU seconds of `words` run in `folder`, its output in the file "answer"; nothing when it fails.
std::optional<double> cpuOf(const std::vector<std::string>& words, const fs::path& folder,
                            const engine::Progress& progress) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const std::string answer = (folder / "answer").string();
    const pid_t child = fork();
    if (child < 0) return std::nullopt;
    if (child == 0) {
        setpgid(0, 0);
        const int out = open(answer.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int nowhere = open("/dev/null", O_WRONLY);
        if (out < 0 || nowhere < 0 || chdir(folder.c_str()) != 0) _exit(127);
        dup2(out, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t ended = wait4(child, &status, WNOHANG, &usage);
        if (ended == child) {
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
            return secondsOf(usage);
        }
        if (ended < 0) return std::nullopt;
        if (progress.stop.stop_requested()) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            throw engine::Cancelled{};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
}

/// SimGrid's first length runs fastest.
void writePlatform(const RingOnTorus& ring, std::int32_t ranks, const fs::path& folder) {
    std::string lengths;
    for (auto length = ring.lengths.rbegin(); length != ring.lengths.rend(); ++length)
        lengths += (lengths.empty() ? "" : ",") + std::to_string(*length);
    engine::writeFile(
        folder / "platform.xml",
        engine::text("<?xml version=\"1.0\"?>\n",
                     "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n",
                     "<cluster id=\"c\" prefix=\"n-\" suffix=\"\" radical=\"0-", ranks - 1,
                     "\" speed=\"100Gf\" bw=\"1.25GBps\" lat=\"0us\" topology=\"TORUS\" topo_parameters=\"", lengths,
                     "\"/>\n</platform>\n"),
        engine::Existing::replace);
    std::string hosts;
    for (std::int32_t r = 0; r < ranks; ++r) hosts += engine::text("n-", r, "\n");
    engine::writeFile(folder / "hosts", hosts, engine::Existing::replace);
}

}  // namespace

double secondsOf(const rusage& usage) {
    const auto micro =
        (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    return 1e-6 * static_cast<double>(micro);
}

std::optional<PeerSpeed> runSimGrid(const RingOnTorus& ring, const engine::Progress& progress) {
    if (engine::live::findProgram("smpicc").empty() || engine::live::findProgram("smpirun").empty())
        return std::nullopt;
    const Scratch scratch;
    std::int32_t ranks = 1;
    for (const int length : ring.lengths) ranks *= length;
    engine::writeFile(scratch.folder() / "ring.c", program);
    writePlatform(ring, ranks, scratch.folder());
    if (!cpuOf({"smpicc", "-O2", "ring.c", "-o", "ring"}, scratch.folder(), progress)) return std::nullopt;
    const auto cpu = cpuOf({"smpirun",
                            "-np",
                            std::to_string(ranks),
                            "-platform",
                            "platform.xml",
                            "-hostfile",
                            "hosts",
                            "--cfg=smpi/simulate-computation:no",
                            "--cfg=smpi/host-speed:100Gf",
                            "--log=root.thresh:critical",
                            "--cfg=network/model:CM02",
                            "--cfg=network/crosstraffic:0",
                            "--cfg=network/TCP-gamma:0",
                            "--cfg=smpi/os:0:0:0",
                            "--cfg=smpi/or:0:0:0",
                            "--cfg=smpi/ois:0:0:0",
                            "--cfg=smpi/wtime:0",
                            "-no-privatize",
                            "./ring",
                            std::to_string(ring.bytes)},
                           scratch.folder(), progress);
    if (!cpu) return std::nullopt;
    return answerIn(scratch.folder() / "answer", *cpu);
}

}  // namespace app
