// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/recipe.h"

#include "core/io/json.h"
#include "core/io/mapped_file.h"

namespace fx {

std::string recipeText(const std::vector<RecipeStep>& steps) {
    Json json = {{"fxrecipe", 1}, {"steps", Json::array()}};
    for (const RecipeStep& step : steps) {
        Json options = Json::object();
        for (const auto& [name, text] : step.options)
            options[name] = text;
        json["steps"].push_back({{"pass", step.pass}, {"options", std::move(options)}});
    }
    return jsonText(json, 1) + '\n';
}

std::vector<RecipeStep> readRecipe(const std::string& path) {
    const JsonDocument json(readFile(path), path);
    const Json& version = json.member(json.root(), "fxrecipe");
    if (json.integer(version) != 1)
        json.fail(version, "is a recipe of another version");
    std::vector<RecipeStep> out;
    for (const Json& item : json.array(json.member(json.root(), "steps"))) {
        RecipeStep step{json.string(json.member(item, "pass")), {}};
        if (const Json* options = json.find(item, "options"))
            for (const auto& [name, text] : json.object(*options).items())
                step.options[name] = json.string(text);
        out.push_back(std::move(step));
    }
    return out;
}

bool startsPython(const RecipeStep& step) {
    const auto to = step.options.find("to");
    return step.pass == "lower" && to != step.options.end() && to->second == "aotinductor";
}

} // namespace fx
