/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided communication with known faults: a late post, a late complete, and a lock that is held. Each process writes
 * into FOLDER/RANK when it came to which call, in seconds.
 *
 *   epochs    rank 0 opens its window 60 ms late to ranks 1 and 2; rank 2 completes 90 ms later than rank 1
 *   lock      rank 1 holds the lock of rank 0's window for 80 ms, while rank 2 wants it
 *   lock all  rank 1 holds that lock for another 70 ms, while rank 2 wants those of all
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static FILE* told;

static void came(const char* call) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(told, "%s\t%ld.%09ld\n", call, (long)now.tv_sec, now.tv_nsec);
}

static void let_pass(double milliseconds) {
    const double end = MPI_Wtime() + milliseconds / 1000;
    while (MPI_Wtime() < end) {
    }
}

int main(int argc, char** argv) {
    int rank, memory = 0, mine = 7;
    char name[4096];
    MPI_Win window;
    MPI_Group all, origins, target;
    const int those[] = {1, 2}, that[] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/%d", argv[1], rank);
    told = fopen(name, "w");
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, those, &origins);
    MPI_Group_incl(all, 1, that, &target);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        let_pass(60);
        came("post");
        MPI_Win_post(origins, 0, window);
        came("wait");
        MPI_Win_wait(window);
        came("waited");
    } else {
        came("start");
        MPI_Win_start(target, 0, window);
        came("started");
        MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        came("put");
        if (rank == 2) let_pass(90);
        came("complete");
        MPI_Win_complete(window);
        came("completed");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) {
        if (rank == 2) let_pass(20);
        came("lock");
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        if (rank == 1) let_pass(80);
        came("unlock");
        MPI_Win_unlock(0, window);
        came("unlocked");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        came("alone");
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        let_pass(70);
        MPI_Win_unlock(0, window);
        came("no longer alone");
    } else if (rank == 2) {
        let_pass(20);
        came("lock all");
        MPI_Win_lock_all(0, window);
        MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush_all(window);
        MPI_Fetch_and_op(&mine, &memory, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_unlock_all(window);
        came("unlocked all");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    fclose(told);
    MPI_Group_free(&origins);
    MPI_Group_free(&target);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
