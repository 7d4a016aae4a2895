-- SPDX-License-Identifier: BSD-3-Clause
-- Every block goes once around the ring as a whole.
algorithm {
  collective = "allgatherv",
  title = "Ring, written in Lua",
  idea = "Every block goes once around the ring as a whole.",
  wiring = "ring",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  send((rank + 1) % n, block((rank - round) % n))
  receive((rank - 1) % n, block((rank - round - 1) % n))
end
