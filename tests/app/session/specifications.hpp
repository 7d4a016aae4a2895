// SPDX-License-Identifier: BSD-3-Clause
// Random specifications of runs, as a user could ask for them.
#pragma once

#include "app/session/options/models.hpp"
#include "app/session/options/specification.hpp"

#include <random>

namespace app {

class SpecificationDraw {
public:
    explicit SpecificationDraw(std::uint32_t seed) : engine_{seed} {}

    Specification next() {
        Specification drawn;
        RunWish& run = drawn.run;
        run.on = of<std::string>({"virtual", "virtual", "threads", "mpi"});
        run.algorithm = of<std::string>({"bcast/pipelined-chain", "allgatherv/linear-ring", "allreduce/bruck",
                                         "barrier/dissemination", "intergroup-allgatherv/balanced",
                                         "halfduplex-allgather/ring-belts"});
        drawProblem(drawn);
        if (run.on != "threads") drawCosts(drawn);
        if (run.on == "virtual") drawConditions(run);
        if (run.on != "virtual") drawMeasuring(drawn);
        else if (run.algorithm.starts_with("allreduce/") && !run.network.neighboursOnly && maybe()) drawHalves(drawn);
        return drawn;
    }

    bool maybe() { return engine_() % 2 == 0; }
    template <class Value>
    Value of(std::initializer_list<Value> values) {
        return *(values.begin() + engine_() % values.size());
    }

    engine::Model model() {
        engine::Model drawn;
        switch (engine_() % 5) {
            case 0: return drawn;
            case 1: return models()[engine_() % models().size()].model;
            case 2:
                drawn = models()[engine_() % models().size()].model;
                drawn.gamma = engine::Rate{123'457};
                drawn.gammaOf[engine::Operation::max] = engine::Rate{654'321};
                drawn.eagerLimit = 1000;
                drawn.name += "-changed";
                return drawn;
            case 3: drawn.name = "mine"; break;
            default: break;
        }
        drawn.alpha = engine::Picoseconds{of<std::int64_t>({0, 77, 1'234'567, 3'700'000})};
        drawn.beta = engine::Rate{of<std::int64_t>({0, 1, 123'457, 2'491'500})};
        if (maybe()) drawn.gammaOf[engine::Operation::user] = engine::Rate{77};
        if (maybe()) drawn.eagerLimit = of<engine::Bytes>({0, 999, 65536});
        if (maybe()) drawn.logGP = engine::LogGP{.latency = engine::Picoseconds{5'000'001}};
        return drawn;
    }

private:
    void drawProblem(Specification& drawn) {
        RunWish& run = drawn.run;
        ProblemWish& problem = run.problem;
        const std::string collective = run.algorithm.substr(0, run.algorithm.find('/'));
        const bool two = collective == "intergroup-allgatherv" || collective == "halfduplex-allgather";
        if (two) {
            problem.groupA = 1 + engine_() % 9;
            problem.groupB = 1 + engine_() % 9;
        } else {
            problem.ranks = 1 + engine_() % 99;
        }
        if (collective != "barrier") problem.size = of<engine::Bytes>({0, 1, 12, 1000, 65536, 3 << 20, 1 << 30});
        if (collective == "intergroup-allgatherv" && maybe()) problem.sizeB = 1 + engine_() % 99;
        if (two || collective == "allgatherv") problem.sizes = of<std::string>({"regular", "spike", "@it's a file"});
        if (collective == "bcast") problem.root = engine_() % 3;
        if (collective == "allreduce") {
            problem.operation = of({engine::Operation::sum, engine::Operation::min, engine::Operation::max});
            problem.element = of({engine::Element::int32, engine::Element::float64});
        }
        problem.ports = of({1, 2, 64});
        run.network.topology =
            of<std::string>({"", "ring", "torus:4x4,ties=simgrid", "cluster:4,inside=0.3us+0.1ns/B"});
        run.network.placement = of<std::string>({"", "snake", "random:7", "@places"});
        run.network.neighboursOnly = maybe();
        if (maybe()) run.options = {{"segments", "4"}, {"word", "a b'c"}};
    }

    void drawCosts(Specification& drawn) {
        drawn.run.model = model();
        if (drawn.run.on == "mpi" &&
            (drawn.run.model.logGP || drawn.run.model.eagerLimit || !drawn.run.model.gammaOf.empty()))
            drawn.run.model = {};
        drawn.costsKnown = !(drawn.run.model == engine::Model{}) || maybe();
    }

    void drawConditions(RunWish& run) {
        run.stepping = of({emulation::Stepping::free, emulation::Stepping::lockstep});
        run.sharing = of({emulation::Sharing::bottleneck, emulation::Sharing::fair, emulation::Sharing::fairWeighted,
                          emulation::Sharing::none});
        if (maybe()) run.protocol = {.header = 16, .detached = 4096};
        run.perturbation.arrival =
            emulation::readArrival(of<const char*>({"none", "random:1ms,7", "ramp:1234567ps", "late:3,20us"}));
        if (maybe()) run.perturbation.slowRanks = emulation::readSlowRanks("3:2.5,7:4");
        if (maybe()) run.perturbation.slowLinks = emulation::readSlowLinks("3-4:8,s0-1:1.125");
    }

    void drawHalves(Specification& drawn) {
        drawn.split.emplace();
        drawn.split->background = maybe();
        if (!drawn.split->background)
            drawn.split->at = {engine::splitphase::Nanoseconds{5}, engine::splitphase::Nanoseconds{1'234'567}};
        if (maybe()) drawn.split->looking = engine::splitphase::Nanoseconds{99};
    }

    void drawMeasuring(Specification& drawn) {
        if (drawn.run.algorithm.starts_with("allreduce/") && !drawn.run.network.neighboursOnly && maybe()) {
            drawn.split.emplace();
            if (drawn.run.on == "mpi" && maybe()) drawn.split->by = engine::splitphase::By::twoSided;
            if (maybe()) drawn.split->compute = engine::splitphase::Nanoseconds{1'234'567};
            drawn.split->tests = of({0, 1, 16, 99});
            if (maybe()) drawn.split->timeout = engine::splitphase::Nanoseconds{77};
        }
        if (drawn.run.on == "mpi" || drawn.split) {
            if (maybe()) drawn.repeats = 1 + static_cast<std::int32_t>(engine_() % 9);
            if (maybe()) drawn.warmUps = static_cast<std::int32_t>(engine_() % 9);
            drawn.check = maybe();
        }
        if (drawn.run.on != "mpi") return;
        if (maybe()) drawn.against = {"native", "bcast/flat:groups=2"};
        drawn.launcher.command = of<std::string>({"", "mpiexec", "srun -n 8"});
        drawn.launcher.hostfile = of<std::string>({"", "/etc/my hosts"});
        drawn.launcher.lab = maybe();
    }

    std::mt19937 engine_;
};

}  // namespace app
