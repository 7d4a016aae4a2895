// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/mpi/bench.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/records/collective_records.hpp"

#include <stdlib.h>
#include <unistd.h>
#include <atomic>
#include <fstream>

namespace {

std::atomic<std::int64_t> sent{0};

/// Whether `algorithm` is one that rules name: calls that do not block have the first of each collective only, lest the
/// rules become too many.
bool isNamed(engine::live::Called called, const engine::Algorithm& algorithm) {
    return isBlocking(called) || engine::algorithmsFor(algorithm.collective).front() == &algorithm;
}

/// One rule for every algorithm of the catalogue and every call, each for a range of bytes of its own.
std::string everyAlgorithm() {
    using engine::Collective;
    std::string rules =
        "barrier intra 1..3 * barrier/butterfly\nbarrier intra * * barrier/dissemination # the others\n"
        "ibarrier intra * * barrier/linear\n";
    for (const engine::live::Called called : engine::live::everyCalled)
        for (std::size_t i = 0; i < engine::catalogue().size(); ++i) {
            const engine::Algorithm& algorithm = *engine::catalogue()[i];
            if (algorithm.collective == Collective::barrier || !isNamed(called, algorithm)) continue;
            const auto [low, high] = support::bytesFor(i);
            const auto rule = [&](const char* kind) {
                rules += engine::text(name(called), ' ', kind, " * ", low, "..", high, ' ', algorithm.id, '\n');
            };
            const auto between = engine::live::collectiveBetweenGroups(called);
            if (algorithm.collective == engine::live::collectiveOf(called)) rule("intra");
            if (algorithm.collective == between) rule("inter");
            if (algorithm.collective == Collective::halfduplexAllgather && between == Collective::intergroupAllgatherv)
                rule("inter");
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
