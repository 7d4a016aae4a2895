-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "scan",
  title = "Chain",
  idea = "Each rank combines what comes from below with its own vector, and passes it on.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  if rank == round then
    send(rank + 1, all())
  elseif rank == round + 1 then
    combine(rank - 1, all(), "left")
  end
end
