/* SPDX-License-Identifier: BSD-3-Clause */
/* Times collectives with MPI_Wtime alone: mpirun -n N ./tune_benchmark REPEATS COLLECTIVE:BYTES...
 * Prints "COLLECTIVE BYTES SECONDS": the median over REPEATS calls of the slowest rank's time. BYTES as tune counts
 * them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int byTime(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int repeats = argc > 1 ? atoi(argv[1]) : 1;
    double* times = malloc(sizeof(double) * (size_t)(repeats + 1));
    for (int i = 2; i < argc; ++i) {
        char* colon = strchr(argv[i], ':');
        if (colon == NULL) return 2;
        *colon = '\0';
        const char* call = argv[i];
        const int bytes = atoi(colon + 1);
        const size_t room = (size_t)bytes * (size_t)ranks;
        char* in = calloc(room + 4, 1);
        char* out = calloc(room + 4, 1);
        for (int k = -2; k < repeats; ++k) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double start = MPI_Wtime();
            if (strcmp(call, "bcast") == 0) MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
            else if (strcmp(call, "allreduce") == 0)
                MPI_Allreduce(in, out, bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            else if (strcmp(call, "reduce") == 0) MPI_Reduce(in, out, bytes / 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
            else if (strcmp(call, "allgather") == 0)
                MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
            else if (strcmp(call, "alltoall") == 0)
                MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
            else MPI_Abort(MPI_COMM_WORLD, 2);
            const double own = MPI_Wtime() - start;
            double slowest = own;
            MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
            if (k >= 0) times[k] = slowest;
        }
        qsort(times, (size_t)repeats, sizeof(double), byTime);
        if (rank == 0) printf("%s %d %.9f\n", call, bytes, times[repeats / 2]);
        free(in);
        free(out);
    }
    free(times);
    MPI_Finalize();
    return 0;
}
