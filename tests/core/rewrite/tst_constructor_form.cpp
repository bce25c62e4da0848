// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of constructors, parameter by parameter and back.
#include "core/base/text.h"
#include "core/rewrite/constructor_form.h"
#include "tests/support/test_program.h"

namespace fx::constructor_form_test {

class TestConstructorForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parametersHaveNamesDefaultsAndTypes() {
        const std::optional<ConstructorForm> form = constructorForm("nn.Linear(8, 4)");
        QVERIFY(form);
        std::vector<std::string> parts;
        for (const CallParameter& each : form->form.parameters)
            parts.push_back(each.name + ':' + each.type + '=' + each.defaultText);
        QCOMPARE(join(parts, " "),
                 std::string("in_features:int= out_features:int= bias:bool=True device:=None dtype:=None"));
        // As they are annotated, where no default tells it.
        const std::optional<ConstructorForm> convolution = constructorForm("nn.Conv2d(3, 8, 3)");
        QVERIFY(convolution);
        QCOMPARE(convolution->form.parameters[2].name + ':' + convolution->form.parameters[2].type,
                 std::string("kernel_size:int or ints"));
    }

    void textsGoToTheirParametersAndBack_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("texts");
        QTest::addColumn<QString>("back");
        QTest::newRow("by position") << "nn.Linear(8, 2 * 4)"
                                     << "8|2 * 4|||"
                                     << "nn.Linear(8, 2 * 4)";
        QTest::newRow("by name") << "torch.nn.Linear(out_features=4, in_features=8)"
                                 << "8|4|||"
                                 << "torch.nn.Linear(8, 4)";
        QTest::newRow("one left out") << " nn.Linear(8, 4, dtype=torch.float64) "
                                      << "8|4|||torch.float64"
                                      << "nn.Linear(8, 4, dtype=torch.float64)";
        QTest::newRow("nothing") << "nn.ReLU()"
                                 << ""
                                 << "nn.ReLU()";
        QTest::newRow("any number") << "nn.Sequential(nn.ReLU(), nn.Linear(2, 3))"
                                    << "nn.ReLU(), nn.Linear(2, 3)"
                                    << "nn.Sequential(nn.ReLU(), nn.Linear(2, 3))";
    }
    void textsGoToTheirParametersAndBack() {
        QFETCH(QString, call);
        QFETCH(QString, texts);
        QFETCH(QString, back);
        const std::optional<ConstructorForm> form = constructorForm(call.toStdString());
        QVERIFY(form);
        QCOMPARE(QString::fromStdString(join(form->texts, "|")), texts);
        QCOMPARE(QString::fromStdString(constructorCall(*form)), back);
    }

    void whatIsNoSuchCallHasNone_data() {
        QTest::addColumn<QString>("call");
        for (const char* call : {"", "nn.Linear(8,", "nn.Linear", "torch.relu(3)", "nn.Linear(8, 4, width=3)",
                                 "nn.Linear(*sizes)", "nn.Linear(**sizes)", "nn.Nothing(3)", "3"})
            QTest::newRow(call) << call;
    }
    void whatIsNoSuchCallHasNone() {
        QFETCH(QString, call);
        QVERIFY(!constructorForm(call.toStdString()));
    }
};

FX_TEST(TestConstructorForm)
} // namespace fx::constructor_form_test
#include "tst_constructor_form.moc"
