// SPDX-License-Identifier: BSD-3-Clause
// What names in traces of PyTorch mean: kernels of NCCL and RCCL, names of collectives, element types.
#pragma once

#include "traces/recording/recording.hpp"
#include "traces/recording/training.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace traces::kineto {

/// What a kernel or an operation of a communication library does.
struct Communication {
    Operation operation = Operation::unknown;  ///< unknown: a point-to-point transfer, or nothing says which
    Call call = Call::collective;
    std::string name;        ///< "all_reduce", "send", "SendRecv"
    bool wellKnown = false;  ///< the operation is said; else an operation's name must be looked for elsewhere
};

/// Of a kernel, by the versions of the library:
///   NCCL before 2.8    "ncclAllReduceRingLLKernel_sum_f32(ncclColl)", before 2.4 "ncclAllReduceLLKernel_sum_f32(...)"
///   2.8 to 2.18        "ncclKernel_AllReduce_RING_LL_Sum_float(...)"
///   since 2.19         "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)"; since 2.27 also "ncclSymkDevKernel_..."
///   RCCL               likewise; for all operations "rccl_main_kernel(...)", "ncclDevKernel_Generic_4(...)" and
///                      "mscclKernel_Sum_half_Simple_false(...)"
/// Nothing of a kernel that computes. Each kernel of NCCL carries out every protocol, and is called after LL, which
/// alone is compiled into it; since 2.19 those called after RING also carry out every algorithm but the tree.
struct CommunicationKernel {
    Communication does;
    Ran ran;  ///< as the name has it; the element type is that of the kernel, by which sums are, and left empty
};
std::optional<CommunicationKernel> communicationKernel(std::string_view name);

/// Of a collective by PyTorch's name: "allreduce", "_allgather_base", "nccl:all_reduce", "gloo:all_gather", "send";
/// nothing where the name is none.
std::optional<Communication> communicationNamed(std::string_view name);

/// Bytes of an element: "Float" 4, "BFloat16" 2, "Long" 8, "unsigned char" 1; 0 where the name is not known.
Bytes elementBytes(std::string_view type);

/// Without return type, template arguments and parameters: "at::native::elementwise_kernel".
std::string shortName(std::string_view kernel);

}  // namespace traces::kineto
