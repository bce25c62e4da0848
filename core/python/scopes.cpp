// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where each name of a tree lives, by Python's rules: what a function binds is its own; what it only
// reads comes from the functions around it (class bodies are skipped), else from the module. Comprehensions
// are functions; a walrus in one binds outside of it. First each scope's names are collected, then resolved
// from the outside to the inside.
#include "core/python/tree.h"

#include <deque>
#include <unordered_map>

namespace fx {

namespace {

using Kind = Expression::Kind;
using TreeKind = FunctionTree::Kind;

struct Symbol {
    std::string name;
    bool isBound = false, isParameter = false, isUsed = false, isAnnotated = false;
    bool isGlobal = false, isNonlocal = false;   ///< declared so
    bool isLoopTarget = false, isWalrus = false; ///< of a comprehension
    bool isShared = false;                       ///< an inner function reads it: a cell
    NameScope scope = NameScope::Global;
    int32_t slot = -1;
    uint32_t declaredAt = 0; ///< as global or nonlocal
};

struct Scope {
    FunctionTree* tree = nullptr;
    Scope* parent = nullptr;
    int iterables = 0;          ///< how many iterables of comprehensions the place is inside of
    std::deque<Symbol> symbols; ///< in order of appearance
    std::unordered_map<std::string_view, Symbol*> table; ///< by name
    std::vector<std::pair<Expression*, Symbol*>> names;  ///< each Name of the tree that is looked up here
    std::unordered_map<std::string_view, int32_t> freeIndices; ///< of tree->freeNames
    std::vector<Symbol*> parameters;

    bool isFunction() const { return tree->kind != TreeKind::Module && tree->kind != TreeKind::Class; }
    bool isComprehension() const { return tree->kind >= TreeKind::List; }

    Symbol& symbol(std::string_view name) {
        if (const auto known = table.find(name); known != table.end())
            return *known->second;
        Symbol& fresh = symbols.emplace_back();
        fresh.name = name;
        table.emplace(fresh.name, &fresh);
        return fresh;
    }
    Symbol* find(std::string_view name) const {
        const auto known = table.find(name);
        return known == table.end() ? nullptr : known->second;
    }
};

class Resolver {
public:
    explicit Resolver(const SourceFile& file) : m_file(file) {}

    void run(FunctionTree& module) {
        enter(module);
        visitBlock(module.body);
        leave();
        // Cells are numbered before anybody refers to them: who reads a name of whom comes first.
        for (Scope& scope : m_scopes)
            resolve(scope);
        for (Scope& scope : m_scopes)
            number(scope);
        for (Scope& scope : m_scopes)
            connect(scope);
    }

private:
    [[noreturn]] void fail(uint32_t at, const std::string& message) const { failAt(m_file, at, message); }

    // --- Collecting.

    void enter(FunctionTree& tree) {
        Scope& scope = m_scopes.emplace_back();
        scope.tree = &tree;
        scope.parent = m_scope;
        scope.iterables = m_scope ? m_scope->iterables : 0;
        if (m_scope)
            tree.qualifiedName = qualifiedName(tree);
        m_scope = &scope;
    }

    void leave() { m_scope = m_scope->parent; }

    std::string qualifiedName(const FunctionTree& tree) const {
        const FunctionTree& outer = *m_scope->tree;
        if (outer.kind == TreeKind::Module)
            return tree.name;
        const Symbol* own = m_scope->find(tree.name);
        if (own && own->isGlobal)
            return tree.name;
        return outer.qualifiedName + (outer.kind == TreeKind::Class ? "." : ".<locals>.") + tree.name;
    }

    void use(Expression& name) {
        Symbol& symbol = m_scope->symbol(name.text);
        symbol.isUsed = true;
        m_scope->names.emplace_back(&name, &symbol);
        // super() without arguments reads the class from this cell.
        if (name.text == "super" && m_scope->isFunction())
            m_scope->symbol("__class__").isUsed = true;
    }

    void bind(Expression& name) {
        Symbol& symbol = m_scope->symbol(name.text);
        if (m_scope->isComprehension()) {
            if (symbol.isWalrus)
                fail(name.begin, "comprehension inner loop cannot rebind assignment expression target '" +
                                     name.text + "'");
            symbol.isLoopTarget = true;
        }
        symbol.isBound = true;
        m_scope->names.emplace_back(&name, &symbol);
    }

    void bindWalrus(Expression& name) {
        Scope* scope = m_scope;
        if (scope->iterables > 0)
            fail(name.begin, "assignment expression cannot be used in a comprehension iterable expression");
        for (; scope->isComprehension(); scope = scope->parent) {
            Symbol& symbol = scope->symbol(name.text);
            if (symbol.isLoopTarget)
                fail(name.begin, "assignment expression cannot rebind comprehension iteration variable '" +
                                     name.text + "'");
            symbol.isWalrus = true;
        }
        if (scope == m_scope)
            return bind(name);
        if (scope->tree->kind == TreeKind::Class)
            fail(name.begin, "assignment expression within a comprehension cannot be used in a class body");
        scope->symbol(name.text).isBound = true;
        m_scope->names.emplace_back(&name, &m_scope->symbol(name.text));
    }

    void declare(Statement& statement) {
        const bool isGlobal = statement.text == "global";
        for (Expression& name : statement.expressions) {
            Symbol& symbol = m_scope->symbol(name.text);
            if (!isGlobal && m_scope->tree->kind == TreeKind::Module)
                fail(statement.begin, "nonlocal declaration not allowed at module level");
            const std::string quoted = "name '" + name.text + '\'';
            if (symbol.isParameter)
                fail(statement.begin, quoted + " is parameter and " + statement.text);
            if (symbol.isUsed)
                fail(statement.begin, quoted + " is used prior to " + statement.text + " declaration");
            if (symbol.isAnnotated)
                fail(statement.begin, "annotated " + quoted + " can't be " + statement.text);
            if (symbol.isBound)
                fail(statement.begin, quoted + " is assigned to before " + statement.text + " declaration");
            const bool isOther = isGlobal ? symbol.isNonlocal : symbol.isGlobal;
            (isGlobal ? symbol.isGlobal : symbol.isNonlocal) = true;
            if (!isOther)
                symbol.declaredAt = statement.begin;
            else
                fail(symbol.declaredAt, quoted + " is nonlocal and global");
        }
    }

    void visitAll(std::vector<Expression>& expressions) {
        for (Expression& e : expressions)
            visit(e);
    }

    void visit(Expression& e) {
        switch (e.kind) {
        case Kind::Name:
            return use(e);
        case Kind::NamedValue:
            visit(e.children[1]);
            return bindWalrus(e.children[0]);
        case Kind::Lambda:
            return visitFunction(*e.function);
        default:
            if (!e.function)
                return visitAll(e.children);
            // A comprehension, be it an async one: the first iterable belongs to the scope around.
            ++m_scope->iterables;
            visitAll(e.children);
            --m_scope->iterables;
            visitComprehension(*e.function);
        }
    }

    void visitTarget(Expression& e) {
        if (e.kind == Kind::Name)
            return bind(e);
        if (e.kind == Kind::Attribute || e.kind == Kind::Subscript)
            return visitAll(e.children);
        for (Expression& child : e.children)
            visitTarget(child);
    }

    void visitComprehension(FunctionTree& tree) {
        enter(tree);
        for (FunctionTree::Clause& clause : tree.clauses) {
            visitTarget(clause.target[0]);
            ++m_scope->iterables;
            visitAll(clause.iterable);
            --m_scope->iterables;
            visitAll(clause.conditions);
        }
        visitAll(tree.element);
        leave();
    }

    void visitFunction(FunctionTree& tree) {
        for (FunctionTree::Parameter& parameter : tree.parameters)
            visitAll(parameter.defaultValue);
        for (FunctionTree::Parameter& parameter : tree.parameters)
            visitAll(parameter.annotation);
        visitAll(tree.returns);
        enter(tree);
        for (const FunctionTree::Parameter& parameter : tree.parameters) {
            Symbol& symbol = m_scope->symbol(parameter.name);
            symbol.isBound = symbol.isParameter = true;
            m_scope->parameters.push_back(&symbol);
        }
        visitBlock(tree.body);
        leave();
    }

    void visitBlock(Block& block) {
        for (Statement& statement : block)
            visit(statement);
    }

    void visitBlocks(Statement& statement) {
        for (Block& block : statement.blocks)
            visitBlock(block);
    }

    /// What an unsupported statement would be: its names count all the same.
    static Statement::Kind shapeOf(const Statement& statement) {
        using S = Statement::Kind;
        if (statement.kind != S::Unsupported)
            return statement.kind;
        if (statement.function)
            return statement.function->kind == TreeKind::Class ? S::ClassDef : S::FunctionDef;
        return statement.text == "async for" ? S::For : S::With;
    }

    void visit(Statement& s) {
        using S = Statement::Kind;
        switch (shapeOf(s)) {
        case S::Pass:
            if (!s.text.empty())
                declare(s);
            return;
        case S::Assign:
            visit(s.expressions.back());
            for (size_t i = 0; i + 1 < s.expressions.size(); ++i)
                visitTarget(s.expressions[i]);
            return;
        case S::AugmentedAssign:
            // The target is read too; its Name is looked up once.
            visitTarget(s.expressions[0]);
            return visit(s.expressions[1]);
        case S::AnnotatedAssign:
            return annotatedAssign(s);
        case S::For:
            visit(s.expressions[1]);
            visitTarget(s.expressions[0]);
            return visitBlocks(s);
        case S::Delete:
            for (Expression& e : s.expressions)
                visitTarget(e);
            return;
        case S::With:
            for (Statement::WithItem& item : s.items) {
                visit(item.manager);
                for (Expression& target : item.target)
                    visitTarget(target);
            }
            return visitBlocks(s);
        case S::Try:
            visitBlocks(s);
            for (Statement::Handler& handler : s.handlers) {
                visitAll(handler.type);
                for (Expression& target : handler.target)
                    bind(target);
                visitBlock(handler.body);
            }
            return;
        case S::Import:
        case S::ImportFrom:
            for (Statement::ImportName& import : s.imports)
                for (Expression& target : import.target)
                    bind(target);
            return;
        case S::FunctionDef:
        case S::ClassDef:
            visitAll(s.decorators);
            visitAll(s.expressions);
            bind(s.target[0]);
            return visitFunction(*s.function);
        case S::Match:
            visit(s.expressions[0]);
            for (Statement::Case& matchCase : s.cases) {
                visitPattern(matchCase.pattern);
                visitAll(matchCase.guard);
                visitBlock(matchCase.body);
            }
            return;
        default:
            visitAll(s.expressions);
            visitBlocks(s);
        }
    }

    void annotatedAssign(Statement& s) {
        Expression& target = s.expressions[0];
        if (target.kind == Kind::Name) {
            Symbol& symbol = m_scope->symbol(target.text);
            if ((symbol.isGlobal || symbol.isNonlocal) && m_scope->parent)
                fail(s.begin, "annotated name '" + target.text + "' can't be " +
                                  (symbol.isGlobal ? "global" : "nonlocal"));
            symbol.isAnnotated = true;
        }
        // "(x): int" alone binds nothing.
        if (target.kind != Kind::Name || s.expressions.size() > 2 || target.begin == s.begin)
            visitTarget(target);
        else
            use(target);
        visit(s.expressions[1]);
        if (s.expressions.size() > 2)
            visit(s.expressions[2]);
    }

    void visitPattern(Pattern& pattern) {
        visitAll(pattern.expressions);
        for (Pattern& part : pattern.parts)
            visitPattern(part);
        for (Expression& target : pattern.target)
            bind(target);
    }

    // --- Resolving.

    /// The function around whose cell a name of `scope` is; null: the module's, or nobody's.
    Symbol* provider(const Scope& scope, std::string_view name, Scope*& owner) {
        for (owner = scope.parent; owner; owner = owner->parent) {
            if (owner->tree->kind == TreeKind::Module)
                return nullptr;
            if (owner->tree->kind == TreeKind::Class) {
                if (name != "__class__")
                    continue;
                // Its own cell, whatever its body binds to that name.
                if (owner->tree->classCell < 0) {
                    owner->tree->classCell = static_cast<int32_t>(owner->tree->cells.size());
                    owner->tree->cells.emplace_back(name);
                }
                return &m_classCell;
            }
            Symbol* symbol = owner->find(name);
            if (!symbol)
                continue;
            if (symbol->isGlobal)
                return nullptr;
            if (symbol->isBound && !symbol->isNonlocal)
                return symbol;
        }
        return nullptr;
    }

    void resolve(Scope& scope) {
        const bool isClass = scope.tree->kind == TreeKind::Class;
        for (Symbol& symbol : scope.symbols) {
            symbol.scope = isClass && !symbol.isNonlocal ? NameScope::Class : NameScope::Global;
            if (symbol.isGlobal || scope.tree->kind == TreeKind::Module) {
                symbol.scope = NameScope::Global;
                continue;
            }
            if (symbol.isBound && !symbol.isNonlocal) {
                if (!isClass)
                    symbol.scope = NameScope::Local;
                continue;
            }
            Scope* owner = nullptr;
            Symbol* source = provider(scope, symbol.name, owner);
            if (!source && symbol.isNonlocal)
                fail(symbol.declaredAt, "no binding for nonlocal '" + symbol.name + "' found");
            if (!source)
                continue;
            source->isShared = true;
            if (!isClass || symbol.isNonlocal)
                symbol.scope = NameScope::Cell;
            symbol.slot = 0; // a cell: connect() says which
            for (Scope* between = &scope; between != owner; between = between->parent)
                takeFree(*between, symbol.name);
        }
    }

    static void takeFree(Scope& scope, const std::string& name) {
        if (scope.freeIndices.contains(name))
            return;
        // The key lives as long as the symbol or the tree's own copy; the symbol is made for that.
        const Symbol& symbol = scope.symbol(name);
        scope.freeIndices.emplace(symbol.name, static_cast<int32_t>(scope.tree->freeNames.size()));
        scope.tree->freeNames.push_back(name);
    }

    static void number(Scope& scope) {
        FunctionTree& tree = *scope.tree;
        for (Symbol& symbol : scope.symbols) {
            if (symbol.scope != NameScope::Local)
                continue;
            std::vector<std::string>& names = symbol.isShared ? tree.cells : tree.locals;
            if (symbol.isShared)
                symbol.scope = NameScope::Cell;
            symbol.slot = static_cast<int32_t>(names.size());
            names.push_back(symbol.name);
        }
        for (size_t i = 0; i < scope.parameters.size(); ++i) {
            tree.parameters[i].isCell = scope.parameters[i]->isShared;
            tree.parameters[i].slot = scope.parameters[i]->slot;
        }
    }

    /// Which cell of a scope holds that name: one of its own or one that it takes from outside.
    static int32_t cellOf(const Scope& scope, const std::string& name) {
        const FunctionTree& tree = *scope.tree;
        if (const auto taken = scope.freeIndices.find(name); taken != scope.freeIndices.end())
            return static_cast<int32_t>(tree.cells.size()) + taken->second;
        return tree.kind == TreeKind::Class ? tree.classCell : scope.find(name)->slot;
    }

    static void connect(Scope& scope) {
        for (const std::string& name : scope.tree->freeNames)
            scope.tree->freeSources.push_back(cellOf(*scope.parent, name));
        for (Symbol& symbol : scope.symbols)
            if (symbol.slot >= 0 && scope.freeIndices.contains(symbol.name))
                symbol.slot = cellOf(scope, symbol.name);
        for (const auto& [name, symbol] : scope.names) {
            name->scope = symbol->scope;
            name->slot = symbol->slot;
        }
    }

    const SourceFile& m_file;
    std::deque<Scope> m_scopes; ///< outer ones before inner ones
    Scope* m_scope = nullptr;
    Symbol m_classCell; ///< stands for every class's __class__
};

} // namespace

void resolveScopes(const SourceFile& file, FunctionTree& module) {
    Resolver(file).run(module);
}

} // namespace fx
