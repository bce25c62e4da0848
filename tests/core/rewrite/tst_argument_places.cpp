// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments by their parameters: what is given and left out, where a node can be read, and the same arguments
// for another callee.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/rewrite/argument_places.h"
#include "tests/support/test_program.h"

namespace fx::argument_places_test {

namespace {

/// x, y -> one call of them, written as Python writes its arguments; "x" and "y" are the inputs.
struct OneCall {
    Model model{"GraphModule"};
    NodeId x, y, call;

    OneCall(const std::string& target, const std::string& args, const std::string& kwargs = {}) {
        Edit edit(model);
        x = edit.placeholder("x");
        y = edit.placeholder("y");
        const bool isMethod = target.starts_with('.');
        Arguments positional;
        Keywords named;
        for (const std::string_view each : words(args))
            positional.push_back(value(each));
        for (const std::string_view each : words(kwargs))
            named.emplace_back(std::string(each.substr(0, each.find('='))),
                               value(each.substr(each.find('=') + 1)));
        call = edit.createNode(isMethod ? Opcode::CallMethod : Opcode::CallFunction,
                               isMethod ? target.substr(1) : target, std::move(positional), std::move(named));
        edit.output(call);
        edit.finish();
    }

    std::vector<ArgumentPlace> places() const {
        return argumentPlaces(model, model.root(), model.graph().node(call));
    }
    /// "torch.add(x, y, alpha=2)".
    std::string text() const {
        const Node& node = model.graph().node(call);
        const NodeNames names = [this](NodeId id) { return model.graph().node(id).name; };
        std::vector<std::string> parts;
        for (const Argument& each : node.args)
            parts.push_back(reprText(each, names));
        for (const auto& [key, each] : node.kwargs)
            parts.push_back(key + '=' + reprText(each, names));
        return node.target.name() + '(' + join(parts, ", ") + ')';
    }

private:
    static std::vector<std::string_view> words(const std::string& text) {
        return text.empty() ? std::vector<std::string_view>() : split(text, ' ');
    }
    Argument value(std::string_view text) const {
        if (text == "[x]")
            return ListValue{{x}};
        if (text == "None")
            return NoneValue();
        return text == "x" ? Argument(x) : text == "y" ? Argument(y) : Argument(std::atoi(text.data()));
    }
};

std::string namesOf(const std::vector<ArgumentPlace>& places) {
    std::vector<std::string> out;
    for (const ArgumentPlace& each : places)
        out.push_back(each.parameter.name + (each.value ? "" : "?"));
    return join(out, " ");
}

} // namespace

class TestArgumentPlaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void argumentsHaveTheNamesOfTheirParameters_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("args");
        QTest::addColumn<QString>("kwargs");
        QTest::addColumn<QString>("names"); ///< with ? what is left out
        QTest::newRow("function") << "torch.flatten"
                                  << "x 1"
                                  << ""
                                  << "input start_dim end_dim?";
        QTest::newRow("operator") << "torch.ops.aten.add.Tensor"
                                  << "x y"
                                  << ""
                                  << "self other alpha?";
        QTest::newRow("by name") << "torch.add"
                                 << "x"
                                 << "other=y"
                                 << "input other alpha?";
        QTest::newRow("method") << ".transpose"
                                << "x 0 1"
                                << ""
                                << "self dim0 dim1";
        QTest::newRow("of F") << "torch.nn.functional.linear"
                              << "x y"
                              << ""
                              << "input weight bias?";
        QTest::newRow("unknown") << "mine.function"
                                 << "x 3"
                                 << ""
                                 << "0 1";
    }
    void argumentsHaveTheNamesOfTheirParameters() {
        QFETCH(QString, target);
        QFETCH(QString, args);
        QFETCH(QString, kwargs);
        QFETCH(QString, names);
        const OneCall one(target.toStdString(), args.toStdString(), kwargs.toStdString());
        QCOMPARE(QString::fromStdString(namesOf(one.places())), names);
    }

    void aNodeIsReadWhereTensorsAre_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("args");
        QTest::addColumn<QString>("names");
        QTest::addColumn<int>("place"); ///< which of these takes y
        QTest::addColumn<QString>("text");
        QTest::newRow("in the place of a node") << "torch.relu"
                                                << "x"
                                                << "input" << 0 << "torch.relu(y)";
        QTest::newRow("in the place of a number") << "torch.add"
                                                  << "x 1"
                                                  << "input other" << 1 << "torch.add(x, y)";
        QTest::newRow("one that is needed") << "torch.ops.aten.add.Tensor"
                                            << "x"
                                            << "self other?" << 1 << "torch.ops.aten.add.Tensor(x, y)";
        QTest::newRow("one that is left out")
            << "torch.nn.functional.linear"
            << "x y"
            << "input weight bias?" << 2 << "torch.nn.functional.linear(x, y, bias=y)";
        QTest::newRow("one that is None")
            << "torch.ops.aten.linear.default"
            << "x y None"
            << "input weight bias" << 2 << "torch.ops.aten.linear.default(x, y, y)";
        QTest::newRow("one more of a list") << "torch.cat"
                                            << "[x] 1"
                                            << "tensors" << 0 << "torch.cat([x, y], 1)";
    }
    void aNodeIsReadWhereTensorsAre() {
        QFETCH(QString, target);
        QFETCH(QString, args);
        QFETCH(QString, names);
        QFETCH(int, place);
        QFETCH(QString, text);
        OneCall one(target.toStdString(), args.toStdString());
        const std::vector<ArgumentPlace> places = placesForNode(one.places());
        QCOMPARE(QString::fromStdString(namesOf(places)), names);
        Edit edit(one.model);
        readAt(edit, one.call, places[static_cast<size_t>(place)], one.y);
        edit.finish();
        QCOMPARE(QString::fromStdString(one.text()), text);
    }

    void placesSayWhatIsThere() {
        const OneCall add("torch.add", "x 1");
        const OneCall linear("torch.nn.functional.linear", "x y");
        const OneCall cat("torch.cat", "[x]");
        const auto said = [](const OneCall& one, size_t at) {
            return placeText(placesForNode(one.places())[at], one.model.graph());
        };
        QCOMPARE(said(add, 0), std::string("input, now x"));
        QCOMPARE(said(add, 1), std::string("other, now 1"));
        QCOMPARE(said(linear, 2), std::string("bias, none yet"));
        QCOMPARE(said(cat, 0), std::string("tensors, one more"));
    }

    void anotherCalleeGetsTheSameByName_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("args");
        QTest::addColumn<QString>("kwargs");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("text");
        QTest::newRow("the same names") << "torch.add"
                                        << "x y"
                                        << "alpha=2"
                                        << "torch.sub"
                                        << "torch.sub(x, y, alpha=2)";
        QTest::newRow("another order") << "torch.nn.functional.softmax"
                                       << "x 1"
                                       << ""
                                       << "torch.softmax"
                                       << "torch.softmax(x, 1)";
        QTest::newRow("of an operator") << "torch.ops.aten.add.Tensor"
                                        << "x y"
                                        << ""
                                        << "torch.mul"
                                        << "torch.mul(x, y)";
        QTest::newRow("without names") << "operator.add"
                                       << "x y"
                                       << ""
                                       << "torch.mul"
                                       << "torch.mul(x, y)";
        QTest::newRow("more than have names") << ".view"
                                              << "x 2 3"
                                              << ""
                                              << "reshape"
                                              << "reshape(x, 2, 3)";
        QTest::newRow("a default is dropped") << "torch.add"
                                              << "x y"
                                              << "alpha=1"
                                              << "torch.mul"
                                              << "torch.mul(x, y)";
        QTest::newRow("what is not known stays") << "torch.add"
                                                 << "x y"
                                                 << "alpha=2"
                                                 << "mine.function"
                                                 << "mine.function(x, y, alpha=2)";
    }
    void anotherCalleeGetsTheSameByName() {
        QFETCH(QString, target);
        QFETCH(QString, args);
        QFETCH(QString, kwargs);
        QFETCH(QString, other);
        QFETCH(QString, text);
        OneCall one(target.toStdString(), args.toStdString(), kwargs.toStdString());
        Edit edit(one.model);
        callInstead(edit, one.call, other.toStdString());
        edit.finish();
        QCOMPARE(QString::fromStdString(one.text()), text);
    }

    void whatHasNoPlaceIsNamed() {
        OneCall one("torch.add", "x y", "alpha=2");
        const std::string before = one.text();
        {
            Edit edit(one.model);
            try {
                callInstead(edit, one.call, "torch.mul");
                QFAIL("it has nowhere to put alpha");
            } catch (const Error& error) {
                QCOMPARE(std::string(error.what()),
                         std::string("there is no place for the argument 'alpha' there; take it away first"));
            }
        }
        QCOMPARE(one.text(), before);
    }

    void aGraphThatIsCalledNamesItsInputs() {
        Model model("GraphModule");
        Edit edit(model);
        const ModuleId inner = edit.createModule("GraphModule", true);
        edit.addSubmodule("inner", inner);
        edit.enter(inner);
        const NodeId a = edit.placeholder("a");
        edit.placeholder("b");
        edit.output(a);
        edit.enter(model.root());
        const NodeId x = edit.placeholder("x");
        const NodeId call = edit.callModule("inner", {x});
        edit.output(call);
        edit.finish();
        QCOMPARE(namesOf(argumentPlaces(model, model.root(), model.graph().node(call))), std::string("a b?"));
        QVERIFY(argumentPlaces(model, model.root(), model.graph().node(x)).empty());
    }
};

FX_TEST(TestArgumentPlaces)
} // namespace fx::argument_places_test
#include "tst_argument_places.moc"
