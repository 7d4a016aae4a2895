-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "gatherv",
  title = "One after the other",
  idea = "The root receives the block of one rank in each round.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local from = (root + 1 + round) % n
  if rank == from then
    send(root, block(rank))
  elseif rank == root then
    receive(from, block(from))
  end
end
