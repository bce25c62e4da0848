// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/stand_ins.h"

#include "core/python/evaluator.h"
#include "core/python/exceptions.h"

#include <algorithm>

namespace fx {

static const char* const kModule = "_stand_in";

Value makeStandIn(Evaluator& evaluator, const std::string& name, const std::string& why) {
    const Value type = evaluator.attribute(evaluator.modules().importModule(kModule), "StandIn");
    return evaluator.call(type, {makeText(name), makeText(why)});
}

bool isStandIn(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    const auto* type = instance ? instance->type.as<ClassObject>() : nullptr;
    return type && type->data->module == kModule;
}

bool isOurLimit(const Error& error) {
    return error.kind() == kUnsupportedKind || error.kind() == "NotImplementedError";
}

static void addTargets(std::vector<std::string>& out, const Expression& target) {
    if (target.kind == Expression::Kind::Name)
        out.push_back(target.text);
    else if (target.kind == Expression::Kind::Tuple || target.kind == Expression::Kind::List ||
             target.kind == Expression::Kind::Starred)
        for (const Expression& part : target.children)
            addTargets(out, part);
}

static void addNames(std::vector<std::string>& out, const Statement& s) {
    const auto addAll = [&](const std::vector<Expression>& targets) {
        for (const Expression& target : targets)
            addTargets(out, target);
    };
    const auto addBlock = [&](const Block& block) {
        for (const Statement& inner : block)
            addNames(out, inner);
    };
    if (s.kind == Statement::Kind::Assign)
        for (size_t i = 0; i + 1 < s.expressions.size(); ++i)
            addTargets(out, s.expressions[i]);
    if (s.kind == Statement::Kind::AnnotatedAssign || s.kind == Statement::Kind::For)
        addTargets(out, s.expressions[0]);
    addAll(s.target);
    for (const Statement::ImportName& name : s.imports)
        addAll(name.target);
    for (const Statement::WithItem& item : s.items)
        addAll(item.target);
    for (const Block& block : s.blocks)
        addBlock(block);
    for (const Statement::Handler& handler : s.handlers)
        addBlock(handler.body);
    for (const Statement::Case& choice : s.cases)
        addBlock(choice.body);
}

std::vector<std::string> namesBoundBy(const Statement& statement) {
    std::vector<std::string> out;
    addNames(out, statement);
    return out;
}

static bool namesImportError(const Expression& type) {
    if (type.kind == Expression::Kind::Tuple)
        return std::any_of(type.children.begin(), type.children.end(), namesImportError);
    return type.text == "ImportError" || type.text == "ModuleNotFoundError" || type.text == "Exception" ||
           type.text == "BaseException";
}

bool isForMissingImports(const Statement& tryStatement) {
    return std::any_of(tryStatement.handlers.begin(), tryStatement.handlers.end(),
                       [](const Statement::Handler& handler) {
                           return handler.type.empty() || namesImportError(handler.type[0]);
                       });
}

} // namespace fx
