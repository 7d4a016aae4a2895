// SPDX-License-Identifier: BSD-3-Clause
// Ranks on a ring compute, and exchange their borders with both neighbours. Usage: halo BYTES
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

/// Computing takes no processor from the others: the lab has more ranks than the machine has processors.
static void compute(int microseconds) {
    struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    int rank, ranks;
    int bytes = argc > 1 ? atoi(argv[1]) : 65536;
    char* borders = calloc(4, bytes);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int step = 0; step < 20; ++step) {
        MPI_Request requests[4];
        compute(5000);
        MPI_Irecv(borders, bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(borders + bytes, bytes, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(borders + 2 * bytes, bytes, MPI_CHAR, right, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(borders + 3 * bytes, bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    free(borders);
    return 0;
}
