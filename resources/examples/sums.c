// SPDX-License-Identifier: BSD-3-Clause
// Ranks compute, and add up a vector. Usage: sums BYTES
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void compute(int microseconds) {
    struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    int bytes = argc > 1 ? atoi(argv[1]) : 65536;
    float *mine = calloc(1, bytes), *all = calloc(1, bytes);
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 20; ++step) {
        compute(5000);
        MPI_Allreduce(mine, all, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    free(mine);
    free(all);
    return 0;
}
