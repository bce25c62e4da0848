// SPDX-License-Identifier: GPL-3.0-or-later
// One Python program in which values of several hosts meet: tensors, the proxies of a trace that the program
// starts itself, and the nodes of a graph that it edits.
#include "core/ir/graph_text.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/tracing_host.h"
#include "tests/support/test_program.h"

namespace fx::hosts_test {

namespace {

/// Nodes of a graph as values: operators and functions of torch with them become nodes.
class NodeHost : public ValueHost {
public:
    explicit NodeHost(Edit& edit) : m_edit(edit) {}

    void addTo(Evaluator& evaluator) {
        evaluator.types().add("Node");
        evaluator.hosts().add(*this);
        evaluator.hosts().addInterceptor(*this);
    }
    Value handleOf(NodeId node) { return Object{HandleObject{this, "Node", std::make_shared<NodeId>(node)}}; }
    std::optional<Value> attribute(Evaluator& evaluator, const Value& object,
                                   const std::string& name) override {
        return name == "name" ? std::optional(makeText(m_edit.graph().node(nodeOf(object)).name))
                              : ValueHost::attribute(evaluator, object, name);
    }
    Value operate(Evaluator& evaluator, Operator op, Values operands, bool isInPlace) override {
        if (op == Operator::Eq)
            return ValueHost::operate(evaluator, op, operands, isInPlace);
        return make("operator." + std::string(operatorName(op)), operands);
    }
    Value subscript(Evaluator&, const Value& object, const Value& index) override {
        return make("operator.getitem", {object, index});
    }
    std::optional<Value> interceptCall(Evaluator&, const Value& function, Values& args,
                                       NamedValues&) override {
        const auto* callee = function.as<FunctionObject>();
        if (!callee || std::ranges::none_of(args, [](const Value& arg) { return arg.as<HandleObject>(); }))
            return std::nullopt;
        return make(callee->target, args);
    }

private:
    static NodeId nodeOf(const Value& handle) {
        return *static_cast<const NodeId*>(handle.as<HandleObject>()->content.get());
    }
    Argument argumentOf(const Value& value) {
        if (value.as<HandleObject>())
            return nodeOf(value);
        if (const std::optional<Values> items = itemsOf(value)) {
            TupleValue out;
            for (const Value& item : *items)
                out.items.push_back(argumentOf(item));
            return out;
        }
        return value.isTensor() ? Argument(std::string("a tensor")) : plainArgument(value).value();
    }
    Value make(Target target, const Values& values) {
        Arguments args;
        for (const Value& value : values)
            args.push_back(argumentOf(value));
        return handleOf(m_edit.createNode(Opcode::CallFunction, target, std::move(args)));
    }

    Edit& m_edit;
};

} // namespace

class HostsTest : public QObject {
    Q_OBJECT

    Model model{"Edited"};
    std::unique_ptr<Edit> edit;
    std::unique_ptr<TorchHosts> torch;
    std::unique_ptr<TracingHost> tracing;
    std::unique_ptr<NodeHost> nodes;
    std::unique_ptr<Evaluator> evaluator;

    /// What the program prints; `x` is a node of the graph, and `trace` gives the text of a function's graph.
    std::string output(const std::string& program) {
        evaluator->modules().runModule(parseSource(program, "program.py"), "__main__");
        return evaluator->output();
    }

private Q_SLOTS:
    void init() {
        model = Model("Edited");
        edit = std::make_unique<Edit>(model, Edit::WithoutHistory());
        torch = std::make_unique<TorchHosts>();
        tracing = std::make_unique<TracingHost>(*torch);
        nodes = std::make_unique<NodeHost>(*edit);
        evaluator = std::make_unique<Evaluator>();
        torch->addTo(*evaluator);
        tracing->addTo(*evaluator);
        nodes->addTo(*evaluator);
        evaluator->builtins().set("x", nodes->handleOf(edit->placeholder("x")));
        evaluator->types().addBuiltin("trace", [](Evaluator& e, Values& args, NamedValues&) {
            Tracer tracer(&e);
            return makeText(graphText(tracer.trace(args.at(0)).model.graph()));
        });
    }
    void cleanup() {
        evaluator.reset();
        edit.reset();
    }

    void servesEachKindInOneProgram() {
        QCOMPARE(output("import torch\n"
                        "def twice(value):\n"
                        "    return torch.relu(value + value)\n"
                        "print(twice(torch.ones(2)))\n"
                        "print(trace(twice))\n"
                        "print(twice(x).name, twice(3 * torch.ones(1)).item())\n"),
                 std::string("tensor([2., 2.])\n"
                             "graph():\n"
                             "    %value : [num_users=1] = placeholder[target=value]\n"
                             "    %add : [num_users=1] = call_function[target=operator.add](args = (%value, "
                             "%value), kwargs = {})\n"
                             "    %relu : [num_users=1] = call_function[target=torch.relu](args = (%add,), "
                             "kwargs = {})\n"
                             "    return relu\n"
                             "relu 6.0\n"));
        QCOMPARE(graphText(edit->graph()),
                 std::string("graph():\n"
                             "    %x : [num_users=1] = placeholder[target=x]\n"
                             "    %add : [num_users=1] = call_function[target=operator.add](args = (%x, %x), "
                             "kwargs = {})\n"
                             "    %relu : [num_users=0] = call_function[target=torch.relu](args = (%add,), "
                             "kwargs = {})"));
    }

    void runsTensorsAndEditsWhileItTraces() {
        QCOMPARE(output("import torch\n"
                        "def forward(value):\n"
                        "    scale = torch.ones(3).sum().item()\n"
                        "    torch.relu(x)\n"
                        "    return value * scale\n"
                        "print(trace(forward))\n"),
                 std::string("graph():\n"
                             "    %value : [num_users=1] = placeholder[target=value]\n"
                             "    %mul : [num_users=1] = call_function[target=operator.mul](args = (%value, "
                             "3.0), kwargs = {})\n"
                             "    return mul\n"));
        QCOMPARE(edit->graph().findNodes(Opcode::CallFunction, Target("torch.relu")).size(), size_t(1));
    }

    void givesMixedOperandsToTheHigherHost() {
        output("import torch\n"
               "torch.ones(2) + x\n"
               "torch.ones(2)[x]\n"
               "torch.ones(2, 2)[0, x]\n");
        QCOMPARE(
            graphText(edit->graph()),
            std::string("graph():\n"
                        "    %x : [num_users=3] = placeholder[target=x]\n"
                        "    %add : [num_users=0] = call_function[target=operator.add](args = (a tensor, "
                        "%x), kwargs = {})\n"
                        "    %getitem : [num_users=0] = call_function[target=operator.getitem](args = (a "
                        "tensor, %x), kwargs = {})\n"
                        "    %getitem_1 : [num_users=0] = call_function[target=operator.getitem](args = "
                        "(a tensor, (0, %x)), kwargs = {})"));
    }

    void answersAsPlainObjectsDoWhatAHostLeavesOut() {
        QCOMPARE(
            output("def fault(work):\n"
                   "    try:\n"
                   "        work()\n"
                   "    except Exception as e:\n"
                   "        print(type(e).__name__, e)\n"
                   "print(x == x, x == 1, bool(x), type(x).__name__)\n"
                   "fault(lambda: len(x))\n"
                   "fault(lambda: x())\n"
                   "fault(lambda: x.other)\n"
                   "fault(lambda: list(x))\n"
                   "fault(lambda: setattr(x, 'name', 1))\n"
                   "fault(lambda: [1, 2][x:])\n"),
            std::string("True False True Node\n"
                        "TypeError object of type 'Node' has no len()\n"
                        "TypeError 'Node' object is not callable\n"
                        "AttributeError 'Node' object has no attribute 'other'\n"
                        "TypeError 'Node' object is not iterable\n"
                        "AttributeError 'Node' object has no attribute 'name'\n"
                        "TypeError slice indices must be integers or None or have an __index__ method\n"));
    }
};

FX_TEST(HostsTest)
} // namespace fx::hosts_test

#include "tst_hosts.moc"
