# SPDX-License-Identifier: BSD-3-Clause
"""Algorithm scripts that mean harm, from a grammar: every statement is valid Lua, most take time, memory or depth without end.

Mutations of valid scripts (mutations.py) rarely get past the parser; these always do.
"""

NUMBERS = ("0", "-1", "1", "3", "2^31", "2^53", "1e308", "-1e308", "0/0", "1/0", "9007199254740993", "0x7fffffffffffffff",
           "math.mininteger", "math.maxinteger", "n", "n * 1e9", "4294967296", "100000000")
STRINGS = ("''", "'x'", "('x'):rep(1e7)", "('x'):rep(2^31)", "('ab'):rep(1e5, ('c'):rep(1e4))", "'\\0\\27[31m\\u{202e}'", "tostring({})",
           "('%s'):format(('y'):rep(1e6))", "('%99.99f'):format(1e308)", "table.concat({('z'):rep(1e6), ('z'):rep(1e6)})")
PATTERNS = ("('a'):rep(40) .. 'b'", "'(' .. ('a*'):rep(30) .. ')b'", "('.-'):rep(25) .. 'x'", "'%f[%w]' .. ('[^x]-'):rep(20)", "('('):rep(40)")
# %s: an expression, %b: a block of statements
EXPRESSIONS = ("{%s, %s}", "{[%n] = %s}", "(%s) .. (%t)", "#(%t)", "(%n) // (%n)", "(%n) %% (%n)", "(%n) << 60", "tostring(%s)", "tonumber(%t)",
               "select('#', table.unpack({}, 1, %n))", "(%t):rep(%n)", "(%t):rep(1e6):gsub(%p, '%%0%%0')", "(%t):find(%p)",
               "(('a'):rep(5e4)):match(%p)", "math.floor(%n)", "function() %b return %s end", "(function() %b return %s end)()", "utf8.char(%n)",
               "(%t):byte(1, %n)", "send", "block(%n)", "...", "ipairs({%s})", "{table.unpack({%s, %s}, 1, 200)}", "math.max(%n, %n)",
               "(function(...) return select('#', ...) end)(table.unpack({}, 1, 200))", "({%s})[1]", "not (%s)", "(%s) == (%s)", "(%n) < (%n)")
STATEMENTS = ("local v = %s", "g = %s", "while true do %b end", "repeat %b until false", "for i = 1, %n do %b end", "for i = 1, 1e7 do %b end",
              "for i = 1, 200 do local t = {} t[2^i] = i end", "goto again ::again:: %b", "local t = {} for i = 1, 1e7 do t[i] = {i} end",
              "local t = {} for i = 1, 40 do t = {t, t} end error(t)",
              "local t = {} t[1] = t table.sort({t, t, t, t}, function(a, b) return true end)",
              "local t = {} for i = 1, 1e5 do t[i] = i %% 7 end table.sort(t, function(a, b) while true do end end)", "table.move({}, 1, %n, 2)",
              "table.insert({}, %n, 1)", "local function f() return f() end f()", "local function f() return 1 + f() end f()",
              "local function f(...) return f(1, ...) end f()", "local s = 'x' while true do s = s .. s end", "error(%s)", "n = %s",
              "send(%n, block(%n))", "receive(%n, block(%n))", "for i = 1, 1e6 do send(0, block(0)) end", "send(%s, %s)",
              "do local x <close> = %s end", "for i, v in ipairs({%s, %s}) do %b end", "local t = {} for i = 1, 1e5 do t[#t + 1] = {} end",
              "local t = {} for i = 1, 1e6 do t['k' .. i] = i end", "table.sort({%s, %s, %s})",
              "local t = {} for i = 1, 3e4 do t[i] = -i end for i = 1, 1e4 do table.sort(t) end",
              "local t = {} for i = 1, 1e4 do table.insert(t, 1, i) end", "local s = '' for i = 1, 1e5 do s = s .. i end",
              "table.concat({%t, %t}, %t)")
# What scripts may not name: refused before anything runs.
FOREIGN = ("table.unpack(setmetatable({}, {__index = function(t, i) return i end}), 1, 250)", "string.format(%t, %s, %s)",
           "pcall(function() %b end)", "setmetatable({}, {__index = function(t, k) return t[k] end})",
           "setmetatable({}, {__len = function() return %n end})", "setmetatable({}, {__tostring = function() return ('q'):rep(1e7) end})",
           "setmetatable({}, {__gc = function() while true do end end})", "setmetatable({}, {__close = function() while true do end end})",
           "setmetatable({}, {__eq = function() %b end})", "setmetatable({}, {__concat = function(a, b) return a .. b end})",
           "setmetatable({}, {__mode = 'kv'})", "coroutine.wrap(function() %b end)",
           "coroutine.create(function() while true do coroutine.yield() end end)", "load(%t)", "require(%t)", "io.open(%t)", "os.exit(7)",
           "debug.getinfo(1)", "collectgarbage('count')", "string.dump(function() end)", "next(%s)", "rawlen(%s)", "_G", "_ENV",
           "string.char(255, 254, 0)")


def grown(chance):
    def expression(depth):
        if depth <= 0:
            return chance.choice(NUMBERS + STRINGS)
        return filled(chance.choice(FOREIGN if chance.random() < 0.01 else EXPRESSIONS), depth - 1)

    def filled(form, depth):
        pieces = form.replace("%%", "\0").split("%")
        words = pieces[0]
        for piece in pieces[1:]:
            kind, rest = piece[0], piece[1:]
            words += {"n": lambda: chance.choice(NUMBERS), "t": lambda: "(" + chance.choice(STRINGS) + ")",
                      "p": lambda: chance.choice(PATTERNS), "s": lambda: expression(depth), "b": lambda: block(depth)}[kind]() + rest
        return words.replace("\0", "%")

    def block(depth):
        return " ".join("do " + filled(chance.choice(STATEMENTS), depth - 1) + " end" if depth > 0 else "local w = 1"
                        for _ in range(chance.choice((1, 1, 2))))

    places = [chance.random() < 0.4 for _ in range(4)]
    top, rounds, turn, field = (block(3) if place else "" for place in places)
    value = expression(2) if places[3] else "'title'"
    collective = chance.choice(("allgatherv", "bcast", "allreduce", "barrier", "alltoallv"))
    parts = f", parts = {expression(2)}" if chance.random() < 0.15 else ""
    return f"""{top}
algorithm {{ collective = "{collective}", title = {value}{parts} }}
function rounds() {rounds} return {chance.choice(("n - 1", "n - 1", expression(1)))} end
function turn(rank, round) {turn}
  send((rank + 1) % n, block((rank - round) % n)) receive((rank - 1) % n, block((rank - round - 1) % n)) {field}
end
""".encode()
