// SPDX-License-Identifier: BSD-3-Clause
// Algorithms in Lua: what they can say, and what they cannot do.
#include "engine/script/script.hpp"

#include "engine/base/error.hpp"
#include "engine/base/stopping.hpp"
#include "engine/proof/verify.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

namespace engine {
namespace {

Plan planned(const std::string& content, const Problem& problem,
             const std::map<std::string, std::string>& options = {}) {
    // Plans point at their algorithms.
    static std::vector<std::unique_ptr<Algorithm>> all;
    all.push_back(std::make_unique<Algorithm>(script::algorithmFrom("mine.lua", content)));
    return makePlan(*all.back(), problem, options);
}

/// What is said of the script; empty when nothing is wrong.
std::string complaint(const std::string& content, const Problem& problem = support::allgatherv({5, 5, 5, 5})) {
    try {
        const Plan plan = planned(content, problem);
        const Verdict verdict = verify(*plan.schedule, plan.problem);
        return verdict.proved ? "" : verdict.counterExample;
    } catch (const Error& error) {
        return error.what();
    }
}

const std::string ring = R"(algorithm { collective = "allgatherv" }
function rounds() return n - 1 end
function turn(rank, round)
  send((rank + 1) % n, block((rank - round) % n))
  receive((rank - 1) % n, block((rank - round - 1) % n))
end
)";

/// The ring with other words in one place.
std::string ringWith(const std::string& from, const std::string& to) {
    std::string words = ring;
    const auto at = words.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return words.replace(at, from.size(), to);
}

TEST(Scripts, areProvedLikeTheCatalogue) {
    for (std::int32_t n = 1; n <= 9; ++n)
        EXPECT_EQ(complaint(ring, support::allgatherv(std::vector<Bytes>(asSize(n), 7))), "") << n;
    EXPECT_EQ(complaint(ringWith("rank - round)", "rank + round)")),
              "round 2: rank 0 sends block 1 to rank 1 before it has it");
}

TEST(Scripts, knowOptionsPartsAndSides) {
    const std::string twoSides = R"(algorithm {
  collective = "bcast", ports = 2,
  options = { pieces = { default = 2, low = 1, high = 8, meaning = "of the message" } },
  parts = { { name = "both ways", abreast = {
    { rounds = function() return option.pieces end, turn = function(rank, round)
        if rank == 0 then send(1, part(all(), option.pieces, round)) end
        if rank == 1 then receive(0, part(all(), option.pieces, round)) end
      end },
    { rounds = 1, turn = function(rank)
        if rank == 0 then send(2, all()) elseif rank == 2 then receive(0, all()) end
      end } } } },
})";
    const Plan plan = planned(twoSides, support::bcast(3, 0, 100), {{"pieces", "3"}});
    EXPECT_EQ(plan.schedule->facts().rounds, 3);
    EXPECT_EQ(plan.schedule->facts().stages.front().name, "both ways");
    EXPECT_TRUE(verify(*plan.schedule, plan.problem).proved);
    Turn turn;
    plan.schedule->turn(Rank{0}, Round{0}, turn);
    EXPECT_EQ(turn.sends().size(), 2);
    EXPECT_THROW(planned(twoSides, support::bcast(3, 0, 100), {{"pieces", "9"}}), Error);
}

TEST(Scripts, combineInTheOrderTheySay) {
    const auto doubling = [](const std::string& side) {
        return R"(algorithm { collective = "allreduce" }
function rounds() local r = 0; while 1 << r < n do r = r + 1 end; return r end
function turn(rank, round)
  local peer = rank ~ (1 << round)
  send(peer, all())
  combine(peer, all(), 0, )" +
               side + R"()
end
)";
    };
    Problem problem = support::allreduce(8, 64);
    EXPECT_EQ(complaint(doubling("'right'"), problem), "");
    problem.operation = Operation::ordered;
    EXPECT_NE(complaint(doubling("'right'"), problem).find("does not combine contributions in the order"),
              std::string::npos);
    EXPECT_EQ(complaint(doubling("peer < rank and 'left' or 'right'"), problem), "");
}

TEST(Scripts, haveOneViewForAll) {
    const Plan plan = planned(ring, support::allgatherv(std::vector<Bytes>(16, 9)));
    Batch batch;
    batch.reset(16);
    plan.schedule->batch(Round{3}, Rank{0}, Rank{16}, batch);
    ASSERT_EQ(batch.size(), 16);
    std::vector<std::jthread> threads;
    std::vector<std::int64_t> bytes(8);
    for (std::size_t t = 0; t < bytes.size(); ++t)
        threads.emplace_back([&, t] {
            Turn turn;
            for (Round round{0}; round.value < 15; ++round)
                for (Rank rank{0}; rank.value < 16; ++rank) {
                    plan.schedule->turn(rank, round, turn);
                    bytes[t] += turn.sends().front().bytes;
                }
        });
    threads.clear();
    for (const std::int64_t sum : bytes) EXPECT_EQ(sum, 15 * 16 * 9);
}

TEST(Scripts, areToldFileAndLine) {
    const struct {
        std::string script;
        const char* sentence;
    } wrong[] = {
        {ringWith("(rank + 1) % n", "rank + 1"),
         "mine.lua:4: send: rank 4 does not exist; choose 0 to 3; write for example (rank + 1) % n to wrap around (rank 3 in round 1)"},
        {ringWith("block((rank - round) % n)", "blok(0)"), "mine.lua:4: 'blok' is not defined"},
        {ringWith("return n - 1 end", "return n - 1"), "mine.lua:3: 'end' expected (to close 'function' at line 2)"},
        {ringWith("n - 1 end", "n / 2 + 0.25 end"),
         "mine.lua: 'rounds' of the script must be a whole number, not 2.25; // divides without a rest"},
        {ringWith("block((rank - round) % n)", "block(0.5)"),
         "mine.lua:4: block: block must be a whole number, not 0.5"},
        {ringWith("block((rank - round) % n)", "5"), "mine.lua:4: send: argument 2 must be bytes such as block(0)"},
        {ringWith("allgatherv", "allgathervv"), "did you mean allgatherv?"},
        {ringWith("collective", "colective"), "algorithm has no 'colective'; did you mean collective?"},
        {ringWith("algorithm {", "local a = {"), "mine.lua: the statement algorithm"},
        {ringWith("(rank + 1) % n", "rank"), "send: rank 0 is both sender and receiver"},
        {ringWith("function rounds() return n - 1 end", "local r = n"),
         "mine.lua:2: 'n' is known only inside functions"},
    };
    for (const auto& one : wrong)
        EXPECT_NE(complaint(one.script).find(one.sentence), std::string::npos) << complaint(one.script);
}

TEST(Scripts, cannotGetOut) {
    for (const char* word :
         {"os.time()", "io.open('x')", "require 'x'", "load('x')", "print(1)", "pcall(error)", "_G.x", "math.random()",
          "collectgarbage()", "setmetatable({}, {})", "pairs({})", "('x'):rep(9)", "string.rep('x', 9)",
          "coroutine.create(error)", "debug.getinfo(1)", "table.insert({}, 1)"})
        EXPECT_NE(complaint(std::string{"local x = "} + word + "\n" + ring), "") << word;
}

TEST(Scripts, areBounded) {
    EXPECT_NE(complaint(ringWith("send(", "while true do end send(")).find("mine.lua:4: too many steps"),
              std::string::npos);
    EXPECT_NE(complaint("while true do end\n" + ring).find("too many steps"), std::string::npos);
    EXPECT_NE(complaint("local t = {} for i = 1, 1e9 do t[i] = {i} end\n" + ring).find("64 MiB of memory"),
              std::string::npos);
    EXPECT_NE(
        complaint("local s = 'x' for i = 1, 60 do s = s .. s end\n" + ring).find("a text may have at most 16 KiB"),
        std::string::npos);
    EXPECT_NE(complaint(ringWith("n - 1 end", "1 << 60 end")).find("must be from 0 to"), std::string::npos);
    EXPECT_NE(complaint("local function f() return f() + 1 end f()\n" + ring), "");
    EXPECT_EQ(complaint(std::string(5000, '(') + ring), "mine.lua: its brackets or blocks are nested too deeply");
}

/// What goes on in a function or an instruction of Lua costs steps, memory or time, too.
TEST(Scripts, areBoundedInWhatTheirStepsDo) {
    const auto turnWith = [](const std::string& words) { return complaint(ringWith("  send(", words + "\n  send(")); };
    const auto begin = std::chrono::steady_clock::now();
    for (const char* words :
         {"local s = '1' for i = 1, 13 do s = s .. s end for i = 1, 1e9 do local x = tonumber(s) end",
          "local s = '1' for i = 1, 13 do s = s .. s end for i = 1, 1e9 do local b = s .. 'a' == s .. 'b' end",
          "local a = all() for i = 1, 18 do a = a .. a end for i = 1, 1e9 do local b = #a end",
          "local a = all() for i = 1, 15 do a = a .. a end for i = 1, 1e9 do local b = part(a, 2, 1) end",
          "local a = {} for i = 1, 60000 do a[i] = i end for i = 1, 1e9 do table.sort(a) end",
          "local a = {} for i = 1, 9000 do a[i] = '' end for i = 1, 1e9 do local s = table.concat(a) end"})
        EXPECT_NE(turnWith(words).find("too many steps"), std::string::npos) << words << ": " << turnWith(words);
    EXPECT_NE(turnWith("local s = select('#', table.unpack({}, 1, 1e6))").find("at most 1000 values"),
              std::string::npos);
    EXPECT_NE(turnWith("local s = select('#', table.unpack({}, -1 << 63, 1 << 62))").find("at most 1000 values"),
              std::string::npos);
    EXPECT_EQ(turnWith("local a = { 3, 1, 2 } table.sort(a) assert(table.concat({ table.unpack(a) }, ',') == '1,2,3')"),
              "");
    EXPECT_NE(complaint("local o = {} for i = 1, 1e5 do o['k' .. i] = { default = 1 } end\n" +
                        ringWith("\"allgatherv\"", "\"allgatherv\", options = o"))
                  .find("more than 64 options"),
              std::string::npos);
    EXPECT_NE(complaint("local o = {} for i = 1, 1e5 do o[i] = 'c' .. i end\n" +
                        ringWith("\"allgatherv\"", "\"allgatherv\", options = { k = { choices = o } }"))
                  .find("more than 256 choices"),
              std::string::npos);
    EXPECT_NE(complaint(ringWith("n - 1 end", "1e6 // 1 end") + "local once = turn\nfunction turn(rank, round)\n"
                                                                "  for i = 1, 900000 do end\nend\n")
                  .find("too many steps"),
              std::string::npos)
        << "each turn is short enough, all of them would take days";
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{60});
}

/// A problem for which a script fails is no problem that it refuses.
/// The length of a table with holes may be any number: nothing takes memory or steps by it.
TEST(Scripts, areBoundedWhereTablesHaveHoles) {
    const std::string holes =
        "local t, m = {}, 0\nfor k = 30, 0, -1 do t[1 << k] = 1; m = m + (1 << k); t[m] = 1 end\n";
    const std::string barrier = "algorithm { collective = \"barrier\" }\nfunction rounds() return 1 end\n";
    const auto turning = [&](const std::string& words) {
        return complaint(barrier + holes + "function turn(rank, round) " + words + " end\n", support::barrier(1));
    };
    EXPECT_EQ(turning("local x = t[1]"), "");
    for (const char* order : {"", ", type", ", function(a, b) return a < b end"})
        for (const int highest : {45, 62}) {
            const std::string own =
                text("local own = {} for k = ", highest, ", 0, -1 do own[1 << k] = 1 end own[3] = 1 ");
            EXPECT_NE(turning(own + "table.sort(own" + order + ")").find("too many steps"), std::string::npos)
                << order << ' ' << highest;
            EXPECT_NE(turning(own + "local s = table.concat(own)"), "") << highest;
        }
}

TEST(Scripts, areBoundedInWhatTheyKeepAndInTheirOwnText) {
    const std::string many =
        "algorithm { collective = \"barrier\" }\nlocal t = {}\nfor i = 1, 150000 do t[i] = {} end\n"
        "function rounds() return 1 end\nfunction turn(rank, round) local x = t[1] end\n";
    EXPECT_NE(complaint(many, support::barrier(1)).find("more than 100000 tables"), std::string::npos);
    std::string literals = "algorithm { collective = \"barrier\" }\nlocal t = {";
    for (int i = 0; i < 3'000'000; ++i) literals += "{},";
    EXPECT_NE(complaint(literals + "}\n", support::barrier(1)).find("of memory"), std::string::npos);
    EXPECT_LT(complaint("error(\"" + std::string(10'000, 'x') + "\")").size(), 600U);
    std::string abreast =
        "local p = {}\nlocal turn = function(rank, round) end\nfor i = 1, 200000 do p[i] = { rounds = 1000, turn = turn } end\n"
        "algorithm { collective = \"allgatherv\", parts = { { name = \"x\", abreast = p } } }\n";
    EXPECT_NE(complaint(abreast).find("more than 1024 sides"), std::string::npos);
}

/// Parts one after the other are found by their rounds, however many there are.
TEST(Scripts, haveAnyNumberOfParts) {
    const std::string parts =
        "local p = { { rounds = 0, turn = function() error(\"never\") end } }\n"
        "for i = 1, 3000 do p[#p + 1] = { rounds = i % 2, turn = function(rank, round)\n"
        "  if i == 2999 then send((rank + 1) % n, block(rank)) receive((rank - 1) % n, block((rank - 1) % n)) end end } end\n"
        "algorithm { collective = \"allgatherv\", parts = p }\n";
    EXPECT_EQ(complaint(parts, support::allgatherv({5, 5})), "");
}

TEST(Scripts, endWhenNobodyWaitsThoughTurnsAreShort) {
    const Plan plan = planned(
        "algorithm { collective = \"barrier\" }\nfunction rounds() return 1000000000 end\n"
        "function turn(rank, round) end\n",
        support::barrier(2));
    std::stop_source stop;
    stop.request_stop();
    const Stopping stopping{stop.get_token()};
    Turn turn;
    EXPECT_THROW(
        for (std::int64_t round = 0; round < 1'000'000; ++round) plan.schedule->turn(Rank{0}, Round{round}, turn),
        Cancelled);
}

TEST(Scripts, areFaultyWhereTheyFail) {
    EXPECT_THROW((void)planned(ringWith("send(", "block(-1) send("), support::allgatherv({5, 5})), Faulty);
    EXPECT_THROW((void)planned(ringWith("n - 1 end", "- 1 end"), support::allgatherv({5, 5})), Faulty);
    EXPECT_THROW((void)planned(ringWith("\"allgatherv\"", "\"allgatherv\", demands = function() error('x') end"),
                               support::allgatherv({5, 5})),
                 Faulty);
    try {
        (void)planned(ringWith("\"allgatherv\"", "\"allgatherv\", demands = function() return 'no' end"),
                      support::allgatherv({5, 5}));
        ADD_FAILURE() << "nothing was refused";
    } catch (const Error& refusal) {
        EXPECT_EQ(dynamic_cast<const Faulty*>(&refusal), nullptr);
    }
}

/// A turn of a millisecond is asked thousands of times before there is a plan.
TEST(Scripts, endWhenNobodyWaitsForThem) {
    const std::string slow = ringWith("  send(", "  for i = 1, 100000 do local j = i end\n  send(");
    std::stop_source source;
    const std::jthread waiting{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        source.request_stop();
    }};
    const Stopping stopping{source.get_token()};
    EXPECT_THROW((void)planned(slow, support::allgatherv(std::vector<Bytes>(64, 4))), Cancelled);
    EXPECT_THROW((void)planned("while true do end", support::allgatherv({5, 5})), Cancelled);
    // Others are not asked to end, and it is whole afterwards.
    std::jthread{[] { EXPECT_EQ(complaint(ring), ""); }}.join();
}

/// Else a script could count its turns, be proved while it is young, and do something else when it is run.
TEST(Scripts, rememberNothingOfTheirTurns) {
    const auto said = [](const std::string& before, const std::string& words) {
        return complaint(before + ringWith("  send(", "  " + words + "\n  send("));
    };
    EXPECT_NE(complaint(ringWith("send(", "asked = 1 send(")).find("the global 'asked' cannot be changed in a turn"),
              std::string::npos);
    const struct {
        const char* before;
        const char* turn;
    } locals[] = {
        {"local asked = 0 ", "asked = asked + 1 if asked > 40 then return end"},
        {"local asked = 0 local function ask() asked = asked + 1 return asked end ", "if ask() > 40 then return end"},
        {"local asked ", "if round == 2 and rank == 3 then asked = {} end if asked then return end"},
        {"local asked = 1 ", "asked = asked * 1.0"},
        {"local function counter() local asked = 0 return function() asked = asked + 1 end end local count = counter() ",
         "count()"},
    };
    for (const auto& [before, turn] : locals)
        EXPECT_NE(said(before, turn).find("mine.lua: the local 'asked' of the file cannot be changed in a turn"),
                  std::string::npos)
            << turn << ": " << said(before, turn);
    EXPECT_NE(said("", "_ENV = {}"), "");
    const struct {
        const char* before;
        const char* turn;
    } tables[] = {
        {"local asked = {} ", "asked[1] = rank"},
        {"local asked = { 0 } ", "asked[1] = asked[1] + 1"},
        {"asked = { deep = { deeper = { 0 } } } ", "asked.deep.deeper[1] = 1"},
        {"local asked = {} local function ask() return asked end ", "ask().x = 1"},
        {"local asked = { 3, 1, 2 } ", "table.sort(asked)"},
        {"", "math.floor = math.ceil"},
        {"", "option.x = 1"},
    };
    for (const auto& [before, turn] : tables)
        EXPECT_NE(said(before, turn).find("a table that was made outside cannot be changed in a turn"),
                  std::string::npos)
            << turn << ": " << said(before, turn);
    EXPECT_NE(said("local asked = { 0 } ", "asked[1] = 1").find("mine.lua:4: a table"), std::string::npos);
    EXPECT_NE(complaint("local many = {} for i = 1, 5000 do local x = i many[i] = function() return x end end\n" +
                        ringWith("  send(", "  many[1]()\n  send("))
                  .find("share more than 4096 locals of the file"),
              std::string::npos);
}

/// The same order every time, also of what is alike, however many there are and in whatever order they come.
TEST(Scripts, sortWithoutChance) {
    for (const char* words :
         {"local t = {} for i = 1, 1000 do t[i] = (i * 7919) % 1009 end table.sort(t) "
          "for i = 2, 1000 do assert(t[i - 1] < t[i]) end",
          "local t = {} for i = 1, 900 do t[i] = { i % 7, i } end table.sort(t, function(a, b) return a[1] < b[1] end) "
          "for i = 2, 900 do local a, b = t[i - 1], t[i] assert(a[1] < b[1] or (a[1] == b[1] and a[2] < b[2])) end",
          "local t = { 'b', 'a', 'c' } table.sort(t, function(a, b) return a > b end) assert(table.concat(t) == 'cba')",
          "local t = {} table.sort(t) t = { 1 } table.sort(t) assert(#t == 1)"})
        EXPECT_EQ(complaint(ringWith("  send(", std::string{"  "} + words + "\n  send(")), "") << words;
    EXPECT_NE(complaint(ringWith("  send(", "  table.sort({ 1, 'x' })\n  send(")).find("attempt to compare"),
              std::string::npos);
    EXPECT_NE(complaint(ringWith("  send(", "  table.sort({ 2, 1 }, 3)\n  send(")), "");
}

/// What was made once is there as it was.
TEST(Scripts, readWhatTheFileMade) {
    const std::string made =
        "local made = { 3, 1, 2, name = 'x', deep = { 7 } } local none = 0 / 0 local depth = 0\n"
        "made.own = made\n"
        "local function down(k) if k == 0 then return 0 end depth = depth + 1 "
        "local d = down(k - 1) + 1 depth = depth - 1 return d end\n";
    for (const char* words :
         {"assert(#made == 3 and made[2] == 1 and made.name == 'x' and made.deep[1] == 7 and made.own == made)",
          "assert(made[4] == nil and made.other == nil)", "assert(table.concat(made, ',') == '3,1,2')",
          "local a, b, c = table.unpack(made) assert(a == 3 and b == 1 and c == 2)",
          "local sum = 0 for i, x in ipairs(made) do sum = sum + i * x end assert(sum == 11)",
          "local own = { table.unpack(made) } table.sort(own) assert(table.concat(own) == '123')",
          "assert(none ~= none)", "assert(down(5) == 5)", "assert(math.floor(2.5) == 2 and type(math) == 'table')"})
        EXPECT_EQ(complaint(made + ringWith("  send(", std::string{"  "} + words + "\n  send(")), "") << words;
    EXPECT_EQ(complaint("local t = {} for i = 1, 2e6 do t[i] = i end\n" +
                        ringWith("  send(", "  assert(#t == 2000000 and t[77] == 77)\n  send(")),
              "")
        << "32 MiB are within what a script may have";
}

TEST(Scripts, refuseProblemsThatTheyDemandOtherwise) {
    const std::string even = ringWith(
        "\"allgatherv\"", "\"allgatherv\", demands = function() if n % 2 == 1 then return 'needs an even n' end end");
    EXPECT_EQ(complaint(even), "");
    EXPECT_EQ(complaint(even, support::allgatherv({1, 1, 1})), "mine.lua: needs an even n");
}

}  // namespace
}  // namespace engine
