-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "intergroup-bcast",
  title = "One after the other",
  idea = "The root sends the message to one rank of the other group in each round.",
}

-- The ranks of the group that the root is not in.
local function other(round)
  return root < p and p + round or round
end

function rounds()
  return root < p and q or p
end

function turn(rank, round)
  if rank == root then
    send(other(round), all())
  elseif rank == other(round) then
    receive(root, all())
  end
end
