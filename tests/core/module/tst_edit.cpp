// SPDX-License-Identifier: GPL-3.0-or-later
// Each verb of Edit alone: what it makes of a small graph, that undo brings back the same text and ids, and
// redo the end. That the verbs do what torch.fx's do is asked in tst_edit_scripts.cpp.
#include "core/base/error.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "tests/support/model_state.h"
#include "tests/support/oracle.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

#include <random>

namespace fx::edit_test {

namespace {

using Verb = std::function<void(Edit& edit, const SmallModel& m)>;
struct VerbRow {
    const char* name;
    Verb run;
    const char* line; ///< a line that the model's state then has
};

const VerbRow kVerbs[] = {
    {"createNode",
     [](Edit& e, const SmallModel& m) {
         e.createNode(Opcode::CallFunction, "torch.abs", {m.x}, {}, "mine", "int");
     },
     "5 %mine : int [num_users=0] = call_function[target=torch.abs](args = (%x,), kwargs = {}) users  inputs "
     "0"},
    {"placeholder", [](Edit& e, const SmallModel&) { e.placeholder("y", Argument(3)); },
     "5 %y : [num_users=0] = placeholder[target=y](default=3) users  inputs "},
    {"getAttr", [](Edit& e, const SmallModel&) { e.getAttr("b"); },
     "5 %b : [num_users=0] = get_attr[target=b] users  inputs "},
    {"callMethod", [](Edit& e, const SmallModel& m) { e.callMethod("sum", {m.w}); },
     "1 %w : [num_users=2] = get_attr[target=w] users 3,5 inputs "},
    {"callModule", [](Edit& e, const SmallModel& m) { e.callModule("sub.lin", {m.x}); },
     "5 %sub_lin : [num_users=0] = call_module[target=sub.lin](args = (%x,), kwargs = {}) users  inputs 0"},
    {"nodeCopy",
     [](Edit& e, const SmallModel& m) { e.nodeCopy(e.node(m.add), [](NodeId id) { return id; }); },
     "5 %add_1 : [num_users=0] = call_function[target=torch.add](args = (%relu, %w), kwargs = {alpha: 2}) "
     "users  "
     "inputs 2,1"},
    {"graphCopy",
     [](Edit& e, const SmallModel& m) {
         NodeMap map{{m.x, m.w}, {m.w, m.w}};
         e.output(*e.graphCopy(e.graph(), map));
     },
     "5 %relu_1 : [num_users=1] = call_function[target=torch.relu](args = (%w,), kwargs = {}) users 6 inputs "
     "1"},
    {"eraseNode", [](Edit& e, const SmallModel& m) { e.eraseNode(m.output); },
     "3 %add : [num_users=0] = call_function[target=torch.add](args = (%relu, %w), kwargs = {alpha: 2}) "
     "users  inputs "
     "2,1"},
    {"moveBefore", [](Edit& e, const SmallModel& m) { e.moveBefore(m.w, m.x); }, nullptr},
    {"moveAfter", [](Edit& e, const SmallModel& m) { e.moveAfter(m.x, m.output); }, nullptr},
    {"replaceAllUsesWith", [](Edit& e, const SmallModel& m) { e.replaceAllUsesWith(m.relu, m.x); },
     "0 %x : [num_users=2] = placeholder[target=x] users 2,3 inputs "},
    {"replaceInputWith", [](Edit& e, const SmallModel& m) { e.replaceInputWith(m.output, m.add, m.relu); },
     "4 return relu users  inputs 2"},
    {"setArgs",
     [](Edit& e, const SmallModel& m) {
         e.setArgs(m.add, {m.w, m.w});
     },
     "3 %add : [num_users=1] = call_function[target=torch.add](args = (%w, %w), kwargs = {alpha: 2}) users 4 "
     "inputs 1"},
    {"setKwargs",
     [](Edit& e, const SmallModel& m) {
         e.setKwargs(m.relu, {{"out", m.w}});
     },
     "1 %w : [num_users=2] = get_attr[target=w] users 3,2 inputs "},
    {"updateArg", [](Edit& e, const SmallModel& m) { e.updateArg(m.add, 1, 2.5); },
     "1 %w : [num_users=0] = get_attr[target=w] users  inputs "},
    {"insertArg", [](Edit& e, const SmallModel& m) { e.insertArg(m.add, 0, m.x); },
     "3 %add : [num_users=1] = call_function[target=torch.add](args = (%x, %relu, %w), kwargs = {alpha: 2}) "
     "users 4 "
     "inputs 2,1,0"},
    {"updateKwarg", [](Edit& e, const SmallModel& m) { e.updateKwarg(m.add, "alpha", 3); },
     "3 %add : [num_users=1] = call_function[target=torch.add](args = (%relu, %w), kwargs = {alpha: 3}) "
     "users 4 inputs "
     "2,1"},
    {"rename", [](Edit& e, const SmallModel& m) { e.rename(m.relu, "add"); },
     "2 %add_1 : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {}) users 3 inputs "
     "0"},
    {"setName", [](Edit& e, const SmallModel& m) { e.setName(m.relu, "add"); },
     "2 %add : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {}) users 3 inputs 0"},
    {"setTarget", [](Edit& e, const SmallModel& m) { e.setTarget(m.relu, "torch.abs"); },
     "2 %relu : [num_users=1] = call_function[target=torch.abs](args = (%x,), kwargs = {}) users 3 inputs 0"},
    {"setCallee", [](Edit& e, const SmallModel& m) { e.setCallee(m.relu, Opcode::CallMethod, "relu"); },
     "2 %relu : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {}) users 3 inputs 0"},
    {"setType", [](Edit& e, const SmallModel& m) { e.setType(m.x, "int"); },
     "0 %x : int [num_users=1] = placeholder[target=x] users 2 inputs "},
    {"setMeta",
     [](Edit& e, const SmallModel& m) { e.setMeta(m.x, "custom", MetaValue(std::string("kept"))); }, nullptr},
    {"setSignature",
     [](Edit& e, const SmallModel&) {
         Signature signature;
         signature.argumentNames = {"x"};
         e.setSignature(signature);
     },
     nullptr},
    {"addSubmodule",
     [](Edit& e, const SmallModel&) { e.addSubmodule("a.b", e.createModule("torch.nn.ReLU")); },
     "module a.b #3 torch.nn.ReLU"},
    {"replaceSubmodule",
     [](Edit& e, const SmallModel&) { e.addSubmodule("sub.lin", e.createModule("torch.nn.ReLU")); },
     "module sub.lin #3 torch.nn.ReLU"},
    {"deleteSubmodule", [](Edit& e, const SmallModel&) { e.deleteSubmodule("sub.lin"); }, nullptr},
    {"deleteAllUnusedSubmodules", [](Edit& e, const SmallModel&) { e.deleteAllUnusedSubmodules(); }, nullptr},
    {"setTensor",
     [](Edit& e, const SmallModel&) {
         e.setTensor("sub.lin.weight", e.createTensor(TensorSlot(at::zeros({3}))), TensorRole::Parameter);
     },
     "  tensor weight #2 0"},
    {"tieTensor",
     [](Edit& e, const SmallModel&) { e.setTensor("sub.tied", TensorId{0}, TensorRole::Parameter); },
     "  tensor tied #0 0"},
    {"noTensor", [](Edit& e, const SmallModel&) { e.setTensor("w", TensorId(), TensorRole::Parameter); },
     "  tensor w #-1 0"},
    {"deleteTensor", [](Edit& e, const SmallModel&) { e.deleteTensor("w"); }, nullptr},
    {"setValue", [](Edit& e, const SmallModel&) { e.setValue("sub.tag", Argument("text")); },
     "  value tag \"text\""},
    {"setTraining", [](Edit& e, const SmallModel&) { e.setTraining(true); },
     "module  #0 GraphModule training"},
};

} // namespace

class TestEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Wherever nodes go in, and however many at one place: precedes() says what the list says.
    void knowsTheOrderOfManyInsertions() {
        Model model;
        Edit edit(model, Edit::WithoutHistory());
        std::vector<NodeId> made{edit.placeholder("x")};
        edit.output(made[0]);
        std::minstd_rand random(7);
        const auto insert = [&](NodeId anchor, bool isAfter) {
            const Edit::InsertPoint point =
                isAfter ? edit.insertingAfter(anchor) : edit.insertingBefore(anchor);
            made.push_back(edit.createNode(Opcode::CallFunction, "torch.relu", {made[0]}));
        };
        for (int i = 0; i < 5000; ++i) // at the end, always before the output
            insert(edit.graph().outputNode(), false);
        for (int i = 0; i < 5000; ++i) // always behind the same node
            insert(made[2000], true);
        for (int i = 0; i < 5000; ++i) // always behind the newest
            insert(made.back(), true);
        for (int i = 0; i < 5000; ++i)
            insert(made[1 + random() % (made.size() - 1)], random() % 2 == 0);
        NodeId before;
        size_t count = 0;
        for (const Node& node : edit.graph()) {
            QVERIFY(!before ||
                    (edit.graph().precedes(before, node.id) && !edit.graph().precedes(node.id, before)));
            before = node.id;
            ++count;
        }
        QCOMPARE(count, made.size() + 1);
        edit.finish();
    }
    void undoesAndRedoes_data() {
        QTest::addColumn<size_t>("index");
        for (size_t i = 0; i < std::size(kVerbs); ++i)
            QTest::newRow(kVerbs[i].name) << i;
    }
    void undoesAndRedoes() {
        QFETCH(size_t, index);
        const VerbRow& row = kVerbs[index];
        SmallModel m;
        const std::string before = modelState(m.model);
        Edit edit(m.model);
        row.run(edit, m);
        const Changes changes = edit.finish();
        const std::string after = modelState(m.model);
        QVERIFY(after != before);
        if (row.line)
            QVERIFY2(('\n' + after).find('\n' + std::string(row.line) + '\n') != std::string::npos,
                     after.c_str());
        for (int round = 0; round < 2; ++round) {
            undo(m.model, changes);
            FX_SAME(textDifference(modelState(m.model), before));
            redo(m.model, changes);
            FX_SAME(textDifference(modelState(m.model), after));
        }
    }

    void takesBackWhatIsNotFinished_data() { undoesAndRedoes_data(); }
    void takesBackWhatIsNotFinished() {
        QFETCH(size_t, index);
        SmallModel m;
        const std::string before = modelState(m.model);
        {
            Edit edit(m.model);
            kVerbs[index].run(edit, m);
        }
        FX_SAME(textDifference(modelState(m.model), before));
        // The names are free again, too.
        Edit edit(m.model);
        QCOMPARE(edit.node(edit.callFunction("torch.add")).name, std::string("add_1"));
    }

    void insertsWhereItIsTold() {
        SmallModel m;
        Edit edit(m.model);
        {
            const auto point = edit.insertingBefore(m.relu);
            edit.callFunction("torch.sin");
            {
                const auto inner = edit.insertingAfter(m.add);
                edit.callFunction("torch.cos");
                edit.callFunction("torch.tan");
            }
            edit.callFunction("torch.exp");
        }
        {
            const auto start = edit.insertingBefore(NodeId());
            edit.callFunction("torch.log");
        }
        {
            const auto end = edit.insertingAfter(NodeId());
            edit.callFunction("torch.abs");
        }
        std::string names;
        for (const Node& node : edit.graph())
            names += node.name + ' ';
        QCOMPARE(names, std::string("log x w sin exp relu add tan cos output abs_1 "));
    }

    void walksLive() {
        SmallModel m;
        Edit edit(m.model);
        std::string seen;
        for (const Node& node : edit.graph()) {
            seen += node.name + ' ';
            if (node.id == m.w) {
                const auto point = edit.insertingAfter(m.w);
                edit.callFunction("torch.sin"); // met
                const auto start = edit.insertingBefore(m.x);
                edit.callFunction("torch.cos"); // not met
            }
            if (node.id == m.relu) {
                edit.eraseNode(m.output); // not met
                edit.eraseNode(m.add);
            }
        }
        QCOMPARE(seen, std::string("x w sin relu "));
    }

    void refuses_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("message");
        const char* messages[] = {
            "Node to insert before is not in graph.",
            "Node to insert after is not in graph.",
            "Tried to erase Node relu but it still had 1 users in the graph: {add: None}!",
            "list assignment index out of range",
            "insert_args index must be between 0 and len(self.args), got 9",
            "cannot move a node that is not in the graph",
            "cannot replace a node that is not in the graph"};
        for (int i = 0; i < static_cast<int>(std::size(messages)); ++i)
            QTest::newRow(messages[i]) << i << messages[i];
    }
    void refuses() {
        QFETCH(int, which);
        QFETCH(QString, message);
        SmallModel m;
        const std::string before = modelState(m.model);
        const NodeId foreign{77};
        std::string said;
        try {
            Edit edit(m.model);
            if (which == 0)
                (void)edit.insertingBefore(foreign);
            else if (which == 1)
                (void)edit.insertingAfter(foreign);
            else if (which == 2)
                edit.eraseNode(m.relu);
            else if (which == 3)
                edit.updateArg(m.relu, 4, 1);
            else if (which == 4)
                edit.insertArg(m.relu, 9, 1);
            else if (which == 5)
                edit.moveBefore(foreign, m.x);
            else
                edit.replaceAllUsesWith(foreign, m.x);
        } catch (const Error& error) {
            said = error.message();
        }
        QCOMPARE(said, message.toStdString());
        FX_SAME(textDifference(modelState(m.model), before));
    }

    void copiesNoUnsortedGraph() {
        SmallModel m;
        Edit edit(m.model);
        edit.moveBefore(m.add, m.relu);
        NodeMap map;
        QVERIFY_THROWS_EXCEPTION(Error, edit.graphCopy(edit.graph(), map));
    }

    void warnsAsTorchFx() {
        SmallModel m;
        Edit edit(m.model);
        edit.getAttr("gone");
        QVERIFY(edit.warnings().at(0).starts_with(
            "Attempted to insert a get_attr Node with no underlying reference"));
        edit.eraseNode(m.output);
        edit.eraseNode(m.output);
        QCOMPARE(edit.warnings().back(), std::string("erase_node(output) on an already erased node"));
    }
};

FX_TEST(TestEdit)
} // namespace fx::edit_test
#include "tst_edit.moc"
