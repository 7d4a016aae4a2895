-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "bcast",
  title = "One after the other",
  idea = "The root sends the message to one rank in each round.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local to = (root + 1 + round) % n
  if rank == root then
    send(to, all())
  elseif rank == to then
    receive(root, all())
  end
end
