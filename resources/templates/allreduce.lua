-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "allreduce",
  title = "To one rank, and back",
  idea = "Rank 0 combines all vectors and sends the result to everyone.",
  parts = {
    {
      name = "combine",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        if rank == round + 1 then
          send(0, all())
        elseif rank == 0 then
          combine(round + 1, all())
        end
      end,
    },
    {
      name = "spread",
      rounds = function() return n - 1 end,
      turn = function(rank, round)
        if rank == 0 then
          send(round + 1, all())
        elseif rank == round + 1 then
          receive(0, all())
        end
      end,
    },
  },
}
