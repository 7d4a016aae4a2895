// SPDX-License-Identifier: BSD-3-Clause
// The last rank computes three times as long as the others, a table goes to all of them by a slow broadcast, and
// borders are exchanged. Usage: uneven [even]: with an argument all ranks compute equally long
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { table = 131072, border = 65536 };

static void compute(int microseconds) {
    struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
    int rank, ranks;
    char* data = calloc(1, table + 4 * border);
    char* borders = data + table;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    int late = rank == ranks - 1 && argc == 1;
    for (int step = 0; step < 10; ++step) {
        MPI_Request requests[4];
        MPI_Bcast(data, table, MPI_CHAR, 0, MPI_COMM_WORLD);
        compute(late ? 90000 : 30000);
        MPI_Irecv(borders, border, MPI_CHAR, left, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(borders + border, border, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(borders + 2 * border, border, MPI_CHAR, right, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(borders + 3 * border, border, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    free(data);
    return 0;
}
