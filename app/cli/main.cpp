// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/cli.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/output/terminal.hpp"
#include "app/cli/pictures.hpp"
#include "app/gui/gui.hpp"

#include <iostream>

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    app::cli::Interrupt interrupt;
    app::cli::Surroundings around = app::cli::terminal(interrupt);
    around.window = [&](app::gui::Beginning beginning) {
        interrupt.release();
        return app::gui::runWindow(argc, argv, std::move(beginning), app::cli::readReport);
    };
    app::cli::drawWithTheWindow(around);
    return app::cli::run({argv + 1, argv + argc}, std::cout, std::cerr, around);
}
