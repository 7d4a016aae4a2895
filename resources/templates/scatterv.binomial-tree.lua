-- SPDX-License-Identifier: BSD-3-Clause
local function levels()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

algorithm {
  collective = "scatterv",
  title = "Binomial tree",
  idea = "Who holds blocks for others gives half of them away in every round.",
}

rounds = levels

function turn(rank, round)
  local far = 1 << (levels() - 1 - round)
  local me = (rank - root) % n -- as if the root were rank 0
  if me % (2 * far) == far then
    receive((rank - far) % n, blocks(rank, math.min(far, n - me)))
  elseif me % (2 * far) == 0 and me + far < n then
    local child = (rank + far) % n
    send(child, blocks(child, math.min(far, n - me - far)))
  end
end
