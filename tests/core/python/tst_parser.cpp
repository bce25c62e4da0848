// SPDX-License-Identifier: GPL-3.0-or-later
// Python source to trees with resolved names, and what is said about faults. Whole files and what CPython
// makes of them are compared by check_parser.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/big_int.h"
#include "core/python/literals.h"
#include "core/python/notebook.h"
#include "core/python/parse_expression.h"
#include "core/python/source_encoding.h"
#include "tests/core/python/tree_text.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <pthread.h>

namespace fx::parser_test {

namespace {

std::string treeOf(std::string source) {
    return treeText(*parseSource(std::move(source), "source.py")->module);
}

std::string scopesOf(std::string source) {
    return scopeText(*parseSource(std::move(source), "source.py")->module);
}

template <class Work>
std::string textOrError(Work work) {
    try {
        return work();
    } catch (const Error& error) {
        return error.what();
    }
}

std::string errorOf(std::string source) {
    return textOrError([&] { return parseSource(std::move(source), "source.py") ? "no error" : ""; });
}

/// The first function of a module.
const FunctionTree& firstFunction(const SourceFile& file) {
    return *file.module->body.at(0).function;
}

/// As deep as the parser allows: brackets, blocks and functions in one another.
std::string deepSource(size_t levels) {
    std::string out;
    for (size_t i = 0; i < 40; ++i)
        out += std::string(i, ' ') + (i % 2 ? "if a:\n" : "def f():\n");
    return out + std::string(40, ' ') + "return " + std::string(levels, '[') + std::string(levels, ']') +
           '\n';
}

} // namespace

class ParserTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void buildsTrees_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* name, const char* source, const char* tree) {
            QTest::newRow(name) << source << tree;
        };
        row("assignment", "a = b.c[0], *d", "(= a (tuple ([] (. b c) 0) (* d)))");
        row("chain of targets", "a = b, c = d", "(= a (tuple b c) d)");
        row("precedence of ^ and &", "a ^ b & c | d", "(do (binary | (binary ^ a (binary & b c)) d))");
        row("power", "-a ** -b", "(do (- (binary ** a (- b))))");
        row("star before an operator", "x = *[None] * 3, *f(a)",
            "(= x (tuple (* (binary * (list None) 3)) (* (call f a))))");
        row("comparison", "a < b is not c", "(do (compare a < b is not c))");
        row("boolean", "a or b or c and d", "(do (or a b (and c d)))");
        row("call", "f(a, *b, c=1, **d)", "(do (call f a (* b) (= c 1) (** d)))");
        row("slices", "a[1:, ::2, ...]", "(do ([] a (tuple (slice 1 None None) (slice None None 2) ...)))");
        row("dict", "{1: a, **b}", "(do (dict 1 a (**) b))");
        row("comprehension", "[a for b, c in d if e for f in g]",
            "(do (list-of a (for (tuple b c) d e) (for f g)))");
        row("f-string", "f'a{b!r:>{c}}{{' 'd'", "(do (f \"a\" (!r b (f \">\" (! c))) \"{d\"))");
        row("f-string that shows its source", "f'{a = }'", "(do (f \"a = \" (!r a)))");
        row("walrus of a conditional", "(a := b if c else d)", "(do (:= a (if-else b c d)))");
        row("lambda", "lambda a, /, b=1, *, c: a", "(do (lambda ( /a b 1 =c) a))");
        row("function", "def f(a: int, *b, c=1) -> d: pass", "(def f ( a:int *b =c 1) -> d { (pass) })");
        row("class", "@a\nclass B(C, d=1): 'e'", "(class @a B ( C (= d 1)) { (do \"e\") })");
        row("elif", "if a: b\nelif c: d\nelse: e", "(if a c { (do b) } { (do d) } { (do e) })");
        row("with", "with (a as b, c): pass", "(with a b c None { (pass) })");
        row("try", "try: a\nexcept B as c: d\nfinally: e",
            "(try { (do a) } { } { (do e) } (except B c { (do d) }))");
        row("imports", "from ..a import b as c", "(from ..a b as c)");
        row("match", "match a:\n case [b, *_] if c: d",
            "(match a (case (sequence (capture b) (star)) c { (do d) }))");
        row("names that are words elsewhere", "match = print = type = case", "(= match print type case)");
        row("type is no statement", "type (a).b = c", "(= (. (call type a) b) c)");
        row("annotations of the future are text", "from __future__ import annotations\nx: List[ int ] = 1",
            "(from __future__ annotations) (: x \"List[int]\" 1)");
        row("f-string in an f-string", "f'{a:{b}}{f\"{c!s}\"}{*d, e}'",
            "(do (f (! a (f (! b))) (! (f (!s c))) (! (tuple (* d) e))))");
        row("with in brackets", "with (a as b, c): pass\nwith (a, b)[0]: pass\nwith (yield_ := 1): pass",
            "(with a b c None { (pass) }) (with ([] (tuple a b) 0) None { (pass) }) "
            "(with (:= yield_ 1) None { (pass) })");
        row("unsupported", "async def f(): await x", "(async def f () { (do (await x)) })");
        row("private names", "class _A:\n def f(self): self.__b = __c__",
            "(class _A () { (def f ( self) { (= (. self _A__b) __c__) }) })");
        row("no line end", "if a:\n\tb", "(if a { (do b) })");
        row("lines of other systems", "\xEF\xBB\xBFif a:\r\n  b\r\nc\rd", "(if a { (do b) }) (do c) (do d)");
        row("lines within brackets", "if a:\n  b = (c.\nd(\n))\n  e",
            "(if a { (= b (call (. c d))) (do e) })");
        row("letters of all languages", "é = 'ü'", "(= é \"\\xc3\\xbc\")");
    }

    void buildsTrees() {
        QFETCH(QString, source);
        QFETCH(QString, tree);
        QCOMPARE(QString::fromStdString(treeOf(source.toStdString())), tree);
    }

    void resolvesNames_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("scopes");
        const auto row = [](const char* name, const char* source, const char* scopes) {
            QTest::newRow(name) << source << scopes;
        };
        row("closure", "def f(a, b):\n def g(): return a + c\n return g",
            "<module>(){f(a:cell b:local g:local){f.<locals>.g(a:free){}}}");
        row("nonlocal", "def f():\n a = 1\n def g():\n  nonlocal a\n  a = 2",
            "<module>(){f(a:cell g:local){f.<locals>.g(a:free){}}}");
        row("global", "def f():\n global a, g\n a = 1\n def g(): return a", "<module>(){f(){g(){}}}");
        row("class bodies are skipped", "def f(a):\n class B:\n  a = 1\n  def g(self): return a",
            "<module>(){f(B:local a:cell){f.<locals>.B(a:free){f.<locals>.B.g(a:free self:local){}}}}");
        row("super reads the class", "class A:\n def f(self): return super().f()",
            "<module>(){A(){A.f(__class__:free self:local){}}}");
        row("comprehension", "def f(a, b):\n return [a for c in b]",
            "<module>(){f(a:cell b:local){f.<locals>.<listcomp>(a:free c:local){}}}");
        row("walrus binds outside", "def f(a):\n return [b := c for c in a]",
            "<module>(){f(a:local b:cell){f.<locals>.<listcomp>(b:free c:local){}}}");
        row("defaults belong outside", "def f(a):\n def g(b=a): return b",
            "<module>(){f(a:local g:local){f.<locals>.g(b:local){}}}");
    }

    void resolvesNames() {
        QFETCH(QString, source);
        QFETCH(QString, scopes);
        QCOMPARE(QString::fromStdString(scopesOf(source.toStdString())), scopes);
    }

    void numbersParametersFirst() {
        const auto file = parseSource("def f(a, b, *c, d, **e):\n x = lambda: b\n", "s");
        const FunctionTree& f = firstFunction(*file);
        QCOMPARE(f.locals, (std::vector<std::string>{"a", "c", "d", "e", "x"}));
        QCOMPARE(f.cells, (std::vector<std::string>{"b"}));
        QVERIFY(f.parameters[1].isCell);
        QCOMPARE(f.parameters[1].slot, 0);
        QVERIFY(f.parameters[2].kind == FunctionTree::Parameter::Kind::Args);
        QCOMPARE(f.parameters[4].slot, 3);
    }

    void namesOfClassesLookAround() {
        const auto file = parseSource("def f(a):\n class B:\n  c = a\n  d = c\n", "s");
        const FunctionTree& type = *firstFunction(*file).body[0].function;
        QVERIFY(type.kind == FunctionTree::Kind::Class);
        QCOMPARE(type.freeNames, (std::vector<std::string>{"a"}));
        QCOMPARE(type.freeSources, (std::vector<int32_t>{0}));
        const Expression& a = type.body[0].expressions[1];
        const Expression& c = type.body[1].expressions[1];
        QVERIFY(a.scope == NameScope::Class && a.slot == 0);
        QVERIFY(c.scope == NameScope::Class && c.slot == -1);
    }

    void givesMethodsTheirClass() {
        const auto file =
            parseSource("class A:\n def f(self): return __class__\nclass B:\n def f(self): 1\n", "s");
        QCOMPARE(firstFunction(*file).classCell, 0);
        QCOMPARE(firstFunction(*file).cells, (std::vector<std::string>{"__class__"}));
        QCOMPARE(file->module->body[1].function->classCell, -1);
    }

    void keepsDocstringsAndGenerators() {
        const auto file = parseSource("'module'\ndef f():\n 'a' 'b'\n yield\nx = (i for i in y)\n", "s");
        QCOMPARE(file->module->docstring, "module");
        const FunctionTree& f = *file->module->body[1].function;
        QVERIFY(f.hasDocstring && f.isGenerator);
        QCOMPARE(f.docstring, "ab");
        QVERIFY(file->module->body[2].expressions[1].function->isGenerator);
        QVERIFY(!file->module->isGenerator);
    }

    void pointsAtFaults() {
        QCOMPARE(errorOf("x = 1\nif a:\n\té = f(b c)\n"),
                 "source.py:3:9: SyntaxError: invalid syntax. Perhaps you forgot a comma?\n"
                 "    \té = f(b c)\n"
                 "    \t      ^");
        QCOMPARE(errorOf("def f():\n    return (1\n"),
                 "source.py:2:12: SyntaxError: '(' was never closed\n        return (1\n               ^");
        // Of a line without end only the surroundings are shown.
        const std::string longLine = errorOf("x = [" + std::string(100'000, ' ') + "1 2]");
        QVERIFY(longLine.size() < 600);
    }

    void refusesWhatIsNoText() {
        QVERIFY(contains(errorOf(std::string("a = 1\0", 6)), "source code cannot contain null bytes"));
        QVERIFY(
            contains(errorOf("a = 1 # \xE9\n"), "source.py:1:9: SyntaxError: the source is not UTF-8 text"));
        QVERIFY(contains(errorOf("a = '\xED\xA0\x80'"), "not UTF-8"));
    }

    /// What CPython makes of whole sources is in tests/oracle/sources/language/encoded_*.py.
    void readsOtherEncodings() {
        const auto decoded = [](const std::string& bytes) {
            return textOrError([&] { return decodedSource(bytes, "source.py"); });
        };
        QCOMPARE(decoded("# coding: latin-1\nx = '\xE9'\n"), "# coding: utf-8\nx = '\xC3\xA9'\n");
        QCOMPARE(decoded("#!/bin/python\n# -*- coding: ISO_8859-15 -*-\n\xA4"),
                 "#!/bin/python\n# -*- coding: utf-8 -*-\n\xE2\x82\xAC");
        QCOMPARE(decoded("\f# vim: set fileencoding=Windows-1252 :\n\x93\xFF"),
                 "\f# vim: set fileencoding=utf-8 :\n\xE2\x80\x9C\xC3\xBF");
        for (const char* kept :
             {"x = 1\n# coding: latin-1\n\xE9", "\n\n# coding: latin-1\n\xE9", "# coding: utf8\n\xC3\xA9",
              "x = 'coding: latin-1'\n", "# encoding latin-1\n\xE9", "# coding: \n\xE9"})
            QCOMPARE(decoded(kept), std::string(kept));
        QCOMPARE(decoded("\xEF\xBB\xBF# coding: latin-1\n"),
                 "source.py:1:1: SyntaxError: encoding problem: latin-1 with BOM");
        QVERIFY(contains(decoded("\n# coding: klingon\n"),
                         "source.py:2:1: SyntaxError: the source says that its "
                         "encoding is 'klingon', which is not read here"));
        QVERIFY(contains(decoded("# coding: ascii\n\n\xE9"),
                         "source.py:3:1: SyntaxError: byte 0xe9 is no character"));
    }

    void readsCellsOfNotebooks() {
        const auto source = [](const std::string& json) { // in single quotes
            return textOrError([&] { return notebookSource(replaceAll(json, "'", "\""), "n.ipynb"); });
        };
        QCOMPARE(
            source("{'cells': [{'cell_type': 'markdown', 'source': '# Net'},"
                   "{'cell_type': 'code', 'source': ['%matplotlib inline\\n', 'import torch\\n', 'if a:\\n',"
                   " '    !ls\\n', 'len?']}, {'cell_type': 'code', 'source': '%%bash\\nrm -rf x', 'outputs': "
                   "[{}]},"
                   "{'cell_type': 'code', 'source': '%%time\\nfrom __future__ import annotations\\nx = a % b "
                   " # ?'},"
                   "{'cell_type': 'code', 'source': []}, {'cell_type': 'raw', 'source': 'raw'}],"
                   "'metadata': {'language_info': {'name': 'python'}}, 'nbformat': 4}"),
            "from __future__ import annotations\n"
            "# %% cell 1\npass  # %matplotlib inline\nimport torch\nif a:\n    pass  # !ls\npass  # len?\n"
            "# %% cell 2\n# %% cell 3\npass  # %%time\nx = a % b  # ?\n# %% cell 4\n\n");
        QCOMPARE(source("{'cells': [], 'metadata': {'kernelspec': {'language': 'R'}}}"),
                 "n.ipynb: is a notebook for R, not for Python");
        for (const std::string wrong :
             {"", "[]", "{'cells': 3}", "{'worksheets': []}", "{'cells': [", "text"})
            QVERIFY(contains(source(wrong), "n.ipynb: is no Jupyter notebook with cells"));
        QVERIFY(contains(source("{'cells': " + std::string(100'000, '[')), "is no Jupyter notebook"));
        QCOMPARE(source("{'cells': [3, {'cell_type': 1}, {'cell_type': 'code', 'source': {'a': 1}},"
                        "{'cell_type': 'code', 'source': ['a', 3]}]}"),
                 "# %% cell 1\n\n# %% cell 2\na\n");
    }

    void knowsPositions() {
        const auto file = parseSource("a\nbc = d\n", "s");
        const Expression& d = file->module->body[1].expressions[1];
        QCOMPARE(file->position(d.begin).line, 2);
        QCOMPARE(file->position(d.begin).column, 6);
        QCOMPARE(file->line(2), std::string_view("bc = d"));
        QCOMPARE(file->line(4), std::string_view());
    }

    /// Generators have small stacks, and imports run on them.
    void boundsTheDepth() {
        static std::string first, second;
        const auto work = [](void*) -> void* {
            first = errorOf(deepSource(90));
            second = errorOf(deepSource(180));
            return nullptr;
        };
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        if (!isSanitized())
            pthread_attr_setstacksize(&attributes, 512 * 1024);
        pthread_t thread;
        QCOMPARE(pthread_create(&thread, &attributes, work, nullptr), 0);
        pthread_join(thread, nullptr);
        QCOMPARE(first, "no error");
        QVERIFY2(contains(second, "too deeply nested"), second.c_str());
        QVERIFY(contains(errorOf(std::string(250, '(')), "too many nested parentheses"));
        QVERIFY(contains(errorOf("x = " + std::string(100'000, '-') + "1"), "too deeply nested"));
        QVERIFY(contains(errorOf("x = a" + std::string(50'000, 'b') + std::string(100'000, '\'')),
                         "SyntaxError"));
    }

    /// Read without recursion, but walked with it.
    void boundsTheHeight() {
        const auto repeated = [](const std::string& first, const std::string& next, size_t count) {
            std::string out = first;
            for (size_t i = 0; i < count; ++i)
                out += next;
            return out;
        };
        QCOMPARE(errorOf(repeated("x", " + x", 2000)), "no error");
        for (const char* next : {" + x", ".x", "()", "[0]"})
            QVERIFY2(contains(errorOf(repeated("x", next, 100'000)), "too deeply nested"), next);
        // Long ones in one another.
        std::string text = "1";
        for (int i = 0; i < 50; ++i)
            text = repeated('(' + text + ')', " + 1", 100);
        QVERIFY(contains(errorOf(text), "too deeply nested"));
        for (const char* next : {" == x", " or x", ", x", " = x", "; x", "\nx"})
            QVERIFY2(errorOf(repeated("x", next, 100'000)) == "no error", next);
        for (const char* next : {"**x", " if x else x", "(", "[", "{", "{x:", "lambda: ", "not ", "x if "})
            QVERIFY2(contains(errorOf(repeated("x = x", next, 100'000)), "SyntaxError"), next);
    }

    void placesNodes() {
        const auto file = parseSource("x = (a) + f(b)[c] . d\n@e\nclass A: pass\n", "s");
        const Expression& sum = file->module->body[0].expressions[1];
        QCOMPARE(sum.begin, 5U); // an operator's operands are told without their brackets
        QCOMPARE(sum.end, 21U);
        const Expression& attribute = sum.children[1];
        QCOMPARE(attribute.begin, 10U);
        QCOMPARE(attribute.children[0].end, 17U);
        const Statement& type = file->module->body[1];
        QCOMPARE(type.begin, 22U);
        QCOMPARE(type.end, 38U);
        QCOMPARE(type.function->begin, 25U);
    }

    void readsWideSources() {
        std::string text = "x = [";
        for (int i = 0; i < 50'000; ++i)
            text += "1, ";
        const auto file = parseSource(text + "]\n", "s");
        QCOMPARE(file->module->body[0].expressions[1].children.size(), size_t(50'000));
    }

    void readsNumbers() {
        QCOMPARE(numberLiteral("1_000").data().toInt(), 1000);
        QCOMPARE(numberLiteral("0xFF").data().toInt(), 255);
        QCOMPARE(numberLiteral("1e999").data().toDouble(), HUGE_VAL);
        QCOMPARE(numberLiteral("1e-999").data().toDouble(), 0.0);
        QCOMPARE(numberLiteral("2.5j").data().toComplexDouble().imag(), 2.5);
        const Value large = numberLiteral("0xFFFF_FFFF_FFFF_FFFF");
        QVERIFY(large.as<BigIntObject>());
        QCOMPARE(large.as<BigIntObject>()->value->text(), "18446744073709551615");
    }

    void readsExpressions() {
        QCOMPARE(treeText(parseExpression("  f(a, b=1)\n", "s")), "(call f a (= b 1))");
        QCOMPARE(treeText(parseExpression("a, b", "s")), "(tuple a b)");
        const auto file = parseExpressionSource("lambda a: a + b", "s");
        QVERIFY(file->module->body[0].kind == Statement::Kind::Return);
        for (const char* text : {"", "a = 1", "a\nb", "pass", "*a", "a b"})
            QVERIFY_THROWS_EXCEPTION(Error, parseExpression(text, "s"));
    }

    void leavesUnknownCharacterNamesUnread() {
        const auto file = parseSource("x = '\\N{BULLET}', '\\N{CHEESE WEDGE}'", "s");
        const Expression& both = file->module->body[0].expressions[1];
        QCOMPARE(both.children[0].constant.text(), "\u2022");
        QVERIFY(both.children[1].kind == Expression::Kind::Unsupported);
        QCOMPARE(both.children[1].text, "\\N{CHEESE WEDGE}");
    }
};

FX_TEST(ParserTest)
} // namespace fx::parser_test

#include "tst_parser.moc"
