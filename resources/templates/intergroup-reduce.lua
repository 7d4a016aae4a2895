-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "intergroup-reduce",
  title = "One after the other",
  idea = "The root combines, in slot 1, what one rank of the other group sends in each round.",
  slots = 2,
  own = { 0 },
  result = 1,
}

-- The ranks of the group that the root is not in.
local function other(round)
  return root < p and p + round or round
end

function rounds()
  return root < p and q or p
end

function turn(rank, round)
  if rank == other(round) then
    send(root, all(), 0)
  elseif rank == root then
    combine(other(round), all(), 1)
  end
end
