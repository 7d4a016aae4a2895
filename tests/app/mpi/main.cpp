// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/mpi/bench.hpp"

#include "engine/catalogue.hpp"
#include "engine/text.hpp"

#include <stdlib.h>
#include <unistd.h>
#include <atomic>
#include <fstream>

namespace {

std::atomic<std::int64_t> sent{0};

/// One rule for every algorithm of the catalogue, each for a range of bytes of its own.
std::string everyAlgorithm() {
    std::string rules =
        "barrier intra 1..3 * barrier/butterfly\nbarrier intra * * barrier/dissemination # the others\n";
    for (std::size_t i = 0; i < engine::catalogue().size(); ++i) {
        const engine::Algorithm& algorithm = *engine::catalogue()[i];
        const auto [low, high] = support::bytesFor(i);
        const auto rule = [&](const char* call, const char* kind) {
            rules += engine::text(call, ' ', kind, " * ", low, "..", high, ' ', algorithm.id, '\n');
        };
        using engine::Collective;
        switch (algorithm.collective) {
            case Collective::bcast: rule("bcast", "intra"); break;
            case Collective::allreduce: rule("allreduce", "intra"); break;
            case Collective::allgatherv: rule("allgather", "intra"), rule("allgatherv", "intra"); break;
            case Collective::intergroupAllgatherv:
            case Collective::halfduplexAllgather: rule("allgather", "inter"), rule("allgatherv", "inter"); break;
            default: break;  // barriers take no bytes; other calls are left to the library
        }
    }
    return rules;
}

}  // namespace

std::int64_t support::messages() {
    std::int64_t all = 0;
    const std::int64_t own = sent;
    PMPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// Before the library's own, like a second tool: what replaced calls send comes by here, what the library's own
// collectives send does not.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    ++sent;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}
extern "C" int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    ++sent;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    std::string file = (testing::TempDir() + "collscope-rules-XXXXXX");
    const int descriptor = mkstemp(file.data());
    std::ofstream{file} << everyAlgorithm();
    if (getenv("COLLSCOPE_RULES") == nullptr) setenv("COLLSCOPE_RULES", file.c_str(), 1);
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    close(descriptor);
    unlink(file.c_str());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
    }
    const int code = RUN_ALL_TESTS();
    MPI_Finalize();
    return code;
}
