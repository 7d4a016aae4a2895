// SPDX-License-Identifier: BSD-3-Clause
// The charts of section 5: settings 1 to 8 on 64, 256 and 2048 processes.
#include "app/figures/parts.hpp"

#include <array>

namespace app::figures {
namespace {

/// Sizes of one setting, with the largest contribution as in print: 64 KB to 8 MB a node.
struct Setting {
    bool alike = false;         ///< p = q; else 25 : 7
    std::string_view sizes{};   ///< of one process a node
    std::string_view shared{};  ///< of 32 processes a node
    std::string_view across{};  ///< the letter of the largest contribution
    double limit = 0;           ///< that the gain is said to converge to
    std::string_view print{};
};

constexpr std::string_view even = "--size 64KiB..8MiB*2";
constexpr std::string_view evenShared = "--size 2KiB,16KiB,64KiB,256KiB";
constexpr std::string_view moreA = "--size 64KiB..8MiB*2 --size-b 16KiB..2MiB*2 --together size,size-b";
constexpr std::string_view moreAShared =
    "--size 2KiB,16KiB,64KiB,256KiB --size-b 512,4KiB,16KiB,64KiB --together size,size-b";
constexpr std::string_view moreB = "--size 16KiB..2MiB*2 --size-b 64KiB..8MiB*2 --together size,size-b";
constexpr std::string_view moreBShared =
    "--size 512,4KiB,16KiB,64KiB --size-b 2KiB,16KiB,64KiB,256KiB --together size,size-b";
constexpr std::string_view rising = "--sizes rising --size 32KiB..4MiB*2";
constexpr std::string_view risingShared = "--sizes rising --size 1KiB,8KiB,32KiB,128KiB";

constexpr std::array<Setting, 8> all{{{true, even, evenShared, "size", 7, "7.0"},
                                      {false, even, evenShared, "size", 4.84, "4.84"},
                                      {false, moreA, moreAShared, "size", 4.21, "4.21"},
                                      {false, moreB, moreBShared, "size_b", 6.68, "6.68"},
                                      {true, even, evenShared, "largest", 7, "7.0"},
                                      {true, rising, risingShared, "largest", 7, "7.0"},
                                      {false, even, evenShared, "largest", 4.84, "4.84"},
                                      {false, rising, risingShared, "largest", 4.84, "4.84"}}};

/// One of the three: how many processes, which groups, and how they share nodes.
struct Configuration {
    std::string_view title;
    std::string_view alike;
    std::string_view other;
    bool shared = false;  ///< 32 processes behind the network card of a node
};
constexpr std::array<Configuration, 3> configurations{{{"64", "-p 32 -q 32", "-p 50 -q 14"},
                                                       {"256", "-p 128 -q 128", "-p 200 -q 56"},
                                                       {"2048", "-p 1024 -q 1024", "-p 1600 -q 448", true}}};

std::string joinedBy(std::initializer_list<std::string_view> words) {
    std::string line;
    for (const std::string_view word : words)
        if (!word.empty()) line.append(line.empty() ? "" : " ").append(word);
    return line;
}

/// Gathers to roots go round rings in Allgatherv, as section 5 says. Where nodes are shared all gathers do, as the
/// library's do for long messages: Bruck's would send 32 messages through each card at once (claim7).
std::string_view algorithmsOf(int setting, bool shared, bool predecessor) {
    if (setting > 4)
        return shared ? "intergroup-allgatherv/balanced:gather=ring "
                        "intergroup-allgatherv/root-gathering-production:gather=ring:allgather=ring"
                      : "intergroup-allgatherv/balanced intergroup-allgatherv/root-gathering-production:gather=ring";
    if (!predecessor)
        return shared ? "intergroup-allgatherv/segmented:gather=ring "
                        "intergroup-allgatherv/root-gathering-production:allgather=ring"
                      : "intergroup-allgatherv/segmented intergroup-allgatherv/root-gathering-production";
    return shared ? "intergroup-allgatherv/segmented:gather=ring intergroup-allgatherv/two-stage:gather=ring "
                    "intergroup-allgatherv/root-gathering-production:allgather=ring"
                  : "intergroup-allgatherv/segmented intergroup-allgatherv/two-stage "
                    "intergroup-allgatherv/root-gathering-production";
}

enum class Up : std::uint8_t { time, gain };

constexpr double last = 8 * 1024 * 1024;  // the largest message of a node

Panel panelOf(int number, const Configuration& where, Up up) {
    const Setting& setting = all.at(static_cast<std::size_t>(number - 1));
    const std::string_view algorithms = algorithmsOf(number, where.shared, up == Up::time);
    const std::string across =
        std::string{"--x 'message size per node="} + (where.shared ? "32*" : "") + std::string{setting.across} + "'";
    const std::string_view ratio =
        up == Up::gain ? "--y ratio --baseline intergroup-allgatherv/root-gathering-production --linear y" : "";
    const std::string limit = up == Up::gain ? "--line 'printed limit=" + std::string{setting.print} + "'" : "";
    const std::string rest =
        joinedBy({"--model cori", where.shared ? "--topology cluster:32" : "", across, ratio, limit});
    Panel panel{
        .title = std::string{where.title} + " (" + std::to_string(number) + ")" + (where.shared ? ", 32 a node" : ""),
        .sweep = joinedBy({algorithms, setting.alike ? where.alike : where.other,
                           where.shared ? setting.shared : setting.sizes, rest})};
    if (where.shared)  // as many as on 256 nodes
        panel.small = joinedBy(
            {algorithms, setting.alike ? configurations[1].alike : configurations[1].other, setting.shared, rest});
    if (up == Up::gain) {
        panel.marks = {{last, setting.limit, setting.print}};
        panel.joined = std::string{where.title} + (where.shared ? " processes, 32 a node" : " processes");
    }
    return panel;
}

}  // namespace

std::vector<Panel> kang2019Times(std::initializer_list<int> settings) {
    std::vector<Panel> panels;
    for (const Configuration& where : configurations)
        for (const int setting : settings) panels.push_back(panelOf(setting, where, Up::time));
    return panels;
}

std::vector<Panel> kang2019Gains() {
    std::vector<Panel> panels;
    for (const Configuration& where : configurations)
        for (int setting = 1; setting <= static_cast<int>(all.size()); ++setting)
            panels.push_back(panelOf(setting, where, Up::gain));
    return panels;
}

std::vector<Curves> kang2019Orders(std::initializer_list<int> settings) {
    std::vector<Curves> curves;
    std::size_t panel = 0;
    for (std::size_t where = 0; where < configurations.size(); ++where)
        for (const int setting : settings) {
            const std::string_view proposal =
                setting > 4 ? "intergroup-allgatherv/balanced" : "intergroup-allgatherv/segmented";
            curves.push_back({.panel = panel,
                              .first = "intergroup-allgatherv/root-gathering-production",
                              .second = proposal,
                              .what = "root gathering over the new algorithm",
                              .says = moreThan(1),
                              .from = last / 16});
            // With nodes that share a card, the predecessor is as fast in settings 1 and 3 only.
            if (setting <= 4)
                curves.push_back({.panel = panel,
                                  .first = "intergroup-allgatherv/two-stage",
                                  .second = proposal,
                                  .what = "predecessor over Algorithm 1",
                                  .says = about(1),
                                  .from = last / 16,
                                  .notHere = configurations.at(where).shared,
                                  .large = configurations.at(where).shared});
            ++panel;
        }
    return curves;
}

std::vector<Curves> kang2019Limits() {
    std::vector<Curves> curves;
    for (std::size_t panel = 0; panel < configurations.size() * all.size(); ++panel) {
        const bool shared = configurations.at(panel / all.size()).shared;
        curves.push_back(
            {.panel = panel,
             .first = panel % all.size() < 4 ? "intergroup-allgatherv/segmented" : "intergroup-allgatherv/balanced",
             .second = "printed limit",
             .what = "gain over the printed limit",
             .says = between(0.75, 1),
             .from = last / 4,
             .notHere = shared,
             .large = shared});
    }
    return curves;
}

}  // namespace app::figures
