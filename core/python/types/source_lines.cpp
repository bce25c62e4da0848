// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a function, a class or a module of the program, as inspect.getsource() gives them.
#include "core/python/classes.h"
#include "core/python/types/native_modules.h"
#include "core/python/types/support.h"

namespace fx {

namespace {

/// Calls `visit` with each statement of the block and of those in it, until it says true.
bool anyStatement(const Block& block, const std::function<bool(const Statement&)>& visit) {
    for (const Statement& statement : block) {
        if (visit(statement))
            return true;
        for (const Block& inner : statement.blocks)
            if (anyStatement(inner, visit))
                return true;
        for (const Statement::Handler& handler : statement.handlers)
            if (anyStatement(handler.body, visit))
                return true;
        for (const Statement::Case& one : statement.cases)
            if (anyStatement(one.body, visit))
                return true;
        if (statement.function && anyStatement(statement.function->body, visit))
            return true;
    }
    return false;
}

/// (text of the lines from the one of `begin` to the one before `end`, number of the first)
Value linesOf(const SourceFile& file, uint32_t begin, uint32_t end) {
    const int first = file.position(begin).line, last = file.position(end > begin ? end - 1 : begin).line;
    std::string text;
    for (int number = first; number <= last; ++number)
        text += std::string(file.line(number)) + '\n';
    return makeTuple({makeText(std::move(text)), makeInt(first)});
}

/// With its decorators; a lambda goes with the rest of the statement that it stands in.
Value linesOfFunction(const SourceFile& file, const FunctionTree& function) {
    uint32_t begin = function.begin, end = function.end;
    anyStatement(file.module->body, [&](const Statement& statement) {
        const bool isSimple = statement.blocks.empty() && statement.cases.empty() && !statement.function;
        if (function.kind != FunctionTree::Kind::Lambda) {
            begin = statement.function.get() == &function ? statement.begin : begin;
            return statement.function.get() == &function;
        }
        if (!isSimple || statement.begin > begin || statement.end < end)
            return false;
        end = statement.end;
        return true;
    });
    return linesOf(file, begin, end);
}

Value linesOfClass(const Evaluator& evaluator, const ClassData& type) {
    Value out;
    for (const Modules::UserFile& user : evaluator.modules().userFiles()) {
        if (user.module != type.module)
            continue;
        anyStatement(user.file->module->body, [&](const Statement& statement) {
            if (statement.kind != Statement::Kind::ClassDef ||
                statement.function->qualifiedName != type.qualifiedName)
                return false;
            out = linesOf(*user.file, statement.begin, statement.function->end);
            return true;
        });
    }
    return out;
}

} // namespace

Value sourceLines(const Evaluator& evaluator, const Value& value) {
    if (const auto* defined = value.as<DefinedObject>()) {
        const DefinedFunction& function = *defined->function;
        if (function.file->isLibrary())
            return {};
        return linesOfFunction(*function.file, *function.tree);
    }
    if (const auto* type = value.as<ClassObject>())
        return linesOfClass(evaluator, *type->data);
    if (const auto* module = value.as<SourceModuleObject>())
        for (const Modules::UserFile& user : evaluator.modules().userFiles())
            if (user.module == module->name)
                return makeTuple({makeText(user.file->text), makeInt(0)});
    return {};
}

} // namespace fx
