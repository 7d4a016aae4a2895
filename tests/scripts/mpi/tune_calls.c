// SPDX-License-Identifier: BSD-3-Clause
// For tune_test.py. `tune_calls COUNT...` makes each collective with blocks of COUNT ints, and prints the name of each
// that fails. `tune_calls --rules LIBRARY FILE` reads "collective ranks bytes" lines from stdin and prints what Open
// MPI's coll/tuned itself finds in FILE: "rejected", or algorithm, fan-out and segment size.
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static void report(const char *name, int code) {
    if (code != MPI_SUCCESS && rank == 0) printf("%s\n", name);
    fflush(stdout);
}

static void calls(int n) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int *a = calloc((size_t)(n * ranks) + 1, sizeof(int)), *b = calloc((size_t)(n * ranks) + 1, sizeof(int));
    int *counts = malloc((size_t)ranks * sizeof(int)), *places = malloc((size_t)ranks * sizeof(int));
    for (int i = 0; i < ranks; i++) counts[i] = n, places[i] = n * i;
    for (int i = 0; i < n * ranks; i++) a[i] = rank;
    report("allgather", MPI_Allgather(a, n, MPI_INT, b, n, MPI_INT, comm));
    report("allgatherv", MPI_Allgatherv(a, n, MPI_INT, b, counts, places, MPI_INT, comm));
    report("allreduce", MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, comm));
    if (n > 0 && b[0] != ranks * (ranks - 1) / 2) report("allreduce, which is wrong", MPI_ERR_OTHER);
    report("alltoall", MPI_Alltoall(a, n, MPI_INT, b, n, MPI_INT, comm));
    if (n > 0 && b[n * ranks - 1] != ranks - 1) report("alltoall, which is wrong", MPI_ERR_OTHER);
    report("alltoall in place", MPI_Alltoall(MPI_IN_PLACE, n, MPI_INT, b, n, MPI_INT, comm));
    report("alltoallv", MPI_Alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm));
    report("alltoallv in place", MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INT, b, counts, places, MPI_INT, comm));
    report("barrier", MPI_Barrier(comm));
    report("bcast", MPI_Bcast(a, n, MPI_INT, 0, comm));
    report("exscan", MPI_Exscan(a, b, n, MPI_INT, MPI_SUM, comm));
    report("gather", MPI_Gather(a, n, MPI_INT, b, n, MPI_INT, 0, comm));
    report("reduce", MPI_Reduce(a, b, n, MPI_INT, MPI_SUM, 0, comm));
    report("reduce_scatter", MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm));
    report("reduce_scatter_block", MPI_Reduce_scatter_block(a, b, n, MPI_INT, MPI_SUM, comm));
    report("scan", MPI_Scan(a, b, n, MPI_INT, MPI_SUM, comm));
    report("scatter", MPI_Scatter(a, n, MPI_INT, b, n, MPI_INT, 0, comm));
}

static int rules(const char *library, char *file) {
    void *tuned = dlopen(library, RTLD_NOW), *all = NULL;
    if (!tuned) return 77;
    int (*read)(char *, void **, int) = (int (*)(char *, void **, int))dlsym(tuned, "ompi_coll_tuned_read_rules_config_file");
    void *(*of)(void *, int, int) = (void *(*)(void *, int, int))dlsym(tuned, "ompi_coll_tuned_get_com_rule_ptr");
    int (*find)(void *, size_t, int *, int *, int *) =
        (int (*)(void *, size_t, int *, int *, int *))dlsym(tuned, "ompi_coll_tuned_get_target_method_params");
    if (!read || !of || !find) return 77;
    const int collectives = 22;
    const int accepted = read(file, &all, collectives) >= 0;
    int collective, size;
    size_t bytes;
    while (scanf("%d %d %zu", &collective, &size, &bytes) == 3) {
        int fan = 0, segment = 0, requests = 0;
        if (!accepted) printf("rejected\n");
        else {
            const int algorithm = find(of(all, collective, size), bytes, &fan, &segment, &requests);
            printf("%d %d %d\n", algorithm, algorithm ? fan : 0, algorithm ? segment : 0);
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int code = 0;
    if (argc == 4 && strcmp(argv[1], "--rules") == 0) code = rules(argv[2], argv[3]);
    else
        for (int i = 1; i < argc; i++) calls(atoi(argv[i]));
    if (rank == 0 && code == 0) printf("done\n");
    MPI_Finalize();
    return code;
}
