/* SPDX-License-Identifier: BSD-3-Clause */
/* A program to tune for, on four ranks: 20 allreduces of 4 KiB, 10 broadcasts of 1000 bytes on ranks 0 and 1, calls
 * that are not measured, and 1 MiB from rank 0 to rank 2. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* in = calloc(1 << 20, 1);
    char* out = calloc(1 << 20, 1);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    for (int i = 0; i < 20; ++i) {
        usleep(200 * rank);
        MPI_Allreduce(in, out, 1024, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank < 2)
        for (int i = 0; i < 10; ++i) MPI_Bcast(out, 1000, MPI_BYTE, 1, half);
    MPI_Request request;
    MPI_Ibcast(out, 500, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(in, 1 << 20, MPI_BYTE, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(out, 1 << 20, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
