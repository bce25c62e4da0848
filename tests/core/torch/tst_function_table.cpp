// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables of torch's names say of single functions. That all rows hold is check_function_table.py's
// business.
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/torch/host/function_table.h"
#include "tests/support/test_program.h"

namespace fx::function_table_test {

namespace {

QString shown(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

std::string textOf(const Argument& constant) {
    return reprText(constant, [](NodeId) { return std::string(); });
}

std::string wordOf(const FunctionRow& row, const RecordedArgument& argument) {
    const std::string key = argument.key.empty() ? "" : std::string(argument.key) + "=";
    const std::string value = argument.parameter ? std::string(row.parameters.at(*argument.parameter).name)
                                                 : textOf(argument.constant);
    return key + (argument.spread ? "*" : "") + value;
}

QString recordOf(const FunctionRow& row) {
    std::vector<std::string> words;
    for (const RecordedArgument& argument : row.records)
        words.push_back(wordOf(row, argument));
    return shown(row.target.name() + "(" + join(words, ", ") + ")");
}

} // namespace

class TestFunctionTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTargets_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("target");
        const char* rows[][2] = {
            {"torch.relu", "torch.relu"},
            {"torch.nn.functional.conv2d", "torch.conv2d"},
            {"torch.nn.functional.linear", "torch._C._nn.linear"},
            {"torch.linalg.norm", "torch._C._linalg.linalg_norm"},
            {"torch.split", "torch.functional.split"},
            {"torch._VF.einsum", "torch.einsum"},
            {"torch._VF.lstm", "torch.lstm"},
            {"torch.nn.Linear", "torch.nn.modules.linear.Linear"},
        };
        for (const auto& row : rows)
            QTest::newRow(row[0]) << row[0] << row[1];
    }
    void namesTargets() {
        QFETCH(QString, name);
        QFETCH(QString, target);
        const FunctionRow* row = findFunction(name.toStdString());
        QVERIFY(row);
        QCOMPARE(shown(row->target.name()), target);
    }
    void knowsNoOtherNames() {
        for (const char* name : {"torch.relux", "torc", "", "torch.nn.functional.nn", "math.pi", "numpy",
                                 "torch._VF.relux", "torch._VF.nn"})
            QVERIFY2(!findFunction(name), name);
        QVERIFY(!findTensorMember("foo"));
        QCOMPARE(findTensorMember("shape")->kind, FunctionKind::Property);
        QCOMPARE(findFunction("math.sqrt")->kind, FunctionKind::Wrapped);
        QCOMPARE(findFunction("torch.tensor")->kind, FunctionKind::Native);
    }
    void tellsWhatAPythonFunctionRecords() {
        const FunctionRow* softmax = findFunction("torch.nn.functional.softmax");
        QCOMPARE(softmax->kind, FunctionKind::Python);
        QCOMPARE(recordOf(*softmax),
                 "torch.nn.functional.softmax(input, dim=dim, _stacklevel=_stacklevel, dtype=dtype)");
        QVERIFY(!softmax->parameters[0].defaultValue);
        QCOMPARE(*softmax->parameters[2].defaultValue, Argument(3));
        QCOMPARE(softmax->checks.size(), 1u);
        QVERIFY(!softmax->checks[0].items);

        const FunctionRow* blocks = findFunction("torch.block_diag");
        QCOMPARE(recordOf(*blocks), "torch.functional.block_diag(*tensors)");
        QCOMPARE(blocks->parameters[0].kind, ParameterKind::VarPositional);
        QVERIFY(blocks->checks[0].items);

        QCOMPARE(recordOf(*findTensorMember("split")), "split(self, split_size, dim=dim)");
        QCOMPARE(findTensorMember("__contains__")->parameters[1].kind, ParameterKind::PositionalOnly);
    }
    void switchesByAFlag() {
        const FunctionRow* pool = findFunction("torch.nn.functional.max_pool2d");
        QCOMPARE(pool->kind, FunctionKind::Switch);
        QCOMPARE(shown(pool->choice->flag), "return_indices");
        QCOMPARE(pool->choice->position, 6u);
        QVERIFY(!pool->choice->byDefault);
        QCOMPARE(shown(findFunction(pool->choice->ifTrue)->target.functionName()), "max_pool2d_with_indices");
        QCOMPARE(shown(findFunction(pool->choice->ifFalse)->target.functionName()), "max_pool2d");
    }
    void readsConstants_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"None", "True", "-100", "1e-05", "2.0", "'mean'", "(1, (2, 'a, b'))", "()",
                                 "torch.bfloat16", "torch.strided", "inf", "-1"})
            QTest::newRow(text) << text;
    }
    void readsConstants() {
        QFETCH(QString, text);
        const Argument value = constantFromText(text.toStdString());
        QVERIFY(!value.as<OpaqueValue>());
        QCOMPARE(shown(textOf(value)), text);
    }
    void keepsValuesAndMessages() {
        QCOMPARE(findFunction("torch.half")->value, Argument(c10::ScalarType::Half));
        QCOMPARE(shown(findFunction("torch.float")->valueType), "dtype");
        QVERIFY(
            contains(findFunction("torch.randn")->sizesMessage, "got ({}), but expected one of:\n * (tuple"));
        QVERIFY(findFunction("torch.relu")->sizesMessage.empty());
    }
};

FX_TEST(TestFunctionTable)
} // namespace fx::function_table_test
#include "tst_function_table.moc"
