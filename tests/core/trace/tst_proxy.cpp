// SPDX-License-Identifier: GPL-3.0-or-later
// Tracing C++ callables on Proxies.
#include "core/base/error.h"
#include "core/ir/graph_text.h"
#include "core/trace/proxy.h"
#include "tests/support/test_program.h"

namespace fx::proxy_test {

class ProxyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordsOperatorsMethodsAndFunctions() {
        const Traced traced = traceCallable({"x", "y"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
            const Proxy sum = in[0] + in[1] * 2.0;
            return callFunction("torch.relu", {sum}).method("sum", {}, {{"dim", -1}});
        });
        QCOMPARE(
            graphText(traced.model.graph()),
            std::string(
                "graph():\n"
                "    %x : [num_users=1] = placeholder[target=x]\n"
                "    %y : [num_users=1] = placeholder[target=y]\n"
                "    %mul : [num_users=1] = call_function[target=operator.mul](args = (%y, 2.0), kwargs = "
                "{})\n"
                "    %add : [num_users=1] = call_function[target=operator.add](args = (%x, %mul), kwargs = "
                "{})\n"
                "    %relu : [num_users=1] = call_function[target=torch.relu](args = (%add,), kwargs = {})\n"
                "    %sum_1 : [num_users=1] = call_method[target=sum](args = (%relu,), kwargs = {dim: -1})\n"
                "    return sum_1"));
    }

    void recordsLoopsAsOftenAsTheyRun() {
        const Traced traced = traceCallable({"x"}, [](const std::vector<Proxy>& in) -> ProxyArgument {
            Proxy x = in[0];
            for (int i = 0; i < 3; ++i)
                x = matmul(x, x.attribute("T"));
            return ProxyArgument::tuple({x, x[0], -x});
        });
        QCOMPARE(traced.model.graph().findNodes(Opcode::CallFunction, Target("operator.matmul")).size(),
                 size_t(3));
        QCOMPARE(traced.model.graph().findNodes(Opcode::CallFunction, Target("getattr")).size(), size_t(3));
    }

    void refusesACallWithoutAProxy() { QVERIFY_THROWS_EXCEPTION(Error, callFunction("torch.relu", {1})); }
};

FX_TEST(ProxyTest)
} // namespace fx::proxy_test

#include "tst_proxy.moc"
