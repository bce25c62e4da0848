// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that are declared for values, held against those that are found.
#include "core/base/error.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/passes/symbolic/tensor_types.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

namespace fx::tensor_types_test {

namespace {

/// matmul(x, y) + matmul(x, y)
Model model() {
    return traceCallable({"x", "y"},
                         [](const std::vector<Proxy>& in) -> ProxyArgument {
                             return callFunction("torch.add", {callFunction("torch.matmul", {in[0], in[1]}),
                                                               callFunction("torch.matmul", {in[0], in[1]})});
                         })
        .model;
}

PassReport apply(Model& model, const char* name, const std::map<std::string, std::string>& options) {
    Progress progress;
    PassContext context{progress};
    const Pass& pass = findPass(name);
    return runPass(model, model.root(), pass, PassOptions(pass, options), context);
}

void declare(Model& model, const char* nodes, const char* sizes) {
    apply(model, "declare-sizes", {{"nodes", nodes}, {"sizes", sizes}});
}

std::string faultOf(Model& model) {
    try {
        apply(model, "check-types", {});
    } catch (const Error& error) {
        return error.message();
    }
    return "none";
}

} // namespace

class TensorTypesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatPeopleAndPythonWrite() {
        for (const char* text : {"(N, Dyn, 4)", "TensorType((N, Dyn, 4))", "TensorType[N, Dyn, 4]",
                                 "torch.fx.tensor_type.TensorType[N, torch.fx.tensor_type._DynType, 4]"}) {
            const std::optional<TensorType> type = readTensorType(text);
            QVERIFY2(type.has_value(), text);
            QCOMPARE(tensorTypeText(*type), std::string("(N, Dyn, 4)"));
        }
        QCOMPARE(tensorTypeText(*readTensorType("(7,)")), std::string("(7,)"));
        QCOMPARE(tensorTypeText(*readTensorType("()")), std::string("()"));
        QVERIFY(!readTensorType("torch.Tensor") && !readTensorType("tuple[int, int]") && !readTensorType(""));
        QVERIFY_THROWS_EXCEPTION(Error, readTensorType("(2, x+1)"));
    }

    void whatIsDeclaredIsAnAnnotation() {
        Model m = model();
        declare(m, "x", "(N, 3)");
        const Node& x = m.graph().node(m.graph().find("x"));
        QCOMPARE(*x.type, std::string("torch.fx.tensor_type.TensorType[torch.fx.tensor_type._DynType, 3]"));
        QCOMPARE(tensorTypeText(*declaredType(x)), std::string("(N, 3)"));
        declare(m, "x", "(2, 3)");
        QCOMPARE(tensorTypeText(*declaredType(x)), std::string("(2, 3)"));
        declare(m, "x", "");
        QVERIFY(!x.type && !declaredType(x));
        QVERIFY_THROWS_EXCEPTION(Error, declare(m, "x", "N by 3"));
    }

    void sizesThatFitAreNoFault() {
        Model m = model();
        declare(m, "x", "(N, 3)");
        declare(m, "y", "(3, M)");
        declare(m, "add", "(N, M)");
        QCOMPARE(faultOf(m), std::string("none"));
        declare(m, "matmul", "(Dyn, Dyn)");
        QCOMPARE(faultOf(m), std::string("none"));
    }

    void sizesThatDoNotFitAreNamed() {
        Model m = model();
        declare(m, "x", "(N, 3)");
        declare(m, "y", "(3, M)");
        declare(m, "add", "(N, 4)");
        QCOMPARE(faultOf(m), std::string("'add' is declared as (N, 4), but is f32[N, M]: 4 is not M"));
        declare(m, "add", "(M, N)");
        QCOMPARE(faultOf(m),
                 std::string("'add' is declared as (M, N), but is f32[N, M]: M is M at 'y', and N here"));
        declare(m, "matmul", "(N,)");
        QCOMPARE(faultOf(m).find("'matmul' is declared as (N,), but is f32[N, M]: 1 size declared, 2 there"),
                 size_t(0));
    }

    void withoutNamesWhatIsRecordedCounts() {
        Model m = model();
        declare(m, "add", "(2, 4)");
        QCOMPARE(faultOf(m), std::string("none")); // nothing is known of it
        Edit edit(m);
        TensorMeta is;
        is.dtype = c10::ScalarType::Float;
        is.shape = {int64_t(2), int64_t(5)};
        edit.setMeta(m.graph().find("add"), meta::kTensorMeta, ValueMeta{is});
        edit.finish();
        QCOMPARE(faultOf(m), std::string("'add' is declared as (2, 4), but is f32[2, 5]: 4 is not 5"));
    }
};

FX_TEST(TensorTypesTest)
} // namespace fx::tensor_types_test

#include "tst_tensor_types.moc"
