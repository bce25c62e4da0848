// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/source_models.h"

#include "core/io/json.h"
#include "core/io/mapped_file.h"
#include "core/open/open.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

const std::filesystem::path kFolder = FXSCOPE_SOURCE "/tests/oracle/sources/models";

} // namespace

std::vector<std::string> sourceModels() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
        if (entry.path().extension() == ".py")
            names.push_back(entry.path().stem());
    std::ranges::sort(names);
    return names;
}

OpenedModel openSource(const std::string& name) {
    const std::string path = kFolder / (name + ".py"), text = readFile(path), mark = "# case: ";
    const size_t start = text.find(mark) + mark.size();
    const Json row = Json::parse(text.substr(start, text.find('\n', start) - start));
    Progress progress;
    return openModel(path + ':' + row.at("expr").get<std::string>(), {}, progress);
}

} // namespace fx
