// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/wait_call_path.hpp"

namespace app::analysis {

PathOfRank& PathOfWaits::of(engine::Rank rank, ThreadNumber thread, WaitKind kind) {
    if (groupOf(kind) != WaitGroup::threads && thread == 0)
        return ofRanks_.try_emplace(rank, paths_, rank).first->second;
    return ofThreads_.try_emplace({rank, thread}, paths_, rank, threads_.locationOf(rank, thread)).first->second;
}

}  // namespace app::analysis
