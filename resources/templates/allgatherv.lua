-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "allgatherv",
  title = "Ring",
  idea = "Each rank passes on what came last.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  send((rank + 1) % n, block((rank - round) % n))
  receive((rank - 1) % n, block((rank - round - 1) % n))
end
