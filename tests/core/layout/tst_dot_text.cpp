// SPDX-License-Identifier: GPL-3.0-or-later
// Odd names, targets and arguments in Graphviz's language: Graphviz itself reads them back unharmed.
#include "core/layout/dot_text.h"
#include "core/module/edit.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QStandardPaths>

namespace fx::dot_text_test {

class TestDotText : public QObject {
    Q_OBJECT

private:
    /// Graphviz's opinion: its messages, or empty.
    static QString complaintOf(const std::string& dot) {
        QProcess process;
        process.start("dot", {"-Tjson0", "-Gnslimit=1", "-o", "/dev/null"});
        process.write(dot.data(), static_cast<qint64>(dot.size()));
        process.closeWriteChannel();
        process.waitForFinished(60000);
        return process.exitCode() == 0 ? process.readAllStandardError()
                                       : "failed: " + process.readAllStandardError();
    }

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable("dot").isEmpty())
            QSKIP("there is no dot program here");
    }

    void isReadByGraphviz_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"plain", "{|}<>[]", "quote \" and \\", "ends in \\", "<b>&amp;</b>", "new\nline\ttab",
              "größe \u200b 日本", "node", "graph", "->", "a;b", "/* */ //", "%s", "\\N \\G \\l"})
            QTest::newRow(text) << text;
    }
    void isReadByGraphviz() {
        QFETCH(QString, text);
        const std::string odd = text.toStdString();
        Model model;
        Edit edit(model);
        const NodeId x = edit.placeholder(odd);
        edit.setName(x, odd);
        const NodeId y = edit.callFunction("mine." + odd, {x, odd, DictValue{{{odd, x}}}});
        edit.setMeta(y, meta::kModuleStack, MetaValue(ModuleStack{{"k", odd, odd}}));
        edit.output(y);
        edit.finish();
        QCOMPARE(complaintOf(dotText(model.graph())), QString());
    }

    void isReadByGraphvizForModels_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"named_submodules", "unicode_strings", "strings", "odd_names"})
            QTest::newRow(name) << name;
    }
    void isReadByGraphvizForModels() {
        QFETCH(QString, name);
        QCOMPARE(complaintOf(dotText(openOracle(name.toStdString()).model.graph())), QString());
    }
};

FX_TEST(TestDotText)
} // namespace fx::dot_text_test
#include "tst_dot_text.moc"
