-- SPDX-License-Identifier: BSD-3-Clause
-- A broadcast written move by move: one row a message, as round, sender, receiver; rounds are counted from 1.
algorithm {
  collective = "bcast",
  title = "Moves, written by hand",
}

local moves = {
  { 1, 0, 1 },
  { 2, 0, 3 }, { 2, 1, 2 },
}

function rounds()
  local last = 0
  for _, move in ipairs(moves) do last = math.max(last, move[1]) end
  return last
end

function turn(rank, round)
  for _, move in ipairs(moves) do
    if move[1] == round + 1 and move[2] == rank then send(move[3], all()) end
    if move[1] == round + 1 and move[3] == rank then receive(move[2], all()) end
  end
end
