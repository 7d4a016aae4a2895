-- SPDX-License-Identifier: BSD-3-Clause
-- Blocks of the vector go round a ring twice, first growing, then complete: two parts, one after the other.
algorithm {
  collective = "allreduce",
  title = "Ring, written in Lua",
  idea = "Blocks of the vector go round a ring twice, first growing, then complete.",
  wiring = "ring",
  demands = function()
    if n < 2 then return "needs two ranks at least" end
  end,
  parts = {
    {
      name = "combine round the ring",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        send((rank + 1) % n, block((rank - 1 - round) % n))
        combine((rank - 1) % n, block((rank - 2 - round) % n), "left")
      end,
    },
    {
      name = "spread round the ring",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        send((rank + 1) % n, block((rank - round) % n))
        receive((rank - 1) % n, block((rank - 1 - round) % n))
      end,
    },
  },
}
