// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas of sizes, and what is asked of the symbols. That the formulas are those of torch.export is asked
// in tests/oracle/check_symbolic.py.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/passes/symbolic/symbolic_shapes.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

namespace fx::symbolic_shapes_test {

namespace {

using In = std::vector<Proxy>;

Model modelOf(const std::vector<std::string>& names, const std::function<ProxyArgument(const In&)>& work) {
    return traceCallable(names, work).model;
}

SymbolicShapes found(const Model& model, const std::string& sizes,
                     const std::map<std::string, KnownRange>& ranges = {}) {
    Progress progress;
    return findSymbolicShapes(model, readSymbolicInputs(model, sizes), {}, ranges, progress);
}

/// The value of the last node but the output, then "symbols | constraints (node) | fresh (node)".
std::string told(const Model& model, const std::string& sizes,
                 const std::map<std::string, KnownRange>& ranges = {}) {
    const SymbolicShapes shapes = found(model, sizes, ranges);
    std::vector<std::string> constraints, fresh;
    for (const SizeConstraint& one : shapes.constraints)
        constraints.push_back(one.text + " (" + model.graph().node(one.node.second).name + ')');
    for (const auto& [name, key] : shapes.fresh)
        fresh.push_back(name + " (" + model.graph().node(key.second).name + ')');
    return valueMetaText(shapes.values.at({model.root(), model.graph().outputNode()})) + " | " +
           join(shapes.symbols, ", ") + " | " + join(constraints, ", ") + " | " + join(fresh, ", ");
}

std::string faultOf(const Model& model, const std::string& sizes) {
    try {
        found(model, sizes);
    } catch (const Error& error) {
        return error.place() + ": " + error.message();
    }
    return "none";
}

Formula symbol(const char* name) {
    return Formula::symbol(name);
}

const auto kNumber = Formula::number;

} // namespace

class SymbolicShapesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formulasHaveOneText() {
        const Formula n = symbol("N"), t = symbol("T");
        QCOMPARE((t * n + kNumber(1) + n * t).text(), std::string("2*N*T + 1"));
        QCOMPARE((n - n).text(), std::string("0"));
        QCOMPARE((kNumber(3) - n).text(), std::string("3 - N"));
        QCOMPARE(Formula::quotient(n * kNumber(4) + t * kNumber(2), kNumber(2)).text(),
                 std::string("2*N + T"));
        QCOMPARE(Formula::quotient(n * kNumber(2) + kNumber(3), kNumber(2)).text(), std::string("N + 1"));
        QCOMPARE(Formula::quotient(n * t * kNumber(8), n * kNumber(16)).text(), std::string("(T//2)"));
        QCOMPARE(Formula::quotient(n + kNumber(1), t).text(), std::string("((N + 1)//T)"));
        QCOMPARE(Formula::least(n, kNumber(3)).text(), std::string("min(N, 3)"));
        QCOMPARE(floorDivide(-3, 2), int64_t(-2));
    }

    void findsProductsSumsAndQuotients() {
        const Model model = modelOf({"x", "y"}, [](const In& in) -> ProxyArgument {
            const Proxy both = callFunction("torch.cat", {ProxyArgument::tuple({in[0], in[1], in[0]}), 1});
            return callFunction("torch.flatten", {both[{ProxyArgument(0)}]});
        });
        QVERIFY(told(model, "x=[N,S,4];y=[N,T,4]").starts_with("f32[8*S + 4*T] | N, S, T |  | "));
    }

    void findsWhatIsCutOff() {
        const Model model = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("narrow", {0, 1, 3}).method("unfold", {1, 3, 2});
        });
        QCOMPARE(told(model, "x=[N,T]"),
                 std::string("f32[3, ((T - 1)//2), 3] | N, T | N >= 4 (narrow), T >= 3 "
                             "(unfold) | "));
    }

    void namesSizesThatMustBeEqual() {
        const Model model =
            modelOf({"x", "y", "z"}, [](const In& in) -> ProxyArgument { return in[0] + in[1] + in[2]; });
        QCOMPARE(told(model, "x=[N,4];y=[M,4];z=[K,4]"),
                 std::string("f32[N, 4] | N | M == N (add), K == N (add_1) | "));
        QCOMPARE(told(model, "x=[A,B];y=[C,D];z=[A,B]"),
                 std::string("f32[A, B] | A, B | C == A (add), D == B (add) | "));
    }

    void namesMultiplesBoundsAndNumbers() {
        const Model model = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("view", {-1, 6}).method("sum", {1});
        });
        QCOMPARE(told(model, "x=[N]"), std::string("f32[(N//6)] | N | N % 6 == 0 (view) | "));
        const Model fixed = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("view", {32, 4}) + in[0].method("view", {4, 32}).method("t");
        });
        QCOMPARE(told(fixed, "x=[N=128]"), std::string("f32[32, 4] |  | N == 128 (view) | "));
        const Model short_ = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("expand", {3, -1}).method("select", {1, 9});
        });
        QCOMPARE(told(short_, "x=[T]"), std::string("f32[3] | T | T >= 10 (select) | "));
    }

    void namesWhatTwoSymbolsOwe() {
        const Model model = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("view", {-1, 9});
        });
        const std::string text = told(model, "x=[N=9,M=9]");
        QVERIFY2(text.find("| N, M |") != std::string::npos && text.find("(view)") != std::string::npos,
                 text.c_str());
    }

    void whatDependsOnDataIsASymbolOfItsOwn() {
        const Model model = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            const Proxy mask = callFunction("torch.gt", {in[0], 0});
            const Proxy chosen = callFunction("torch.masked_select", {in[0], mask});
            return chosen * callFunction("torch.masked_select", {in[0], mask});
        });
        const std::string text = told(model, "x=[N,3]");
        QCOMPARE(text, std::string("f32[u0] | N |  | u0 (masked_select)"));
    }

    void saysWhatNoFormulaCanGive() {
        const Model pieces = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return callFunction("torch.split", {in[0], 4});
        });
        const SymbolicShapes shapes = found(pieces, "x=[N]");
        QCOMPARE(shapes.varying.size(), size_t(2)); // split and output
        const Model number =
            modelOf({"x"}, [](const In& in) -> ProxyArgument { return in[0].method("sum").method("item"); });
        QCOMPARE(told(number, "x=[N]"), std::string("u0 | N |  | u0 (item)"));
        const Model unique = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return callFunction("torch.unique", {in[0]}).method("unsqueeze", {1}) * in[0].method("flatten");
        });
        QVERIFY(told(unique, "x=[N,M]").starts_with("f32[u0, M*N] | N, M |  | u0"));
    }

    void takesRangesAndInputsThatAreNumbers() {
        const Model model = modelOf({"x", "n"}, [](const In& in) -> ProxyArgument {
            return in[0].method("repeat", {in[1], 1});
        });
        QCOMPARE(told(model, "x=[N,2]; n=K", {{"N", {5, 7}}}), std::string("f32[K*N, 2] | N, K |  | "));
    }

    void refusesWhatDoesNotFit() {
        const Model model = modelOf({"x"}, [](const In& in) -> ProxyArgument { return in[0] + 1; });
        QVERIFY(faultOf(model, "y=[N]").find("no input 'y'") != std::string::npos);
        QVERIFY(faultOf(model, "x=N[").find("is not of the form") != std::string::npos);
        QVERIFY(faultOf(model, "x=[N,-1]").find("neither a number nor a name") != std::string::npos);
        QVERIFY(faultOf(model, "x=[N]:float99").find("is no dtype") != std::string::npos);
        QVERIFY(faultOf(model, "x=[N];x=[N]").find("once more") != std::string::npos);
        QVERIFY(faultOf(model, "x=[3]").find("has no symbol") != std::string::npos);
        QVERIFY(faultOf(model, "recorded").find("has no symbol") != std::string::npos);
        const Model never = modelOf({"x"}, [](const In& in) -> ProxyArgument {
            return in[0].method("view", {7, 11, 13}) + 1;
        });
        QVERIFY(faultOf(never, "x=[N]").find("does not run for N = ") != std::string::npos);
        QCOMPARE(told(never, "x=[N=1001]"), std::string("f32[7, 11, 13] |  | N == 1001 (view) | "));
    }

    void aScalarHasNoSizes() {
        const Model model = modelOf({"x", "y"}, [](const In& in) -> ProxyArgument { return in[0] + in[1]; });
        QCOMPARE(told(model, "x=[];y=[N]"), std::string("f32[N] | N |  | "));
    }
};

FX_TEST(SymbolicShapesTest)
} // namespace fx::symbolic_shapes_test

#include "tst_symbolic_shapes.moc"
