// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/user_pass_rows.h"

#include "core/io/json.h"
#include "core/userpasses/user_pass.h"

#include <algorithm>
#include <iterator>

namespace fx {

std::vector<std::string> userPassTexts(const std::string& word) {
    const UserPassName name = userPassName(word).value_or(UserPassName{word, ""});
    std::vector<std::string> out;
    for (const Pass& pass :
         name.name.empty() ? userPassesIn(name.path) : std::vector<Pass>{loadUserPass(name)}) {
        Json options = Json::array();
        for (const PassOption& option : pass.options)
            options.push_back({{"name", option.name},
                               {"type", static_cast<int>(option.type)},
                               {"help", option.help},
                               {"default", option.byDefault},
                               {"required", option.isRequired}});
        out.push_back(jsonText({{"name", name.path + ':' + pass.name},
                                {"title", pass.title},
                                {"summary", pass.summary},
                                {"options", std::move(options)}}));
    }
    return out;
}

static Pass userPassFrom(const std::string& text) {
    const JsonDocument json = JsonDocument(text, "a pass of a file");
    const auto textOf = [&](const Json& object, const char* name) {
        return json.string(json.member(object, name));
    };
    Pass out;
    out.name = textOf(json.root(), "name");
    out.title = textOf(json.root(), "title");
    out.summary = textOf(json.root(), "summary");
    out.dialects = kAnyDialect;
    out.runsCode = true;
    for (const Json& row : json.array(json.member(json.root(), "options"))) {
        PassOption option;
        option.name = textOf(row, "name");
        const int64_t type = json.integer(json.member(row, "type"));
        if (type < 0 || type > static_cast<int64_t>(OptionType::Nodes))
            throw Error("a pass of a file", "has an option of no known type");
        option.type = static_cast<OptionType>(type);
        option.help = textOf(row, "help");
        option.byDefault = textOf(row, "default");
        option.isRequired = json.boolean(json.member(row, "required"));
        out.options.push_back(std::move(option));
    }
    return out;
}

std::vector<Pass> userPassesFrom(const std::vector<std::string>& texts) {
    std::vector<Pass> out;
    std::ranges::transform(texts, std::back_inserter(out), userPassFrom);
    return out;
}

} // namespace fx
