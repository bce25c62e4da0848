// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/source_functions.h"

#include "core/base/error.h"
#include "core/python/tree.h"

namespace fx {

namespace {

CallForm formOfDefinition(const SourceFile& file, const FunctionTree& function) {
    using ParameterKind = FunctionTree::Parameter::Kind;
    const auto written = [&](const std::vector<Expression>& part) {
        return part.empty() ? std::string() : file.text.substr(part[0].begin, part[0].end - part[0].begin);
    };
    CallForm out;
    for (const FunctionTree::Parameter& each : function.parameters)
        if (each.kind == ParameterKind::Args)
            out.takesMore = true;
        else if (each.kind != ParameterKind::Kwargs)
            out.parameters.push_back({each.name, written(each.annotation), written(each.defaultValue),
                                      each.kind == ParameterKind::KeywordOnly, false});
    return out;
}

} // namespace

std::vector<SourceFunction> sourceFunctions(const Model& model) {
    std::vector<SourceFunction> out;
    for (const SourceText& source : model.sources()) {
        try {
            const auto file = parseSource(source.text, source.path);
            for (const Statement& each : file->module->body)
                if (each.kind == Statement::Kind::FunctionDef)
                    out.push_back({source.module + '.' + each.function->name, source.module,
                                   formOfDefinition(*file, *each.function)});
        } catch (const Error&) {
            continue; // who runs it is told
        }
    }
    return out;
}

} // namespace fx
