-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "scatterv",
  title = "One after the other",
  idea = "The root sends the block of one rank in each round.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local to = (root + 1 + round) % n
  if rank == root then
    send(to, block(to))
  elseif rank == to then
    receive(root, block(rank))
  end
end
