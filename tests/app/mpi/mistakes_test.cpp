// SPDX-License-Identifier: BSD-3-Clause
// Wrong arguments under rules that would replace everything: the answer is that of the library alone, from every
// collective.
#include "tests/app/mpi/bench.hpp"

#include "engine/catalogue/catalogue.hpp"

#include <functional>
#include <optional>
#include <string>

using namespace support;

namespace {

enum class Library : std::uint8_t { withOurs, alone };

constexpr int element = 4;

/// Elements for which some rule names `id`.
int elementsFor(const char* id) {
    for (std::size_t i = 0; i < engine::catalogue().size(); ++i)
        if (engine::catalogue()[i]->id == id) return static_cast<int>(someBytesFor(i) / element);
    return 0;
}

/// What kind of mistake a code stands for: MPICH has a code of its own for every single one.
int classOf(int code) {
    int found = MPI_SUCCESS;
    MPI_Error_class(code, &found);
    return found;
}

/// Counts what its handler is told.
class Comm {
public:
    Comm() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_create_errhandler(count, &handler_);
        MPI_Comm_set_errhandler(comm_, handler_);
    }
    ~Comm() {
        MPI_Errhandler_free(&handler_);
        MPI_Comm_free(&comm_);
    }
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;
    operator MPI_Comm() const { return comm_; }

    inline static int told = 0;

private:
    static void count(MPI_Comm*, int*, ...) { ++told; }

    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

struct Mistake {
    std::string name;
    std::function<int(Library)> call;
};

/// Arguments that may be wrong one at a time.
class Mistakes : public testing::Test {
protected:
    Mistakes() {
        // Open MPI tells the handler of the world of some of them.
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Type_vector(2, 1, 2, MPI_INT32_T, &sparse_);
        MPI_Type_contiguous(2, MPI_INT32_T, &pair_);
        const auto size = static_cast<std::size_t>(sizeOf(MPI_COMM_WORLD));
        counts_.assign(size, each_);
        for (std::size_t i = 0; i < size; ++i) places_.push_back(static_cast<int>(i) * each_);
        from_.resize(static_cast<std::size_t>(reduced_ + broadcast_ + each_ * sizeOf(MPI_COMM_WORLD)) * 2);
        to_.resize(from_.size());
    }
    ~Mistakes() override {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Type_free(&sparse_);
        MPI_Type_free(&pair_);
    }

    Mistake bcast(std::string name, void* buffer, int count, MPI_Datatype type, int root = 0) {
        return {"bcast " + std::move(name), [=, this](Library by) {
                    return (by == Library::alone ? PMPI_Bcast : MPI_Bcast)(buffer, count, type, root, *comm_);
                }};
    }
    Mistake allreduce(std::string name, const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation) {
        return {"allreduce " + std::move(name), [=, this](Library by) {
                    return (by == Library::alone ? PMPI_Allreduce : MPI_Allreduce)(from, to, count, type, operation,
                                                                                   *comm_);
                }};
    }
    Mistake allgather(std::string name, const void* from, int sent, MPI_Datatype sentType, void* to, int received,
                      MPI_Datatype receivedType) {
        return {"allgather " + std::move(name), [=, this](Library by) {
                    return (by == Library::alone ? PMPI_Allgather : MPI_Allgather)(from, sent, sentType, to, received,
                                                                                   receivedType, *comm_);
                }};
    }
    Mistake allgatherv(std::string name, const void* from, int sent, MPI_Datatype sentType, void* to,
                       const int* received, const int* places, MPI_Datatype receivedType) {
        return {"allgatherv " + std::move(name), [=, this](Library by) {
                    return (by == Library::alone ? PMPI_Allgatherv : MPI_Allgatherv)(from, sent, sentType, to, received,
                                                                                     places, receivedType, *comm_);
                }};
    }

    /// Runs both and compares what the program sees: class of the mistake, and calls of its handler. Each on a
    /// communicator of its own, since messages may be under way after a mistake.
    void compare(const std::vector<Mistake>& all) {
        for (const Mistake& mistake : all) {
            const auto alone = seen(mistake, Library::alone);
            EXPECT_EQ(seen(mistake, Library::withOurs), alone) << mistake.name;
        }
    }
    std::pair<int, int> seen(const Mistake& mistake, Library by) {
        comm_.emplace();
        return seenHere(mistake, by);
    }
    std::pair<int, int> seenHere(const Mistake& mistake, Library by) {
        Comm::told = 0;
        const int found = classOf(mistake.call(by));
        return {found, Comm::told};
    }

    const int broadcast_ = elementsFor("bcast/binomial-tree") / 2 * 2;
    const int reduced_ = elementsFor("allreduce/binomial-tree") / 2 * 2;
    const int each_ = elementsFor("allgatherv/linear-ring") / sizeOf(MPI_COMM_WORLD) / 2 * 2;
    MPI_Datatype sparse_ = MPI_DATATYPE_NULL;  ///< not committed, as is the next one
    MPI_Datatype pair_ = MPI_DATATYPE_NULL;
    std::vector<int> counts_;
    std::vector<int> places_;
    std::vector<std::int32_t> from_;
    std::vector<std::int32_t> to_;
    std::optional<Comm> comm_{std::in_place};
};

TEST_F(Mistakes, ofABroadcast) {
    std::vector<Mistake> all{bcast("of a type that is not committed", from_.data(), broadcast_ / 2, sparse_),
                             bcast("of no type", from_.data(), broadcast_, MPI_DATATYPE_NULL),
                             bcast("of fewer than nothing", from_.data(), -broadcast_, MPI_INT32_T),
                             bcast("from below", from_.data(), broadcast_, MPI_INT32_T, -5),
                             bcast("from beyond", from_.data(), broadcast_, MPI_INT32_T, sizeOf(*comm_))};
#ifdef OMPI_MAJOR_VERSION
    all.push_back(bcast("in place", MPI_IN_PLACE, broadcast_, MPI_INT32_T));
#else
    all.push_back(bcast("from nowhere", nullptr, broadcast_, MPI_INT32_T));
#endif
    compare(all);
}

TEST_F(Mistakes, ofAReduction) {
    void* const from = from_.data();
    void* const to = to_.data();
    std::vector<Mistake> all{
        allreduce("into place", from, MPI_IN_PLACE, reduced_, MPI_INT32_T, MPI_SUM),
        allreduce("in place into place", MPI_IN_PLACE, MPI_IN_PLACE, reduced_, MPI_INT32_T, MPI_SUM),
        allreduce("onto itself", from, from, reduced_, MPI_INT32_T, MPI_SUM),
        allreduce("of a type that is not committed", from, to, reduced_ / 2, pair_, MPI_SUM),
        allreduce("of no type", from, to, reduced_, MPI_DATATYPE_NULL, MPI_SUM),
        allreduce("by nothing", from, to, reduced_, MPI_INT32_T, MPI_OP_NULL),
        allreduce("by an operation of other types", from, to, reduced_ / 2, MPI_DOUBLE, MPI_BAND),
        allreduce("by an operation of pairs", from, to, reduced_, MPI_INT32_T, MPI_MINLOC),
        allreduce("of pairs by one of numbers", from, to, reduced_ / 2, MPI_2INT, MPI_SUM),
        allreduce("by replacing", from, to, reduced_, MPI_INT32_T, MPI_REPLACE)};
#ifdef OMPI_MAJOR_VERSION
    all.push_back(allreduce("of fewer than nothing", from, to, -reduced_, MPI_INT32_T, MPI_SUM));
#else
    all.push_back(allreduce("from nowhere", nullptr, to, reduced_, MPI_INT32_T, MPI_SUM));
    all.push_back(allreduce("to nowhere", from, nullptr, reduced_, MPI_INT32_T, MPI_SUM));
#endif
    compare(all);
}

TEST_F(Mistakes, ofAGathering) {
    void* const from = from_.data();
    void* const to = to_.data();
    void* const own = to_.data() + std::ptrdiff_t{each_} * rankIn(*comm_);
    std::vector<Mistake> all{
        allgather("into place", from, each_, MPI_INT32_T, MPI_IN_PLACE, each_, MPI_INT32_T),
        allgather("in place into place", MPI_IN_PLACE, each_, MPI_INT32_T, MPI_IN_PLACE, each_, MPI_INT32_T),
        allgather("from where it belongs", own, each_, MPI_INT32_T, to, each_, MPI_INT32_T),
        allgather("from a type that is not committed", from, each_ / 2, pair_, to, each_, MPI_INT32_T),
        allgather("to a type that is not committed", from, each_, MPI_INT32_T, to, each_ / 2, pair_),
        allgather("from no type", from, each_, MPI_DATATYPE_NULL, to, each_, MPI_INT32_T),
        allgather("to no type", from, each_, MPI_INT32_T, to, each_, MPI_DATATYPE_NULL),
        allgather("from fewer than nothing", from, -each_, MPI_INT32_T, to, each_, MPI_INT32_T),
        allgather("to fewer than nothing", from, each_, MPI_INT32_T, to, -each_, MPI_INT32_T),
        allgather("of more than there is room for", from, each_ + 1, MPI_INT32_T, to, each_, MPI_INT32_T),
        allgather("of less than there is room for", from, each_ - 1, MPI_INT32_T, to, each_, MPI_INT32_T)};
#ifndef OMPI_MAJOR_VERSION
    all.push_back(allgather("from nowhere", nullptr, each_, MPI_INT32_T, to, each_, MPI_INT32_T));
    all.push_back(allgather("to nowhere", from, each_, MPI_INT32_T, nullptr, each_, MPI_INT32_T));
#endif
    compare(all);
}

TEST_F(Mistakes, ofAGatheringOfDifferentSizes) {
    void* const from = from_.data();
    void* const to = to_.data();
    void* const own = to_.data() + std::ptrdiff_t{each_} * rankIn(*comm_);
    const int* const counts = counts_.data();
    const int* const places = places_.data();
    std::vector<Mistake> all{
        allgatherv("into place", from, each_, MPI_INT32_T, MPI_IN_PLACE, counts, places, MPI_INT32_T),
        allgatherv("in place into place", MPI_IN_PLACE, each_, MPI_INT32_T, MPI_IN_PLACE, counts, places, MPI_INT32_T),
        allgatherv("from where it belongs", own, each_, MPI_INT32_T, to, counts, places, MPI_INT32_T),
        allgatherv("from a type that is not committed", from, each_ / 2, pair_, to, counts, places, MPI_INT32_T),
        allgatherv("from no type", from, each_, MPI_DATATYPE_NULL, to, counts, places, MPI_INT32_T),
        allgatherv("to no type", from, each_, MPI_INT32_T, to, counts, places, MPI_DATATYPE_NULL),
        allgatherv("of more than there is room for", from, each_ + 1, MPI_INT32_T, to, counts, places, MPI_INT32_T),
        allgatherv("of less than there is room for", from, each_ - 1, MPI_INT32_T, to, counts, places, MPI_INT32_T)};
#ifdef OMPI_MAJOR_VERSION
    all.push_back(allgatherv("to no places", from, each_, MPI_INT32_T, to, counts, nullptr, MPI_INT32_T));
#else
    all.push_back(allgatherv("from nowhere", nullptr, each_, MPI_INT32_T, to, counts, places, MPI_INT32_T));
    all.push_back(allgatherv("to nowhere", from, each_, MPI_INT32_T, nullptr, counts, places, MPI_INT32_T));
    all.push_back(allgatherv("to a type that is not committed", from, each_, MPI_INT32_T, to, counts, places, pair_));
#endif
    compare(all);
}

TEST_F(Mistakes, ofOtherReductions) {
    void* const from = from_.data();
    void* const to = to_.data();
    const auto with = [&](const std::string& name, auto alone, auto ours, int count) {
        const auto one = [&](const std::string& what, const void* in, void* out, int elements, MPI_Datatype type,
                             MPI_Op operation) {
            return Mistake{name + ' ' + what, [=, this](Library by) {
                               return (by == Library::alone ? alone : ours)(in, out, elements, type, operation, *comm_);
                           }};
        };
        compare({one("of a type that is not committed", from, to, count / 2, pair_, MPI_SUM),
                 one("of no type", from, to, count, MPI_DATATYPE_NULL, MPI_SUM),
                 one("by nothing", from, to, count, MPI_INT32_T, MPI_OP_NULL),
                 one("by an operation of other types", from, to, count / 2, MPI_DOUBLE, MPI_BAND)});
#ifndef OMPI_MAJOR_VERSION
        // Open MPI ends in a crash itself.
        compare({one("into place", from, MPI_IN_PLACE, count, MPI_INT32_T, MPI_SUM)});
#endif
    };
    const int scanned = elementsFor("scan/linear") / 2 * 2;
    with("scan", PMPI_Scan, MPI_Scan, scanned);
    with("exscan", PMPI_Exscan, MPI_Exscan, scanned);
    with("reduce_scatter_block", PMPI_Reduce_scatter_block, MPI_Reduce_scatter_block,
         elementsFor("reduce-scatter/ring") / sizeOf(*comm_) / 2 * 2);
}

TEST_F(Mistakes, ofRootedCalls) {
    void* const from = from_.data();
    void* const to = to_.data();
    const int reduced = elementsFor("reduce/flat") / 2 * 2;
    const int each = elementsFor("gatherv/flat") / sizeOf(*comm_) / 2 * 2;
    const auto reduce = [&](const std::string& what, int count, MPI_Datatype type, MPI_Op operation, int root) {
        return Mistake{"reduce " + what, [=, this](Library by) {
                           return (by == Library::alone ? PMPI_Reduce : MPI_Reduce)(from, to, count, type, operation,
                                                                                    root, *comm_);
                       }};
    };
    const auto gather = [&](const std::string& what, int sent, MPI_Datatype sentType, int root) {
        return Mistake{"gather " + what, [=, this](Library by) {
                           return (by == Library::alone ? PMPI_Gather : MPI_Gather)(from, sent, sentType, to, each,
                                                                                    MPI_INT32_T, root, *comm_);
                       }};
    };
    compare({reduce("to below", reduced, MPI_INT32_T, MPI_SUM, -5),
             reduce("to beyond", reduced, MPI_INT32_T, MPI_SUM, sizeOf(*comm_)),
             reduce("of no type", reduced, MPI_DATATYPE_NULL, MPI_SUM, 0),
             reduce("by an operation of other types", reduced / 2, MPI_DOUBLE, MPI_BAND, 0),
             gather("to below", each, MPI_INT32_T, -5), gather("to beyond", each, MPI_INT32_T, sizeOf(*comm_)),
             gather("from no type", each, MPI_DATATYPE_NULL, 0), gather("of fewer than nothing", -each, MPI_INT32_T, 0),
             gather("from a type that is not committed", each / 2, pair_, 0)});
}

TEST_F(Mistakes, ofAnExchange) {
    void* const from = from_.data();
    void* const to = to_.data();
    const int each = elementsFor("alltoallv/flat") / sizeOf(*comm_) / sizeOf(*comm_) / 2 * 2;
    const auto alltoall = [&](const std::string& what, int sent, MPI_Datatype sentType, void* out, int received,
                              MPI_Datatype type) {
        return Mistake{"alltoall " + what, [=, this](Library by) {
                           return (by == Library::alone ? PMPI_Alltoall : MPI_Alltoall)(from, sent, sentType, out,
                                                                                        received, type, *comm_);
                       }};
    };
    compare({alltoall("into place", each, MPI_INT32_T, MPI_IN_PLACE, each, MPI_INT32_T),
             alltoall("from no type", each, MPI_DATATYPE_NULL, to, each, MPI_INT32_T),
             alltoall("to no type", each, MPI_INT32_T, to, each, MPI_DATATYPE_NULL),
             alltoall("from fewer than nothing", -each, MPI_INT32_T, to, each, MPI_INT32_T),
             alltoall("from a type that is not committed", each / 2, pair_, to, each, MPI_INT32_T)});
}

/// Calls that do not block say at once, or when they are waited for, what the library alone says.
TEST_F(Mistakes, ofCallsThatDoNotBlock) {
    const auto wait = [](int code, MPI_Request& request) {
        return code != MPI_SUCCESS || request == MPI_REQUEST_NULL ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
    };
    const auto ibcast = [&](const std::string& what, int count, MPI_Datatype type, int root) {
        return Mistake{"ibcast " + what, [=, this](Library by) {
                           MPI_Request request = MPI_REQUEST_NULL;
                           const int code = (by == Library::alone ? PMPI_Ibcast : MPI_Ibcast)(from_.data(), count, type,
                                                                                              root, *comm_, &request);
                           return wait(code, request);
                       }};
    };
    const int count = elementsFor(engine::algorithmsFor(engine::Collective::bcast).front()->id.c_str());
    compare({ibcast("of no type", count, MPI_DATATYPE_NULL, 0), ibcast("from below", count, MPI_INT32_T, -5),
             ibcast("of fewer than nothing", -count, MPI_INT32_T, 0)});
}

TEST_F(Mistakes, ofACommunicator) {
    void* const from = from_.data();
    void* const to = to_.data();
    const auto same = [](int ours, int alone) {
        EXPECT_EQ(classOf(ours), classOf(alone));
        EXPECT_EQ(classOf(ours), MPI_ERR_COMM);
    };
    const MPI_Comm none = MPI_COMM_NULL;
    same(MPI_Barrier(none), PMPI_Barrier(none));
    same(MPI_Bcast(from, broadcast_, MPI_INT32_T, 0, none), PMPI_Bcast(from, broadcast_, MPI_INT32_T, 0, none));
    same(MPI_Allreduce(from, to, reduced_, MPI_INT32_T, MPI_SUM, none),
         PMPI_Allreduce(from, to, reduced_, MPI_INT32_T, MPI_SUM, none));
    // Open MPI's allgathers end in a crash themselves.
}

/// Where only one process is wrong, its own call ends as the library's does.
TEST_F(Mistakes, ofOneProcessAlone) {
    const bool wrong = rankIn(*comm_) == sizeOf(*comm_) - 1;
    if (!wrong) return;
    const Mistake mistake = allreduce("into place", from_.data(), MPI_IN_PLACE, reduced_, MPI_INT32_T, MPI_SUM);
    const auto alone = seenHere(mistake, Library::alone);
    EXPECT_EQ(seenHere(mistake, Library::withOurs), alone);
}

}  // namespace
