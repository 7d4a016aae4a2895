// SPDX-License-Identifier: BSD-3-Clause
// Problems for tests over the whole catalogue: every algorithm, present and future, meets all of its collective's.
#pragma once

#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <string>
#include <vector>

namespace support {

/// Problems of `collective` up to `most` ranks (per group), with even, odd, prime and unequal sizes.
inline std::vector<engine::Problem> problemsFor(engine::Collective collective, int most) {
    using engine::Collective;
    std::vector<engine::Problem> problems;
    const std::vector<engine::Bytes> sizes{12, 7, 0, 24, 5, 1, 36, 2};
    const auto uneven = [&](int count, int by, int from) {
        std::vector<engine::Bytes> each;
        for (int i = 0; i < count; ++i) each.push_back(sizes[static_cast<std::size_t>(i * by + from) % 8]);
        return engine::Layout::irregular(each);
    };
    const auto add = [&](int p, int q, engine::Layout layout, int root = 0) {
        problems.push_back({.collective = collective,
                            .groupA = p,
                            .groupB = q,
                            .layout = std::move(layout),
                            .root = engine::Rank{root}});
    };
    const auto even = [](int count, engine::Bytes each) { return engine::Layout::regular(count, each); };
    const auto within = [&](int p) {
        switch (collective) {
            case Collective::bcast:
                for (const int root : {0, p / 2, p - 1}) problems.push_back(bcast(p, root, sizes[p % 8]));
                break;
            case Collective::gatherv:
            case Collective::scatterv:
                for (const int root : {0, p / 2, p - 1}) add(p, 0, root == 0 ? even(p, 12) : uneven(p, 5, p), root);
                break;
            case Collective::allgatherv:
                add(p, 0, even(p, 12));
                add(p, 0, uneven(p, 5, p));
                break;
            case Collective::alltoallv:
                add(p, 0, even(p * p, 12));
                add(p, 0, uneven(p * p, 3, p));
                break;
            case Collective::reduce:
                for (const int root : {0, p / 2, p - 1}) add(p, 0, even(p, 4 * sizes[(p + root) % 8]), root);
                break;
            case Collective::barrier: problems.push_back(barrier(p)); break;
            default: add(p, 0, even(p, 4 * sizes[p % 8]));
        }
    };
    const auto between = [&](int p, int q) {
        switch (collective) {
            case Collective::halfduplexAllgather: problems.push_back(halfduplex(p, q, sizes[(p + q) % 8])); break;
            case Collective::intergroupAllgatherv:
                add(p, q, uneven(p + q, 3, q));
                add(p, q, even(p + q, 12));
                break;
            case Collective::intergroupAlltoallv:
                add(p, q, uneven(2 * p * q, 3, q));
                add(p, q, even(2 * p * q, 12));
                break;
            case Collective::intergroupBcast:
                for (const int root : {0, p - 1, p, p + q - 1}) add(p, q, even(1, sizes[(p + q) % 8]), root);
                break;
            case Collective::intergroupReduce:
                for (const int root : {0, p - 1, p, p + q - 1}) add(p, q, even(p + q, 4 * sizes[(p + q) % 8]), root);
                break;
            default: add(p, q, even(p + q, 4 * sizes[(p + q) % 8]));
        }
    };
    for (int p = 1; p <= most; ++p) {
        if (!isIntergroup(collective)) within(p);
        else
            for (int q = 1; q <= most; ++q) between(p, q);
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
