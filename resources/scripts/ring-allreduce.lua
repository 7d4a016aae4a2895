-- SPDX-License-Identifier: BSD-3-Clause
-- A ring reduce-scatter followed by a ring allgather: two parts, one after the other.
algorithm {
  collective = "allreduce",
  title = "Ring, written in Lua",
  idea = "A ring reduce-scatter followed by a ring allgather.",
  wiring = "ring",
  demands = function()
    if n < 2 then return "needs two ranks at least" end
  end,
  parts = {
    {
      name = "reduce-scatter",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        send((rank + 1) % n, block((rank - 1 - round) % n))
        combine((rank - 1) % n, block((rank - 2 - round) % n), "left")
      end,
    },
    {
      name = "allgather",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        send((rank + 1) % n, block((rank - round) % n))
        receive((rank - 1) % n, block((rank - 1 - round) % n))
      end,
    },
  },
}
