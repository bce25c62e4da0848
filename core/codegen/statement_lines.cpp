// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/statement_lines.h"

#include "core/base/text.h"
#include "core/codegen/python_code.h"

namespace fx {

std::string_view withoutRelease(std::string_view line) {
    return line.substr(0, line.find(";  "));
}

std::vector<std::string> statementLines(const Model& model, ModuleId module) {
    const std::string text = PythonCode(model, module).text();
    std::vector<std::string> out;
    for (const std::string_view line : split(trim(text), '\n'))
        out.emplace_back(withoutRelease(line));
    return out;
}

} // namespace fx
