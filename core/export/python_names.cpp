// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/python_names.h"

namespace fx {

namespace {

std::string textOf(TSNode node, std::string_view text) {
    const uint32_t begin = ts_node_start_byte(node);
    return std::string(text.substr(begin, ts_node_end_byte(node) - begin));
}

std::string_view kindOf(TSNode node) {
    return ts_node_type(node);
}

TSNode fieldOf(TSNode node, std::string_view name) {
    return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

template <class Visit>
void forEachChild(TSNode node, const Visit& visit) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
        visit(ts_node_named_child(node, i));
}

/// "a.b.c" of names and attributes as its parts; empty where it begins with something else.
std::vector<std::string> chainOf(TSNode node, std::string_view text) {
    if (kindOf(node) == "identifier")
        return {textOf(node, text)};
    if (kindOf(node) != "attribute")
        return {};
    std::vector<std::string> out = chainOf(fieldOf(node, "object"), text);
    if (!out.empty())
        out.push_back(textOf(fieldOf(node, "attribute"), text));
    return out;
}

/// The first name of `a.b[0].c` and of `a.b(x).c`.
std::string rootOf(TSNode node, std::string_view text) {
    for (std::string_view kind = kindOf(node); kind != "identifier"; kind = kindOf(node)) {
        const TSNode inner = fieldOf(node, kind == "attribute"   ? "object"
                                           : kind == "subscript" ? "value"
                                                                 : "function");
        if (ts_node_is_null(inner))
            return {};
        node = inner;
    }
    return textOf(node, text);
}

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    StatementNames read(TSNode statement) {
        bind(statement);
        use(statement);
        return std::move(m_out);
    }

private:
    /// What runs when the statement runs, without the bodies of functions and classes.
    void bind(TSNode node) {
        const std::string_view kind = kindOf(node);
        if (kind == "function_definition" || kind == "class_definition") {
            m_out.binds.insert(textOf(fieldOf(node, "name"), m_text));
            return;
        }
        if (kind == "lambda" || kind.ends_with("comprehension") || kind == "generator_expression")
            return;
        if (const ImportSyntax import = importOf(node, m_text); import.begin != import.end) {
            for (const ImportSyntax::Name& name : import.names)
                m_out.binds.insert(name.bound());
            return;
        }
        if (kind == "assignment" || kind == "augmented_assignment" || kind == "for_statement")
            store(fieldOf(node, "left"));
        else if (kind == "named_expression")
            store(fieldOf(node, "name"));
        else if (kind == "as_pattern_target" || kind == "delete_statement" || kind == "case_pattern")
            forEachChild(node, [&](TSNode child) { store(child); });
        else if (kind == "call")
            change(node);
        forEachChild(node, [&](TSNode child) { bind(child); });
    }

    void store(TSNode target) {
        if (ts_node_is_null(target))
            return;
        const std::string_view kind = kindOf(target);
        if (kind == "identifier")
            m_out.binds.insert(textOf(target, m_text));
        else if (kind == "attribute" || kind == "subscript")
            m_out.changes.insert(rootOf(target, m_text));
        else
            forEachChild(target, [&](TSNode child) { store(child); });
    }

    /// `table.update(...)` and `setattr(Net, ...)` may write into `table` and `Net`.
    void change(TSNode call) {
        const TSNode function = fieldOf(call, "function");
        if (kindOf(function) == "attribute")
            m_out.changes.insert(rootOf(function, m_text));
        forEachChild(fieldOf(call, "arguments"), [&](TSNode argument) {
            if (kindOf(argument) == "identifier")
                m_out.changes.insert(textOf(argument, m_text));
        });
    }

    void use(TSNode node) {
        if (const ImportSyntax import = importOf(node, m_text); import.begin != import.end) {
            m_out.imports.push_back(import);
            return;
        }
        if (const std::vector<std::string> chain = chainOf(node, m_text); !chain.empty()) {
            m_out.uses.insert(chain);
            return;
        }
        if (kindOf(node) == "attribute") { // the attribute of something else is no name
            use(fieldOf(node, "object"));
            return;
        }
        if (kindOf(node) == "keyword_argument") {
            use(fieldOf(node, "value"));
            return;
        }
        forEachChild(node, [&](TSNode child) { use(child); });
    }

    std::string_view m_text;
    StatementNames m_out;
};

} // namespace

std::string ImportSyntax::Name::bound() const {
    return alias.empty() ? name.substr(0, name.find('.')) : alias;
}

ImportSyntax importOf(TSNode node, std::string_view text) {
    ImportSyntax out;
    const std::string_view kind = kindOf(node);
    out.isFrom = kind == "import_from_statement";
    if (!out.isFrom && kind != "import_statement")
        return out;
    out.begin = ts_node_start_byte(node);
    out.end = ts_node_end_byte(node);
    const TSNode module = out.isFrom ? fieldOf(node, "module_name") : TSNode{};
    if (out.isFrom) {
        out.module = textOf(module, text);
        while (out.module.starts_with('.')) {
            out.module.erase(0, 1);
            ++out.level;
        }
    }
    forEachChild(node, [&](TSNode child) {
        if (out.isFrom && ts_node_eq(child, module))
            return;
        if (kindOf(child) == "wildcard_import")
            out.isStar = true;
        else if (kindOf(child) == "aliased_import")
            out.names.push_back(
                {textOf(fieldOf(child, "name"), text), textOf(fieldOf(child, "alias"), text)});
        else if (kindOf(child) == "dotted_name")
            out.names.push_back({textOf(child, text), {}});
    });
    return out;
}

StatementNames namesOf(TSNode statement, std::string_view text) {
    return Reader(text).read(statement);
}

} // namespace fx
