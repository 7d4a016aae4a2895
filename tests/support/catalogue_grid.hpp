// SPDX-License-Identifier: BSD-3-Clause
// Problems for tests over the whole catalogue: every algorithm, present and future, meets all of its collective's.
#pragma once

#include "engine/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <string>
#include <vector>

namespace support {

/// Problems of `collective` up to `most` ranks (per group), with even, odd, prime and unequal sizes.
inline std::vector<engine::Problem> problemsFor(engine::Collective collective, int most) {
    std::vector<engine::Problem> problems;
    const std::vector<engine::Bytes> sizes{12, 7, 0, 24, 5, 1, 36, 2};
    for (int p = 1; p <= most; ++p) {
        switch (collective) {
            case engine::Collective::bcast:
                for (const int root : {0, p / 2, p - 1}) problems.push_back(bcast(p, root, sizes[p % 8]));
                break;
            case engine::Collective::allgatherv: {
                problems.push_back(allgatherv(std::vector<engine::Bytes>(static_cast<std::size_t>(p), 12)));
                std::vector<engine::Bytes> uneven;
                for (int r = 0; r < p; ++r) uneven.push_back(sizes[static_cast<std::size_t>(r * 5 + p) % 8]);
                problems.push_back(allgatherv(uneven));
                break;
            }
            case engine::Collective::allreduce: problems.push_back(allreduce(p, 4 * sizes[p % 8])); break;
            case engine::Collective::barrier: problems.push_back(barrier(p)); break;
            case engine::Collective::halfduplexAllgather:
                for (int q = 1; q <= most; ++q) problems.push_back(halfduplex(p, q, sizes[(p + q) % 8]));
                break;
            case engine::Collective::intergroupAllgatherv:
                for (int q = 1; q <= most; ++q) {
                    std::vector<engine::Bytes> uneven;
                    for (int r = 0; r < p + q; ++r) uneven.push_back(sizes[static_cast<std::size_t>(r * 3 + q) % 8]);
                    problems.push_back({.collective = collective,
                                        .groupA = p,
                                        .groupB = q,
                                        .layout = engine::Layout::irregular(uneven)});
                    problems.push_back({.collective = collective,
                                        .groupA = p,
                                        .groupB = q,
                                        .layout = engine::Layout::regular(p + q, 12)});
                }
                break;
        }
    }
    return problems;
}

/// "ring-belts" is no test name: letters, digits and _ only.
inline std::string testName(const engine::Algorithm* algorithm) {
    std::string name = algorithm->id;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

}  // namespace support
