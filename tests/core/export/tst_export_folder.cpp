// SPDX-License-Identifier: GPL-3.0-or-later
// What exporting a folder tells, how modules are written, and what is refused. That the folders compute the
// same is asked by tests/oracle/check_exported.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/export/export_folder.h"
#include "core/export/verify_export.h"
#include "core/io/mapped_file.h"
#include "core/io/output_file.h"
#include "core/module/edit.h"
#include "core/open/open.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>

namespace fx::export_folder_test {

namespace {

const char* const kSource = R"(
import enum, math
from typing import NamedTuple
import torch
from torch import nn
import torch.nn.functional as F

class Kind(enum.Enum):
    FAST = 1

class Span(NamedTuple):
    low: int
    high: float

class Config:
    def __init__(self, width):
        self.width = width

def doubled(x):
    return x * 2

class Block(nn.Module):
    def __init__(self, config, width=4):
        super().__init__()
        self.config = config
        self.raw, self.names, self.kind, self.span = b"a\x00", {"b"}, Kind.FAST, Span(1, 2.5)
        self.dtype, self.place, self.phase = torch.float16, torch.device("cpu"), 1 + 2j
        self.part, self.function, self.act = slice(0, 2), doubled, F.gelu
        self.linear = nn.Linear(width, width)
        self.hidden = nn.Parameter(torch.ones(width), requires_grad=False)

    def forward(self, x):
        assert self.raw == b"a\x00" and "b" in self.names and self.kind is Kind.FAST and self.span.high == 2.5
        return self.function(self.act(self.linear(x))) * self.hidden * self.config.width + self.phase.imag

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding="same", bias=False), nn.BatchNorm2d(8), nn.MaxPool2d(2))
        self.attention = nn.MultiheadAttention(8, 2)
        self.rnn = nn.GRU(8, 4, bidirectional=True)
        self.norm = nn.utils.spectral_norm(nn.Linear(8, 4))
        self.smooth = nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))
        self.block = Block(Config(3))
        self.tied = nn.Linear(8, 4)
        self.tied.weight = self.norm.weight_orig
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2)
        self.encoder.requires_grad_(False)

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        x = self.attention(x, x, x)[0] + self.rnn(x)[0]
        return self.encoder(self.block(self.smooth(self.norm(x) + self.tied(x))))
)";

struct Written {
    QTemporaryDir parent;
    std::string folder, text;
    std::optional<ExportVerdict> verdict;
};

/// Exports "net.py:EXPRESSION", with calls of Block recorded, and reads module.py.
std::unique_ptr<Written> written(const char* expression, const at::Tensor& input) {
    auto out = std::make_unique<Written>();
    const std::string source = out->parent.filePath("net.py").toStdString();
    writeFile(source, kSource);
    OpenOptions options;
    options.trace.leafTypes = {"Block"};
    options.trace.isTraining = false;
    Progress progress;
    const OpenedModel opened = openModel(source + ':' + expression, options, progress);
    out->folder = out->parent.filePath("package").toStdString();
    exportFolder(opened.model, out->folder, "Net", opened.path);
    out->text = readFile(out->folder + "/module.py");
    out->verdict = verifyExport(opened, out->folder, {Value(c10::IValue(input))});
    return out;
}

} // namespace

class ExportFolderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhichFoldersPythonCannotImport_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("named");
        QTest::newRow("a name") << "net"
                                << "";
        QTest::newRow("a name with a slash") << "net/"
                                             << "";
        QTest::newRow("two slashes") << "net//"
                                     << "";
        QTest::newRow("the folder itself") << "net/."
                                           << "";
        QTest::newRow("no identifier") << "my-net"
                                       << "my-net";
        QTest::newRow("no identifier, with a slash") << "2nd/"
                                                     << "2nd";
    }
    void saysWhichFoldersPythonCannotImport() {
        QFETCH(QString, folder);
        QFETCH(QString, named);
        Model model;
        Edit edit(model);
        edit.output(edit.callFunction("torch.relu", {edit.placeholder("x")}));
        edit.finish();
        const QTemporaryDir parent;
        const std::vector<std::string> notes =
            exportFolder(model, (parent.path() + '/' + folder).toStdString(), "Net", "").notes;
        QCOMPARE(notes.size(), size_t(named.isEmpty() ? 0 : 1));
        if (!named.isEmpty())
            QVERIFY2(contains(notes[0], "'from " + named.toStdString() + " import'"), notes[0].c_str());
    }

    void writesModulesByTheirConstructors() {
        const auto out = written("Net()", at::ones({2, 3, 8, 8}));
        QCOMPARE(out->verdict->text, std::string("outputs equal bit for bit"));
        for (const char* line :
             {"self.stem.add_module('0', torch.nn.Conv2d(3, 8, kernel_size=(3, 3), padding='same', "
              "bias=False))",
              "self.stem.add_module('1', torch.nn.BatchNorm2d(8))",
              "self.stem.add_module('2', torch.nn.MaxPool2d(2))",
              "self.attention = torch.nn.MultiheadAttention(8, 2)",
              "self.rnn = torch.nn.GRU(8, 4, bidirectional=True)", "self.norm = torch.nn.Linear(8, 4)\n",
              "self.norm.register_forward_pre_hook(_object(", "self.smooth = torch.nn.Linear(4, 4)\n",
              "torch.nn.utils.parametrize.register_parametrization(self.smooth, 'weight', ",
              "self.tied = torch.nn.Linear(8, 4)\n", "self.tied.weight = self.norm.weight_orig\n",
              "self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, "
              "2, "
              "dim_feedforward=8, batch_first=True), 2)\n",
              "self.encoder.requires_grad_(False)\n", "self.block.hidden.requires_grad_(False)\n",
              "        _load_state(self, state)\n        self.eval()\n",
              "from .net import Block as net_Block\n"})
            QVERIFY2(contains(out->text, line), (line + ("\n" + out->text)).c_str());
    }

    void keepsAttributesOfEveryKind() {
        const auto out = written("Block(Config(3))", at::ones({2, 4}));
        QCOMPARE(out->verdict->state, ExportState::Equal);
        const auto leaf = written("nn.Sequential(Block(Config(3)))", at::ones({2, 4}));
        QCOMPARE(leaf->verdict->text, std::string("outputs equal bit for bit"));
        QVERIFY2(contains(leaf->text, "net_Block(_object(net_Config, {'width': 3}))"), leaf->text.c_str());
        const std::string source = readFile(leaf->folder + "/net.py");
        QVERIFY(contains(source, "class Kind(") && contains(source, "def doubled(") &&
                !contains(source, "class Net("));
    }

    void refusesBeforeAnythingIsWritten_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        QTest::newRow("module") << "module"
                                << "blocks.0"
                                << "is a module of class somewhere.Block, whose source is not known";
        QTest::newRow("function") << "function"
                                  << "node 'f'"
                                  << "needs somewhere.f, whose source is not known";
        QTest::newRow("value") << "value"
                               << "node 'relu'"
                               << "holds an object that Python code cannot make again: <odd>";
    }
    void refusesBeforeAnythingIsWritten() {
        QFETCH(QString, kind);
        QFETCH(QString, place);
        QFETCH(QString, words);
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder("x");
        NodeId result;
        if (kind == "module") {
            edit.addSubmodule("blocks.0", edit.createModule("somewhere.Block"));
            result = edit.callModule("blocks.0", {x});
        } else if (kind == "function") {
            result = edit.callFunction("somewhere.f", {x});
        } else {
            result = edit.callFunction("torch.relu", {x}, {{"inplace", OpaqueValue{"<odd>"}}});
        }
        edit.output(result);
        edit.finish();
        const QTemporaryDir parent;
        const QString folder = parent.filePath("package");
        try {
            exportFolder(model, folder.toStdString(), "Net", "");
            QFAIL("written");
        } catch (const Error& error) {
            QCOMPARE(QString::fromStdString(error.place()), place);
            QCOMPARE(QString::fromStdString(error.message()), words);
            QVERIFY(!error.advice().empty());
        }
        QVERIFY(!QFile::exists(folder));
    }

    void saysWhereTheFolderDiffers() {
        const auto out = written("nn.Linear(3, 2)", at::ones({2, 3}));
        OpenOptions options;
        Progress progress;
        const OpenedModel other =
            openModel(out->parent.filePath("net.py").toStdString() + ":nn.Linear(3, 4)", options, progress);
        const ExportVerdict verdict =
            verifyExport(other, out->folder, {Value(c10::IValue(at::ones({2, 3})))});
        QCOMPARE(verdict.state, ExportState::Different);
        QVERIFY2(contains(verdict.text, "output 0 differs"), verdict.text.c_str());
    }
};

FX_TEST(ExportFolderTest)
} // namespace fx::export_folder_test
#include "tst_export_folder.moc"
