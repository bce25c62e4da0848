// SPDX-License-Identifier: GPL-3.0-or-later
// For check_parser.py: reads paths from its input and writes for each a line, "PATH \t OK \t tree \t scopes"
// or "PATH \t ERROR \t LINE \t KIND: MESSAGE".
#include "core/base/error.h"
#include "tests/core/python/tree_text.h"

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

using namespace fx;

int main() {
    for (std::string path; std::getline(std::cin, path);) {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        try {
            const auto file = parseSource(std::move(text).str(), "source");
            std::cout << path << "\tOK\t" << treeText(*file->module) << '\t' << scopeText(*file->module)
                      << '\n';
        } catch (const Error& error) {
            const std::string& place = error.place();
            const std::string line = place.substr(place.find(':') + 1);
            std::cout << path << "\tERROR\t" << line.substr(0, line.find(':')) << '\t' << error.kind() << ": "
                      << error.message().substr(0, error.message().find('\n')) << '\n';
        }
    }
    return 0;
}
