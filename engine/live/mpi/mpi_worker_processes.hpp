// SPDX-License-Identifier: BSD-3-Clause
// The processes that one mpirun started, as worker processes. Knows no mpi.h.
#pragma once

#include "engine/live/mpi/world.hpp"
#include "engine/live/worker_processes.hpp"

#include <memory>

namespace engine::mpi {

class MpiWorkerProcesses final : public live::WorkerProcesses {
public:
    /// While MPI lives. In the end each process must call `part`.
    explicit MpiWorkerProcesses(const World& world);
    ~MpiWorkerProcesses() override;

    [[nodiscard]] bool leads() const override;
    [[nodiscard]] int members() const override;
    void lead(std::size_t first, std::size_t last, const std::function<void(std::size_t)>& own,
              const std::function<void(std::size_t, std::string_view)>& hear) override;
    void serve(const std::function<void(std::size_t, const live::Tell&)>& work) override;

    /// The first process lets the others go; they wait for it, whether they ever served or not.
    void part();

private:
    class Leader;
    std::unique_ptr<Leader> leader_;  ///< on the first process
    int members_ = 1;
    bool dismissed_ = false;
};

}  // namespace engine::mpi
