-- SPDX-License-Identifier: BSD-3-Clause
local function levels()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

algorithm {
  collective = "allreduce",
  title = "Up a tree, and down",
  idea = "Vectors are combined up a binomial tree; the result goes down the same way.",
  parts = {
    {
      name = "up",
      rounds = levels,
      turn = function(rank, round)
        local far = 1 << round
        if rank % (2 * far) == far then
          send(rank - far, all())
        elseif rank % (2 * far) == 0 and rank + far < n then
          combine(rank + far, all())
        end
      end,
    },
    {
      name = "down",
      rounds = levels,
      turn = function(rank, round)
        local far = 1 << (levels() - 1 - round)
        if rank % (2 * far) == far then
          receive(rank - far, all())
        elseif rank % (2 * far) == 0 and rank + far < n then
          send(rank + far, all())
        end
      end,
    },
  },
}
