-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "reduce",
  title = "One after the other",
  idea = "The root combines its vector with that of one rank in each round.",
}

function rounds()
  return n - 1
end

function turn(rank, round)
  local from = (root + 1 + round) % n
  if rank == from then
    send(root, all())
  elseif rank == root then
    combine(from, all())
  end
end
