// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of core/passes/clean, fuse, split, quantize and lower: on graphs that nobody would write,
// and undone.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/interpreter.h"
#include "core/ir/graph_text.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/passes/split/parts.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random_edits.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <random>

namespace fx::clean_passes_test {

namespace {

const char* const kPasses[] = {
    "fuse",          "const-fold",   "cse",       "dead-code",      "remove-dropout", "eval-mode",
    "normalize",     "merge-matmul", "reinplace", "annotate-types", "inline-modules", "to-aten",
    "channels-last", "cast",         "split",     "merge-parts",    "quantize",       "fuse-attention",
    "lower",         "extract"};

using Texts = std::map<std::string, std::string>;
const Texts kDefaults, kInThree = {{"by", "size"}, {"parts", "3"}};

/// What a pass must be told; of `extract` some calls that stand beside each other.
Texts optionsFor(const QString& pass, const Model& model, size_t seed) {
    if (pass == "split")
        return kInThree;
    if (pass != "extract")
        return kDefaults;
    std::vector<std::string> calls;
    for (const Node& node : model.graph())
        if (isCallNode(node))
            calls.push_back(node.name);
    const size_t first = calls.empty() ? 0 : seed % calls.size();
    calls.erase(calls.begin(), calls.begin() + static_cast<ptrdiff_t>(first));
    calls.resize(std::min(calls.size(), 1 + seed % 5));
    return {{"nodes", join(calls, ",")}};
}

void addPassRows() {
    QTest::addColumn<QString>("pass");
    for (const char* name : kPasses)
        QTest::newRow(name) << name;
}

/// Of a run that needs inputs.
GraphInputs inputsFor(const Model& model) {
    GraphInputs inputs;
    for (const Node& node : model.graph())
        if (node.opcode == Opcode::Placeholder)
            inputs.values.push_back(Value(c10::IValue(at::ones({2, 2}))));
    return inputs;
}

PassReport applied(Model& model, const std::string& name, std::map<std::string, std::string> texts = {}) {
    if (name == "lower" || name == "fuse-attention")
        texts["always"] = "true"; // else it depends on the machine
    Progress progress;
    PassContext context{progress};
    context.inputs = inputsFor;
    const Pass& pass = findPass(name);
    return runPass(model, model.root(), pass, PassOptions(pass, texts), context);
}

/// Null where the pass refuses.
std::optional<PassReport> appliedIfPossible(Model& model, const std::string& name,
                                            const std::map<std::string, std::string>& texts = {}) {
    try {
        return applied(model, name, texts);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// A graph of one call of `target` with x for each argument.
Model modelOf(const char* target, size_t arguments) {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    edit.output(edit.callFunction(target, Arguments(arguments, x)));
    edit.finish();
    return model;
}

/// A graph of random calls, of modules, functions, methods and operators, on matrices of two by two, that
/// runs; in evaluation mode, so that no pass changes what it computes.
class RandomGraph {
public:
    /// `hasModules`: with what runs by torch.nn's text, which takes longer.
    RandomGraph(unsigned seed, bool hasModules) : m_random(seed), m_hasModules(hasModules), m_edit(model) {
        at::manual_seed(seed);
        m_values = {m_edit.placeholder("x"), m_edit.placeholder("y")};
        for (int i = 0; i < 4; ++i) {
            m_edit.setTensor("w" + std::to_string(i), m_edit.createTensor(TensorSlot(at::randn({2, 2}))),
                             i % 2 ? TensorRole::Buffer : TensorRole::Parameter);
            m_values.push_back(m_edit.getAttr("w" + std::to_string(i)));
        }
        for (int i = 0; i < 4; ++i) {
            const std::string path = "v" + std::to_string(i);
            m_edit.setTensor(path, m_edit.createTensor(TensorSlot(at::rand({2}) + 0.5)), TensorRole::Buffer);
            m_rows.push_back(m_edit.getAttr(path));
        }
        for (size_t count = 3 + below(20); count > 0; --count)
            m_values.push_back(call(count));
        m_edit.output(TupleValue{{m_values.back(), any(), any()}});
        m_edit.finish();
    }

    Model model;

private:
    size_t below(size_t count) { return m_random() % count; }
    NodeId any() { return m_values[below(m_values.size())]; }

    NodeId layer(size_t number, const char* type, std::vector<std::pair<const char*, at::Tensor>> tensors,
                 std::vector<NamedValue> values) {
        // Some are called again, and some share a weight.
        if (below(4) == 0 && !m_paths.empty())
            return m_edit.callModule(m_paths[below(m_paths.size())], {any()});
        Module contents;
        contents.type = std::string("torch.nn.modules.") + type;
        for (const auto& [name, tensor] : tensors) {
            const TensorId made = m_edit.createTensor(TensorSlot(tensor));
            const bool isWeight = std::string_view(name) == "weight" && tensor.dim() == 2;
            if (isWeight && !m_shared)
                m_shared = made;
            contents.tensors.push_back(
                {name, isWeight && below(3) == 0 ? m_shared : made,
                 std::string_view(name).starts_with("running") ? TensorRole::Buffer : TensorRole::Parameter});
        }
        contents.values = std::move(values);
        const ModuleId made = m_edit.createModule({});
        m_edit.fillModule(made, std::move(contents));
        m_paths.push_back("layers." + std::to_string(number));
        m_edit.addSubmodule(m_paths.back(), made);
        return m_edit.callModule(m_paths.back(), {m_values.back()});
    }

    NodeId call(size_t number) {
        const at::Tensor row = at::rand({2}) + 0.5;
        switch (m_hasModules ? below(18) : 6 + below(10)) {
        case 0:
            return layer(number, "linear.Linear", {{"weight", at::randn({2, 2})}, {"bias", row}}, {});
        case 1:
        case 2:
            return layer(number, "batchnorm.BatchNorm1d",
                         {{"weight", row}, {"bias", row}, {"running_mean", row}, {"running_var", row}},
                         {{"eps", Argument(1e-5)},
                          {"momentum", Argument(0.1)},
                          {"track_running_stats", Argument(true)},
                          {"num_batches_tracked", Argument()}});
        case 3:
            return layer(number, "activation.ReLU", {}, {{"inplace", Argument(below(4) == 0)}});
        case 4:
            return layer(number, "dropout.Dropout", {}, {{"p", Argument(0.5)}, {"inplace", Argument(false)}});
        case 5:
            return m_edit.callFunction(
                "torch.nn.functional.dropout", {any()},
                {{"p", Argument(0.5)}, {"training", Argument(false)}, {"inplace", Argument(false)}});
        case 6:
            return m_edit.callFunction("torch.matmul", {any(), any()});
        case 7:
            return m_edit.callFunction("torch._C._nn.linear", {any(), m_values[2 + below(4)]});
        case 8:
            return m_edit.callMethod(below(3) ? "add" : "add_",
                                     {m_values.back(), below(2) ? Argument(any()) : Argument(1)});
        case 9:
            return m_edit.callMethod("view", {m_edit.callMethod("contiguous", {any()}), 2, 2});
        case 10:
            return m_edit.callFunction("operator.add", {any(), any()});
        case 11:
            return m_edit.callFunction("torch.dropout", {any(), 0.5, false});
        case 12:
            return m_edit.callFunction("torch.ops.aten.tanh.default", {any()});
        case 13:
            return m_edit.callFunction("torch.ops.aten.mul.Tensor", {any(), m_values[2 + below(4)]});
        case 14:
            return m_edit.callFunction("torch.batch_norm", {m_values.back(), m_rows[0], m_rows[1], m_rows[2],
                                                            m_rows[3], false, 0.1, 1e-5, false});
        case 16:
            return m_edit.callFunction("torch.nn.functional.softmax", {any()}, {{"dim", Argument(1)}});
        case 17:
            return m_edit.callFunction("torch.nn.functional.relu", {m_values.back()},
                                       {{"inplace", Argument(below(3) == 0)}});
        default:
            return m_edit.callFunction("torch.sigmoid", {any()});
        }
    }

    std::mt19937 m_random;
    const bool m_hasModules;
    Edit m_edit;
    std::vector<NodeId> m_values, m_rows;
    std::vector<std::string> m_paths;
    TensorId m_shared;
};

/// What the model computes of two matrices; none where it does not run.
std::optional<std::vector<at::Tensor>> valuesOf(const Model& model) {
    at::manual_seed(7);
    const at::Tensor x = at::randn({2, 2}), y = at::randn({2, 2});
    try {
        const Value result = Interpreter(model).run({Value(c10::IValue(x)), Value(c10::IValue(y))});
        std::vector<at::Tensor> out;
        for (const Value& item : itemsOf(result).value_or(Values()))
            out.push_back(item.data().toTensor().to(at::kDouble));
        return out;
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

class TestCleanPasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// On the oracle's models after random edits: over 1,000 graphs for each pass.
    void undoBringsAllBack_data() { addPassRows(); }
    void undoBringsAllBack() {
        QFETCH(QString, pass);
        constexpr size_t kLargest = 60;
        int applied = 0;
        for (const std::string& name : oracleModels()) {
            Model model = openOracle(name).model;
            if (model.graph().size() > kLargest)
                continue;
            const std::string start = modelState(model);
            for (unsigned seed = 0; seed < 20; ++seed) {
                RandomEdits random(model,
                                   seed + static_cast<unsigned>(qHash(QString::fromStdString(name), 7)));
                std::vector<Changes> history;
                for (unsigned i = 0; i < seed % 5; ++i)
                    history.push_back(random.edit());
                const std::string before = history.empty() ? start : modelState(model);
                const std::optional<PassReport> report =
                    appliedIfPossible(model, pass.toStdString(),
                                      optionsFor(pass, model, history.size() + model.graph().size()));
                if (report) {
                    ++applied;
                    const std::string after = modelState(model);
                    undo(model, report->changes);
                    FX_SAME(textDifference(modelState(model), before));
                    redo(model, report->changes);
                    FX_SAME(textDifference(modelState(model), after));
                    undo(model, report->changes);
                }
                FX_SAME(textDifference(modelState(model), before));
                for (size_t i = history.size(); i-- > 0;)
                    undo(model, history[i]);
                FX_SAME(textDifference(modelState(model), start));
            }
        }
        // The models are of the other dialect than this one takes; see below.
        QVERIFY(applied > 100 || pass == "to-aten");
    }

    void randomGraphsComputeTheSame_data() { addPassRows(); }
    void randomGraphsComputeTheSame() {
        QFETCH(QString, pass);
        // As torch.fx's, it takes methods that write for calls that nobody needs; and integers lose
        // something.
        if (pass == "dead-code" || pass == "quantize")
            return;
        std::map<std::string, std::string> options;
        if (pass == "cast")
            options["dtype"] = "float64"; // which loses nothing
        int changed = 0;
        static std::map<unsigned, std::optional<std::vector<at::Tensor>>> known;
        for (unsigned seed = 0; seed < 66; ++seed) {
            RandomGraph random(seed, seed < 6);
            const auto [at, isNew] = known.try_emplace(seed);
            if (isNew)
                at->second = valuesOf(random.model);
            const auto& wanted = at->second;
            if (wanted && (pass == "reinplace" || pass == "merge-matmul"))
                applied(random.model, "shape-prop");
            if (pass == "merge-parts")
                applied(random.model, "split", kInThree);
            if (pass != "cast")
                options = optionsFor(pass, random.model, seed);
            const std::string before = modelState(random.model);
            const auto report =
                wanted ? appliedIfPossible(random.model, pass.toStdString(), options) : std::nullopt;
            if (!report)
                continue;
            changed += report->hasChanged();
            const auto found = valuesOf(random.model);
            const QByteArray graph =
                QByteArray::number(seed) + '\n' + graphText(random.model.graph()).c_str();
            QVERIFY2(found, graph.constData());
            for (size_t i = 0; i < wanted->size(); ++i)
                QVERIFY2(at::allclose((*found)[i], (*wanted)[i], 1e-3, 1e-4), graph.constData());
            undo(random.model, report->changes);
            FX_SAME(textDifference(modelState(random.model), before));
        }
        // Which they are in; and products that are attention are not among the random calls.
        QVERIFY(changed > 0 || pass == "eval-mode" || pass == "fuse-attention");
    }

    void emptyGraphsAreLeft_data() { addPassRows(); }
    void emptyGraphsAreLeft() {
        QFETCH(QString, pass);
        Model empty;
        const auto report = appliedIfPossible(empty, pass.toStdString());
        QVERIFY(!report || !report->hasChanged());
        Model onlyOutput;
        {
            Edit edit(onlyOutput);
            edit.output(NoneValue());
            edit.finish();
        }
        const std::string before = graphText(onlyOutput.graph());
        appliedIfPossible(onlyOutput, pass.toStdString());
        QCOMPARE(graphText(onlyOutput.graph()), before);
    }

    void unknownOperatorsAreLeft_data() { addPassRows(); }
    void unknownOperatorsAreLeft() {
        QFETCH(QString, pass);
        for (const char* target :
             {"torch.ops.nobody.knows.default", "torch.ops.nobody.knows", "mine.function"}) {
            Model model = modelOf(target, 2);
            const std::string before = graphText(model.graph());
            appliedIfPossible(model, pass.toStdString());
            QCOMPARE(graphText(model.graph()), before);
        }
    }

    /// Names of PyTorch's functions with arguments that are none of theirs.
    void oddCallsAreNoCrash_data() { addPassRows(); }
    void oddCallsAreNoCrash() {
        QFETCH(QString, pass);
        for (const char* target :
             {"torch.ops.aten.batch_norm.default",
              "torch.ops.aten._native_batch_norm_legit_no_training.default", "torch.conv2d",
              "torch.nn.functional.batch_norm", "torch.nn.functional.dropout",
              "torch.ops.aten.native_dropout.default", "torch.matmul", "torch.ops.aten.mm.default",
              "torch.ops.aten.addmm.default", "torch.ops.aten.add_.Tensor", "operator.getitem",
              "operator.add", "torch.ops.higher_order.cond", "torch.ops.aten.lstm.input"})
            for (size_t count = 0; count < 10; ++count) {
                Model model = modelOf(target, count);
                const std::string before = modelState(model);
                if (const auto report = appliedIfPossible(model, pass.toStdString()))
                    undo(model, report->changes);
                FX_SAME(textDifference(modelState(model), before));
            }
    }
};

FX_TEST(TestCleanPasses)
} // namespace fx::clean_passes_test
#include "tst_clean_passes.moc"
