// SPDX-License-Identifier: GPL-3.0-or-later
// The forward hooks of a module as statements of its constructor.
#include "core/base/error.h"
#include "core/codegen/written_names.h"
#include "core/export/tree_writer.h"
#include "core/module/model.h"

namespace fx {

/// A part of a hook as core/trace/captured_values.h records it: an object with its fields, a method of one.
std::string TreeWriter::capturedText(const NamedTupleValue& captured, const std::string& path) {
    const std::string& type = captured.type.name();
    const Arguments& items = captured.items;
    const auto* member = items.size() == 2 ? items[1].as<std::string>() : nullptr;
    const auto* number = type == "captured.shared" && !items.empty() ? items[0].as<int64_t>() : nullptr;
    if (number && m_sharedBefore.contains(*number))
        throw Error(path, "has a hook that shares an object with a hook of another graph")
            .hint("save an .fxg");
    if (const auto known = number ? m_shared.find(*number) : m_shared.end(); known != m_shared.end())
        return known->second;
    if (number && items.size() == 2) {
        const std::string text = argumentText(items[1], path);
        const std::string name = "_shared_" + std::to_string(*number);
        m_hookLines->push_back(name + " = " + text);
        return m_shared[*number] = name;
    }
    if (type == "captured.object" && items.size() == 3 && items[2].isNone()) {
        if (const std::string partial = partialText(captured, path); !partial.empty())
            return partial;
        m_helpers.object = true;
        return "_object(" + argumentText(items[0], path) + ", " + argumentText(items[1], path) + ')';
    }
    if (type == "captured.member" && member)
        return attributeExpression(argumentText(items[0], path), *member);
    if (type == "captured.method" && items.size() == 2 && items[1].as<FunctionValue>())
        return argumentText(items[1], path) + ".__get__(" + argumentText(items[0], path) + ')';
    throw Error(path, "has a hook that no code without names makes again").hint("save an .fxg");
}

void TreeWriter::writeHooks(const Module& module, const TreePlace& at, Lines& out) {
    m_hookLines = &out;
    for (const auto& [table, method] : {std::pair("_forward_pre_hooks", "register_forward_pre_hook"),
                                        std::pair("_forward_hooks", "register_forward_hook")}) {
        const Argument* records = module.value(table);
        for (const Argument& record : records && records->items() ? *records->items() : Arguments()) {
            const Argument* type = dictEntry(record, "class");
            const Argument* fields = dictEntry(record, "fields");
            const Argument* function = dictEntry(record, "function");
            const Argument* value = dictEntry(record, "value");
            if (!type && !function && !value)
                throw Error(at.path, "has a hook that has no name").hint("save an .fxg");
            const auto* name = value ? nullptr : (type ? type : function)->as<std::string>();
            if (!name && !value)
                throw Error(at.path, "has a hook without a name").hint("the file is damaged");
            std::string hook = value ? argumentText(*value, at.path) : m_names.expression(*name, at.path);
            if (type && !value) {
                m_helpers.object = true;
                hook = "_object(" + hook + ", " + (fields ? argumentText(*fields, at.path) : "{}") + ')';
            }
            for (const char* option : {"with_kwargs", "always_call"})
                if (dictEntry(record, option))
                    hook += std::string(", ") + option + "=True";
            out.push_back(at.object + '.' + method + '(' + hook + ')');
        }
    }
}

} // namespace fx
