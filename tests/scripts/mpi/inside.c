// SPDX-License-Identifier: BSD-3-Clause
// Collectives whose results are known, for inside_test.py: with an argument that names one, that one alone, of N bytes;
// without, one of each kind of call within which the library sends.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p, me, wrong;

static void must(int right, const char* what) {
    if (!right) fprintf(stderr, "rank %d: %s is wrong\n", me, what), wrong = 1;
}

static int* numbers(int count, int first) {
    int* all = malloc((size_t)(count > 0 ? count : 1) * sizeof *all);
    for (int i = 0; i < count; ++i) all[i] = first + i;
    return all;
}

/// Rank r contributes 100 r + i; n numbers of each rank, or for each.
static void one(const char* name, int n) {
    int *mine = numbers(n, 100 * me), *all = numbers(n * p, 0), *got = numbers(n * p, -7), *sum = numbers(n, 0);
    int *counts = numbers(p, 0), *places = numbers(p, 0);
    for (int r = 0; r < p; ++r) {
        counts[r] = n;
        places[r] = n * r;
        for (int i = 0; i < n; ++i) all[n * r + i] = 100 * r + i;
    }
    for (int i = 0; i < n; ++i) sum[i] = 50 * p * (p - 1) + p * i;
    size_t bytes = (size_t)n * sizeof(int);
    int *toAll = numbers(n * p, 0), *fromAll = numbers(n * p, 0), *total = numbers(n * p, 0);
    for (int r = 0; r < p; ++r)
        for (int i = 0; i < n; ++i) {
            toAll[n * r + i] = 1000 * me + 10 * r + i;
            fromAll[n * r + i] = 1000 * r + 10 * me + i;
            total[n * r + i] = p * (10 * r + i) + 500 * p * (p - 1);
        }
    if (!strcmp(name, "allreduce")) {
        MPI_Allreduce(mine, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        must(!memcmp(got, sum, bytes), name);
    } else if (!strcmp(name, "reduce")) {
        MPI_Reduce(mine, got, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        must(me != 0 || !memcmp(got, sum, bytes), name);
    } else if (!strcmp(name, "bcast")) {
        MPI_Bcast(mine, n, MPI_INT, 0, MPI_COMM_WORLD);
        must(!memcmp(mine, all, bytes), name);
    } else if (!strcmp(name, "allgather")) {
        MPI_Allgather(mine, n, MPI_INT, got, n, MPI_INT, MPI_COMM_WORLD);
        must(!memcmp(got, all, bytes * (size_t)p), name);
    } else if (!strcmp(name, "allgatherv")) {
        MPI_Allgatherv(mine, n, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
        must(!memcmp(got, all, bytes * (size_t)p), name);
    } else if (!strcmp(name, "gather")) {
        MPI_Gather(mine, n, MPI_INT, got, n, MPI_INT, 0, MPI_COMM_WORLD);
        must(me != 0 || !memcmp(got, all, bytes * (size_t)p), name);
    } else if (!strcmp(name, "scatter")) {
        MPI_Scatter(all, n, MPI_INT, got, n, MPI_INT, 0, MPI_COMM_WORLD);
        must(!memcmp(got, mine, bytes), name);
    } else if (!strcmp(name, "alltoall")) {
        MPI_Alltoall(toAll, n, MPI_INT, got, n, MPI_INT, MPI_COMM_WORLD);
        must(!memcmp(got, fromAll, bytes * (size_t)p), name);
    } else if (!strcmp(name, "alltoallv")) {
        MPI_Alltoallv(toAll, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
        must(!memcmp(got, fromAll, bytes * (size_t)p), name);
    } else if (!strcmp(name, "reduce_scatter")) {
        MPI_Reduce_scatter(toAll, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        must(!memcmp(got, total + n * me, bytes), name);
    } else if (!strcmp(name, "reduce_scatter_block")) {
        MPI_Reduce_scatter_block(toAll, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        must(!memcmp(got, total + n * me, bytes), name);
    } else if (!strcmp(name, "barrier")) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(name, "scan")) {
        MPI_Scan(mine, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        must(n == 0 || got[0] == 50 * me * (me + 1), name);
    } else if (!strcmp(name, "exscan")) {
        MPI_Exscan(mine, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        must(n == 0 || me == 0 || got[0] == 50 * me * (me - 1), name);
    } else {
        must(0, name);
    }
    int* held[] = {mine, all, got, sum, counts, places, toAll, fromAll, total};
    for (size_t i = 0; i < sizeof held / sizeof *held; ++i) free(held[i]);
}

static void kinds(void) {
    enum { n = 1000 };
    int *mine = numbers(n, 100 * me), *got = numbers(n * p, 0), *sum = numbers(n, 0);
    for (int i = 0; i < n; ++i) sum[i] = 50 * p * (p - 1) + p * i;
    // Two collectives that do not block, and messages of the program while they are pending.
    MPI_Request requests[2];
    MPI_Iallreduce(mine, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    int right = (me + 1) % p, left = (me + p - 1) % p, around = -1;
    MPI_Sendrecv(&me, 1, MPI_INT, right, 5, &around, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    must(around == left && !memcmp(got, sum, n * sizeof(int)), "MPI_Iallreduce");
    // Elements that do not follow each other.
    MPI_Datatype strided;
    MPI_Type_vector(n / 2, 1, 2, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    if (me == 0) memcpy(got, sum, n * sizeof(int));
    else memset(got, 0, n * sizeof(int));
    MPI_Bcast(got, 1, strided, 0, MPI_COMM_WORLD);
    must(got[0] == sum[0] && got[n - 2] == sum[n - 2] && (me == 0 || got[1] == 0), "MPI_Bcast");
    MPI_Type_free(&strided);
    // Communicators, and a collective of each.
    MPI_Comm copy, half, between, ring;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(copy, me % 2, -me, &half);
    int before = 0, whole = 0;
    MPI_Allreduce(&me, &before, 1, MPI_INT, MPI_MAX, half);
    must(before == (me % 2 == (p - 1) % 2 ? p - 1 : p - 2), "MPI_Comm_split");
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 ? (p - 1) / 2 * 2 : (p - 2) / 2 * 2 + 1, 3, &between);
    MPI_Allreduce(&me, &whole, 1, MPI_INT, MPI_SUM, between);
    int others = 0;
    for (int r = 1 - me % 2; r < p; r += 2) others += r;
    must(whole == others, "MPI_Allreduce between two groups");
    int word = me % 2 == 0 ? -1 : 77;
    MPI_Bcast(&word, 1, MPI_INT, me % 2 == 0 ? 0 : me == (p - 2) / 2 * 2 + 1 ? MPI_ROOT : MPI_PROC_NULL, between);
    must(word == 77, "MPI_Bcast between two groups");
    int periods = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &periods, 0, &ring);
    int next[2] = {-1, -1};
    MPI_Neighbor_allgather(&me, 1, MPI_INT, next, 1, MPI_INT, ring);
    must(next[0] == left && next[1] == right, "MPI_Neighbor_allgather");
#if MPI_VERSION >= 4
    MPI_Request again;
    MPI_Allreduce_init(&me, &whole, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &again);
    for (int i = 0; i < 2; ++i) {
        whole = 0;
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        must(whole == p * (p - 1) / 2, "MPI_Allreduce_init");
    }
    MPI_Request_free(&again);
#endif
    MPI_Comm_free(&ring);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    free(mine), free(got), free(sum);
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 1; i + 1 < count; i += 2) one(words[i], atoi(words[i + 1]));
    if (count == 1) kinds();
    MPI_Finalize();
    return wrong;
}
