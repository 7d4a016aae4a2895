// SPDX-License-Identifier: BSD-3-Clause
// A program with known faults, one after the other: known_faults FOLDER FAULT, with FAULT milliseconds for each, 0 for
// the same program without any. Each rank writes to FOLDER/RANK when it came to its calls, which is the truth that
// known_faults_test.py holds tools to: a line a call, "phase call peer seconds", by one clock for all ranks of a machine.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { tag = 7, iterations = 10, work = 4, odd = 5 };

static int rank, ranks, fault;
static FILE* truth;
static double data[8], other[8], both[64];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(int milliseconds) {
    struct timespec time = {milliseconds / 1000, 1000000L * (milliseconds % 1000)};
    nanosleep(&time, NULL);
}

static void came(const char* phase, const char* call, int peer) {
    fprintf(truth, "%s %s %d %.9f\n", phase, call, peer, now());
}

static void settle(const char* phase) {
    came(phase, "settle", -1);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void imbalance(void) {
    compute(work + fault * rank / (ranks - 1));
    came("imbalance", "nxn", -1);
    MPI_Allreduce(data, other, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void late_rank(void) {
    compute(work + (rank == 2 ? fault : 0));
    came("late_rank", "nxn", -1);
    MPI_Alltoall(data, 1, MPI_DOUBLE, both, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void wait_chain(void) {
    compute(work + (rank == 0 ? fault : 0));
    if (rank > 0) {
        came("wait_chain", "receive", rank - 1);
        MPI_Recv(other, 8, MPI_DOUBLE, rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank < ranks - 1) {
        came("wait_chain", "send", rank + 1);
        MPI_Send(data, 8, MPI_DOUBLE, rank + 1, tag, MPI_COMM_WORLD);
    }
}

static void late_receiver(void) {
    compute(work + (rank == 1 ? fault : 0));
    if (rank == 0) {
        came("late_receiver", "synchronous", 1);
        MPI_Ssend(data, 8, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
    } else if (rank == 1) {
        came("late_receiver", "receive", 0);
        MPI_Recv(other, 8, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void early_reduce(void) {
    compute(work + (rank == 0 ? 0 : fault + work * rank));
    came("early_reduce", "reduce", 0);
    MPI_Reduce(data, other, 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void late_broadcast(void) {
    compute(work + (rank == 1 ? fault : 0));
    came("late_broadcast", "broadcast", 1);
    MPI_Bcast(data, 8, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void late_into_barrier(void) {
    compute(work + (rank == 3 ? fault : 0));
    came("late_into_barrier", "barrier", -1);
    MPI_Barrier(MPI_COMM_WORLD);
}

// All messages are on their way before anybody waits for them: nobody waits, whatever takes long.
static void overlap(void) {
    MPI_Request two[2];
    MPI_Irecv(other, 8, MPI_DOUBLE, (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, &two[0]);
    compute(work);
    came("overlap", "send", (rank + 1) % ranks);
    MPI_Isend(data, 8, MPI_DOUBLE, (rank + 1) % ranks, tag, MPI_COMM_WORLD, &two[1]);
    compute(100);
    came("overlap", "waitall", (rank + ranks - 1) % ranks);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
}

static void halo(void) {
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int k = 0; k < iterations; ++k) {
        MPI_Request four[4];
        MPI_Irecv(other, 1, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &four[0]);
        MPI_Irecv(other + 1, 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &four[1]);
        compute(work + (rank == 2 && k == odd ? fault : 0));
        came("halo", "send", left);
        MPI_Isend(data, 1, MPI_DOUBLE, left, tag, MPI_COMM_WORLD, &four[2]);
        came("halo", "send", right);
        MPI_Isend(data, 1, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &four[3]);
        came("halo", "waitall", k);
        MPI_Waitall(4, four, MPI_STATUSES_IGNORE);
    }
}

static void sums(void) {
    for (int k = 0; k < iterations; ++k) {
        compute(work + (rank == 3 ? fault / 4 : 0));
        came("sums", "nxn", -1);
        MPI_Allreduce(data, other, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void wavefront(void) {
    for (int k = 0; k < 2; ++k) {
        if (rank > 0) {
            came("wavefront", "receive", rank - 1);
            MPI_Recv(other, 8, MPI_DOUBLE, rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        compute(work + (rank == 1 ? fault : 0));
        if (rank < ranks - 1) {
            came("wavefront", "send", rank + 1);
            MPI_Send(data, 8, MPI_DOUBLE, rank + 1, tag, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        void (*run)(void);
    } phases[] = {{"imbalance", imbalance},           {"late_rank", late_rank},
                  {"wait_chain", wait_chain},         {"late_receiver", late_receiver},
                  {"early_reduce", early_reduce},     {"late_broadcast", late_broadcast},
                  {"late_into_barrier", late_into_barrier}, {"overlap", overlap},
                  {"halo", halo},                     {"sums", sums},
                  {"wavefront", wavefront}};
    char file[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fault = argc == 3 ? atoi(argv[2]) : 0;
    if (argc != 3 || ranks < 4 || ranks > 64) MPI_Abort(MPI_COMM_WORLD, 2);
    snprintf(file, sizeof file, "%s/%d", argv[1], rank);
    truth = fopen(file, "w");
    if (!truth) MPI_Abort(MPI_COMM_WORLD, 2);
    // Written after MPI_Finalize: a busy disk would make ranks late at it.
    static char written[1 << 20];
    setvbuf(truth, written, _IOFBF, sizeof written);
    settle("begin");
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; ++i) {
        phases[i].run();
        settle(phases[i].name);
    }
    came("end", "finalize", -1);
    MPI_Finalize();
    fclose(truth);
    return 0;
}
