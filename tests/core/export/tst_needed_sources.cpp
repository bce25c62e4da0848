// SPDX-License-Identifier: GPL-3.0-or-later
// Which statements of the sources an export takes along, and how their imports come to name one another.
#include "core/export/needed_sources.h"
#include "tests/support/test_program.h"

namespace fx::needed_sources_test {

namespace {

const char* const kNet = R"(# Copyright of the author
"""Blocks."""
from __future__ import annotations
import os, math
import torch
from torch import nn
from helper import scaled, unused
import package.deep

SIZES = {"a": 1}
SIZES["b"] = 2
OTHER = os.environ

# Said above the function.
def twice(x):
    return scaled(x) * SIZES["b"]

def alone(x):
    return unused(x)

class Block(nn.Module):
    def forward(self, x):
        from helper import late
        return late(twice(x)) + package.deep.value

if math.pi > 3:
    def chosen(x): return x
else:
    chosen = None
model = Block()
)";

std::vector<SourceText> sources() {
    return {
        {"net", "net.py", kNet, false},
        {"helper", "helper.py",
         "import numpy\nfrom package import inner as i\n\ndef scaled(x):\n    return x * i.FACTOR\n\ndef "
         "unused(x):\n"
         "    return numpy.sum(x)\n\nlate = lambda x: x\n",
         false},
        {"package", "package/__init__.py", "import heavy\n", true},
        {"package.inner", "package/inner.py", "from .deep import value as FACTOR, other\nSPARE = 1\n", false},
        {"package.deep", "package/deep.py", "value = 3; other = 4\n", false}};
}

} // namespace

class NeededSourcesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesWhatAClassNeeds() {
        const std::vector<SourceText> texts = sources();
        NeededSources needed(texts);
        needed.need(*needed.find("net.Block"));
        const auto files = needed.files();
        std::string names;
        for (const auto& [name, text] : files)
            names += name + ' ';
        QCOMPARE(names,
                 std::string("helper.py net.py package/__init__.py package/deep.py package/inner.py "));
        QCOMPARE(files.at("net.py"),
                 std::string("# Copyright of the author\n"
                             "\"\"\"Blocks.\"\"\"\n"
                             "from __future__ import annotations\n\n"
                             "from torch import nn\n"
                             "from .helper import scaled\n"
                             "from . import package; from .package import deep as _package_deep\n"
                             "\n"
                             "SIZES = {\"a\": 1}\n"
                             "SIZES[\"b\"] = 2\n\n\n"
                             "# Said above the function.\n"
                             "def twice(x):\n"
                             "    return scaled(x) * SIZES[\"b\"]\n\n\n"
                             "class Block(nn.Module):\n"
                             "    def forward(self, x):\n"
                             "        from .helper import late\n"
                             "        return late(twice(x)) + package.deep.value\n"));
        QCOMPARE(files.at("helper.py"), std::string("from .package import inner as i\n\n\n"
                                                    "def scaled(x):\n"
                                                    "    return x * i.FACTOR\n\n\n"
                                                    "late = lambda x: x\n"));
        QCOMPARE(files.at("package/inner.py"), std::string("from .deep import value as FACTOR\n"));
        QCOMPARE(files.at("package/__init__.py"), std::string());
        QCOMPARE(files.at("package/deep.py"), std::string("value = 3\n"));
    }

    void takesStatementsThatDefineConditionally() {
        const std::vector<SourceText> texts = sources();
        NeededSources needed(texts);
        needed.need(*needed.find("net.chosen"));
        const std::string text = needed.files().at("net.py");
        QVERIFY2(
            text.ends_with(
                "import math\n\nif math.pi > 3:\n    def chosen(x): return x\nelse:\n    chosen = None\n"),
            text.c_str());
        QVERIFY(text.find("import os") == std::string::npos);
    }

    void findsByTheLastNameAlone() {
        const std::vector<SourceText> texts = sources();
        const NeededSources needed(texts);
        QCOMPARE(needed.find("__main__.unused")->module, std::string("net"));
        QCOMPARE(needed.find("__main__.late")->module, std::string("helper"));
        QVERIFY(!needed.find("net.nothing"));
        QVERIFY(!needed.find("elsewhere.nothing"));
        QCOMPARE(needed.find("net.Block.Inner")->rest, std::string(".Inner"));
    }

    void givesFilesNamesThatPythonCanImport() {
        const std::vector<SourceText> texts{
            {"module", "module.py", "def f(x): return x\n", false},
            {"my-net", "my-net.py", "from module import f\ndef g(x): return f(x)\n", false}};
        NeededSources needed(texts);
        needed.need(*needed.find("my-net.g"));
        const auto files = needed.files();
        QCOMPARE(files.at("my_net.py"),
                 std::string("from .module_source import f\n\n\ndef g(x): return f(x)\n"));
        QVERIFY(files.contains("module_source.py"));
    }

    void keepsAllWhereNamesAreLookedUpByText() {
        const std::vector<SourceText> texts{
            {"net", "net.py", "def a(x): return x\n\ndef pick(name): return globals()[name]\n", false}};
        NeededSources needed(texts);
        needed.need(*needed.find("net.pick"));
        QVERIFY(needed.files().at("net.py").find("def a(x)") != std::string::npos);
    }

    void followsStars() {
        const std::vector<SourceText> texts{
            {"net", "net.py", "from parts import *\n\ndef f(x): return g(x)\n", false},
            {"parts", "parts.py", "def g(x): return x\ndef h(x): return x\n", false}};
        NeededSources needed(texts);
        needed.need(*needed.find("net.f"));
        QCOMPARE(needed.files().at("net.py"),
                 std::string("from .parts import *\n\n\ndef f(x): return g(x)\n"));
        QCOMPARE(needed.files().at("parts.py"), std::string("def g(x): return x\n"));
    }
};

FX_TEST(NeededSourcesTest)
} // namespace fx::needed_sources_test
#include "tst_needed_sources.moc"
