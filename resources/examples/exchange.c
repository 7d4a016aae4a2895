// SPDX-License-Identifier: BSD-3-Clause
// Ranks compute, and each sends a block of its own to every other. Usage: exchange BYTES, of a block
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void compute(int microseconds) {
    struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    int ranks;
    int bytes = argc > 1 ? atoi(argv[1]) : 16384;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *mine = calloc(ranks, bytes), *all = calloc(ranks, bytes);
    for (int step = 0; step < 20; ++step) {
        compute(5000);
        MPI_Alltoall(mine, bytes, MPI_CHAR, all, bytes, MPI_CHAR, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    free(mine);
    free(all);
    return 0;
}
