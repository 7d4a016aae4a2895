-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "barrier",
  title = "Dissemination",
  idea = "Everyone tells a rank twice as far ahead in every round.",
}

function rounds()
  local count = 0
  while 1 << count < n do count = count + 1 end
  return count
end

function turn(rank, round)
  local far = 1 << round
  send((rank + far) % n)
  combine((rank - far) % n)
end
