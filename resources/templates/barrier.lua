-- SPDX-License-Identifier: BSD-3-Clause
algorithm {
  collective = "barrier",
  title = "Dissemination",
  idea = "In round k a rank signs to the one 2^k further: after the last one all have heard of all.",
}

function rounds()
  local count = 0
  while 1 << count < n do
    count = count + 1
  end
  return count
end

function turn(rank, round)
  send((rank + (1 << round)) % n)
  combine((rank - (1 << round)) % n)
end
