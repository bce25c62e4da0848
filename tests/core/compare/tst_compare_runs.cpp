// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of runs and of edits, on graphs that a person can read. Figures of models are held against
// torch in tests/oracle/check_compare.py.
#include "core/base/error.h"
#include "core/compare/compare_text.h"
#include "core/compare/model_diff.h"
#include "core/compare/verify_card.h"
#include "core/module/edit.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::compare_runs_test {

namespace {

Model traced(const std::function<ProxyArgument(const Proxy&)>& callable) {
    return traceCallable({"x"}, [&](const std::vector<Proxy>& in) { return callable(in[0]); }).model;
}

Proxy call(const char* name, const ProxyArgument& x) {
    return callFunction(name, {x});
}

Model chain() {
    return traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * 2); });
}

GraphInputs numbers(double value = 0.5) {
    return GraphInputs({Value(c10::IValue(at::full({2, 3}, value)))});
}

RunComparison compared(const Model& a, const Model& b, const CompareOptions& options = {},
                       uint64_t keptBytes = 1 << 20) {
    Progress progress;
    ReferenceOptions kept;
    kept.keptBytes = keptBytes;
    return compareWith(recordReference(a, numbers(), {}, b, kept, progress), b, numbers(), {}, options,
                       progress);
}

VerifyCard verified(const Model& before, const Model& after) {
    Progress progress;
    return verifyChange(before, after, numbers(), {}, {{}, 0.01}, progress);
}

QString qName(const Model& model, NodeId node) {
    return QString::fromStdString(model.graph().node(node).name);
}

QString nameOfFirst(const RunComparison& comparison, const Model& b) {
    return comparison.firstBeyond ? qName(b, comparison.pairs[*comparison.firstBeyond].nodes.b) : "none";
}

} // namespace

class CompareRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// As observers of ranges do.
    void whatTheReferenceCannotKeepIsNoDifference() {
        const auto counting = [](bool isWritten) {
            Model out = chain();
            Edit edit(out);
            edit.setTensor("seen", edit.createTensor(TensorSlot(at::zeros({1}))), TensorRole::Buffer);
            const Edit::InsertPoint point = edit.insertingBefore(edit.graph().outputNode());
            const NodeId seen = edit.getAttr("seen");
            if (isWritten)
                edit.callMethod("add_", {seen, 1});
            edit.finish();
            return out;
        };
        const RunComparison comparison = compared(chain(), counting(true));
        QCOMPARE(comparison.verdict, Verdict::Equal);
        QCOMPARE(comparison.skipped.at("what the reference has no buffer for"), size_t(1));
        QCOMPARE(compared(counting(false), counting(true)).verdict, Verdict::Different);
        QCOMPARE(compared(counting(true), chain()).verdict, Verdict::Different);
    }

    void aModelIsEqualToItself() {
        const Model model = chain();
        const RunComparison got = compared(model, model);
        QCOMPARE(got.verdict, Verdict::Equal);
        QCOMPARE(got.pairs.size(), size_t(3));
        QVERIFY(got.worstFirst().empty());
        QVERIFY(!got.firstUnequal);
    }

    void firstDivergenceAndWorst() {
        const Model other =
            traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * 2.5); });
        const RunComparison got = compared(chain(), other);
        QCOMPARE(got.verdict, Verdict::Different);
        QCOMPARE(nameOfFirst(got, other), "mul");
        QCOMPARE(got.worstFirst().size(), size_t(2));
    }

    void modulesAreTheSumsOfTheirNodes() {
        const auto inModules = [](double factor) {
            Model model =
                traced([&](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * factor); });
            Edit edit(model);
            for (const auto& [node, path] : {std::pair("tanh", "a"), {"mul", "a.b"}, {"relu", "c"}}) {
                ModuleStack stack{{"", "", "Net"}, {"a", "a", "Block"}, {"a.b", "a.b", "Scale"}};
                if (std::string_view(path) != "a.b")
                    stack = {{"", "", "Net"}, {path, path, "Block"}};
                edit.setMeta(model.graph().find(node), meta::kModuleStack, MetaValue(stack));
            }
            edit.finish();
            return model;
        };
        const Model other = inModules(2.5);
        const RunComparison got = compared(inModules(2), other);
        std::map<std::string, ScopeSum> sums;
        for (const ScopeSum& sum : sumsByScope(got, other.graph()))
            sums[sum.path] = sum;
        QCOMPARE(sums.size(), size_t(4));
        QCOMPARE(sums[""].pairs, size_t(3));
        QCOMPARE(sums["a"].pairs, size_t(2));
        QCOMPARE(sums["a"].unequal, size_t(1));
        const double needed = got.pairs[*sums["a.b"].worst].difference.neededTolerance();
        QVERIFY(needed > 0);
        QCOMPARE(sums["a.b"].meanNeeded, needed);
        QCOMPARE(sums["a"].meanNeeded, needed / 2); // the other is equal
        QCOMPARE(sums["c"].beyond, size_t(1));
    }

    void toleranceDecides() {
        const Model other =
            traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * 2.0001); });
        QCOMPARE(compared(chain(), other).verdict, Verdict::Different);
        CompareOptions loose;
        loose.tolerance = 1e-3;
        const RunComparison got = compared(chain(), other, loose);
        QCOMPARE(got.verdict, Verdict::Within);
        QVERIFY(got.firstUnequal && !got.firstBeyond);
    }

    /// Each by what it gives: alone, and with the errors of those before.
    void partsAreHeldAgainstWhatTheyWereMadeOf() {
        const Model whole = traced([](const Proxy& x) {
            const Proxy wide = call("torch.tanh", x) * 2;
            const Proxy both = call("torch.sin", wide) + wide;
            return call("torch.relu", both);
        });
        Model parts = whole;
        Progress progress;
        PassContext context{progress};
        const Pass& split = findPass("split");
        runPass(parts, parts.root(), split, PassOptions(split, {{"by", "size"}, {"parts", "3"}}), context);
        const RunComparison same = compared(whole, parts);
        QCOMPARE(same.verdict, Verdict::Equal);
        QStringList pairs;
        for (const ComparedPair& pair : same.pairs)
            pairs += qName(whole, pair.nodes.a) + '=' + qName(parts, pair.nodes.b);
        QCOMPARE(pairs.join(' '), "mul=submod_0 sin=submod_1 relu=submod_2");
        // Another computation in the first part.
        const ModuleId first = parts.resolve(parts.root(), "submod_0").module;
        Edit edit(parts, first);
        edit.setTarget(parts.graph(first).find("tanh"), "torch.sigmoid");
        edit.finish();
        CompareOptions isolated;
        isolated.isIsolated = true;
        QCOMPARE(compared(whole, parts).worstFirst().size(), size_t(3));
        const RunComparison alone = compared(whole, parts, isolated);
        QCOMPARE(alone.worstFirst().size(), size_t(1));
        QCOMPARE(nameOfFirst(alone, parts), "submod_0");
    }

    void isolatedNodesShowTheirOwnErrorAlone() {
        const Model other =
            traced([](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * 2.5); });
        CompareOptions isolated;
        isolated.isIsolated = true;
        const RunComparison got = compared(chain(), other, isolated);
        QCOMPARE(got.worstFirst().size(), size_t(1));
        QCOMPARE(nameOfFirst(got, other), "mul");
        QCOMPARE(got.verdict, Verdict::Different);
        QVERIFY(got.results.empty());
    }

    void whatHasNoRoomIsCounted() {
        const RunComparison got = compared(chain(), chain(), {}, 30); // one value of 24 bytes
        QCOMPARE(got.skipped.size(), size_t(1));
        QCOMPARE(got.skipped.begin()->second, size_t(3)); // the input has taken the room
        QCOMPARE(got.verdict, Verdict::Equal);            // of the results
    }

    void aFailureIsAVerdict() {
        const Model other = traced([](const Proxy& x) {
            return call("torch.relu", callFunction("torch.reshape", {x, ProxyArgument::list({7, 7})}));
        });
        const RunComparison got = compared(chain(), other);
        QCOMPARE(got.verdict, Verdict::Fails);
        QVERIFY2(got.fault.find("reshape") != std::string::npos, got.fault.c_str());
        QVERIFY_THROWS_EXCEPTION(Error, compared(other, chain()));
    }

    void graphsWithoutACommonNodeCannotBeCompared() {
        CompareOptions isolated;
        isolated.isIsolated = true;
        const Model one = traced([](const Proxy& x) { return x; });
        QVERIFY_THROWS_EXCEPTION(Error, compared(one, one, isolated));
    }

    void otherShapesAndDtypesDiffer() {
        const Model shape = traced([](const Proxy& x) { return call("torch.sum", x); });
        QCOMPARE(compared(chain(), shape).verdict, Verdict::Different);
        const Model dtype = traced(
            [](const Proxy& x) { return call("torch.relu", call("torch.tanh", x) * 2).method("double"); });
        QCOMPARE(compared(chain(), dtype).verdict, Verdict::Different);
        CompareOptions any;
        any.allowsOtherDtypes = true;
        QCOMPARE(compared(chain(), dtype, any).verdict, Verdict::Within);
    }

    void inputsAreNotChangedByARun() {
        const Model writing = traced([](const Proxy& x) { return x.method("add_", {1}); });
        const GraphInputs inputs = numbers(1);
        Progress progress;
        const ReferenceRun reference = recordReference(writing, inputs, {}, writing, {}, progress);
        const RunComparison got = compareWith(reference, writing, inputs, {}, {}, progress);
        QCOMPARE(got.verdict, Verdict::Equal);
        QCOMPARE(got.results.size(), size_t(2));
        QCOMPARE(QString::fromStdString(got.results[1].name), "input x after the run");
        QCOMPARE(inputs.values[0].data().toTensor().max().item<double>(), 1.0);
    }

    /// x * 2 + 1 becomes x * 3 that gives what the addition gave: as when batch normalisations are folded.
    void whatWasFoldedIsComparedWithWhatItTookThePlaceOf() {
        const Model before =
            traced([](const Proxy& x) { return call("torch.relu", x * 2 + ProxyArgument(0.5)); });
        Model after = before;
        {
            Edit edit(after);
            const NodeId mul = after.graph().find("mul"), add = after.graph().find("add");
            edit.updateArg(mul, 1, 3);
            edit.replaceAllUsesWith(add, mul);
            edit.eraseNode(add);
            edit.finish();
        }
        const RunComparison got = verified(before, after).comparison; // of 0.5
        QCOMPARE(got.verdict, Verdict::Equal);
        QCOMPARE(got.pairs.size(), size_t(2));
        QCOMPARE(QString::fromStdString(before.graph().node(got.pairs[0].nodes.a).name), "add");
        QCOMPARE(QString::fromStdString(after.graph().node(got.pairs[0].nodes.b).name), "mul");
        QVERIFY(!got.firstUnequal);
    }

    void aCardTellsWhatAnEditDid() {
        const Model before = chain();
        Model after = before;
        Edit edit(after);
        const NodeId relu = after.graph().find("relu");
        edit.setTarget(relu, "torch.sigmoid");
        edit.finish();
        const VerifyCard card = verified(before, after);
        QCOMPARE(card.comparison.verdict, Verdict::Different);
        QCOMPARE(QString::fromStdString(nodesText(card)), "1 node changed");
        QCOMPARE(QString::fromStdString(card.inputs), "x f32[2, 3]");
        QVERIFY2(card.first.starts_with("node 'relu'"), card.first.c_str());
        QVERIFY(card.before && card.before->runs >= 3);
        QVERIFY(card.before->least <= card.before->median && card.before->median <= card.before->most);
        QCOMPARE(card.after->peakBytes, card.before->peakBytes);
    }

    void aNodeThatTookThePlaceOfAnotherIsNew() {
        const Model before = chain();
        Model after = before;
        {
            Edit edit(after);
            const NodeId relu = after.graph().find("relu");
            const auto here = edit.insertingBefore(relu);
            const NodeId clamp = edit.callFunction("torch.clamp", {after.graph().find("mul"), 0}, {});
            edit.replaceAllUsesWith(relu, clamp);
            edit.eraseNode(relu);
            edit.finish();
        }
        const VerifyCard card = verified(before, after);
        QCOMPARE(card.comparison.verdict, Verdict::Equal);
        QCOMPARE(QString::fromStdString(nodesText(card)), "1 node removed, 1 node added, 1 node changed");
    }

    void differencesWithoutARun() {
        const Model a = chain();
        const Model b = traced(
            [](const Proxy& x) { return call("torch.relu", call("torch.neg", call("torch.tanh", x)) * 3); });
        const ModelDiff diff = diffModels(a, b);
        QVERIFY(!diff.isSame());
        const std::string text = diffText(diff, a.graph(), b.graph());
        QCOMPARE(
            QString::fromStdString(text.substr(0, text.find("code\n"))),
            "+ neg = torch.neg(tanh)\n"
            "~ mul = operator.mul(tanh, 2)  ->  mul = operator.mul(neg, 3)  (rewired, other arguments)\n");
        QVERIFY2(text.find("+    neg = torch.neg(tanh)\n") != std::string::npos, text.c_str());
        QVERIFY(diffModels(a, a).isSame());
        QCOMPARE(diffText(diffModels(a, a), a.graph(), a.graph()), std::string());
    }

    void weightsByTheirValues() {
        const auto withWeight = [](const at::Tensor& value) {
            Model model;
            Edit edit(model);
            edit.setTensor("w", edit.createTensor(TensorSlot(value)), TensorRole::Parameter);
            edit.output(edit.getAttr("w"));
            edit.finish();
            return model;
        };
        const ModelDiff same = diffModels(withWeight(at::ones({2})), withWeight(at::ones({2})));
        QVERIFY(same.isSame());
        QCOMPARE(same.sameWeights, size_t(1));
        const ModelDiff other = diffModels(withWeight(at::ones({2})), withWeight(at::full({2}, 1.5)));
        QCOMPARE(other.weights.size(), size_t(1));
        QCOMPARE(other.weights[0].difference->figures->maxAbs, 0.5);
    }
};

FX_TEST(CompareRunsTest)
} // namespace fx::compare_runs_test

#include "tst_compare_runs.moc"
