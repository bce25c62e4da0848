// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluators that stay for many requests: each request has a budget of its own, and leaves no names behind.
#include "core/base/error.h"
#include "core/interpret/library_runner.h"
#include "core/torch/host/live_evaluator.h"
#include "tests/support/test_program.h"

#include <ATen/ATen.h>

namespace fx::library_runner_test {

class LibraryRunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsAnyNumberOfCalls() {
        const Model model("GraphModule");
        RunTensors state(model, {});
        constexpr uint64_t kSteps = 100'000; // loading the text takes some 12,000
        LibraryRunner runner(model, state, {.steps = kSteps});
        const Value x = c10::IValue(at::ones({2}));
        for (uint64_t call = 0; call < kSteps / 4; ++call) // several steps each
            runner.callFunction("torch.nn.functional.relu", {x}, {});
    }

    void bindsNothingForTheNextExpression() {
        LiveEvaluator evaluator([](const std::string&) { return std::nullopt; });
        QCOMPARE(evaluator.evaluate("(count := 3)", "first").data().toInt(), 3);
        QVERIFY_THROWS_EXCEPTION(Error, evaluator.evaluate("count", "second"));
    }

    void holdsGradientModesOfTheText() {
        LiveEvaluator evaluator([](const std::string&) { return std::nullopt; });
        const at::AutoGradMode withGrad(true);
        const std::string twice = "(torch.nn.Parameter(torch.ones(2)) * 2).requires_grad";
        QVERIFY(evaluator.evaluate(twice, "plain").data().toBool());
        QVERIFY(!evaluator.evaluate("torch.no_grad()(lambda: " + twice + ")()", "without").data().toBool());
        // Parameters are filled without gradients.
        QVERIFY(evaluator.evaluate("torch.nn.Linear(2, 2).weight.requires_grad", "made").data().toBool());
        QVERIFY(
            !evaluator.evaluate("(torch.set_grad_enabled(False), " + twice + ")[1]", "off").data().toBool());
        QVERIFY(at::GradMode::is_enabled());
    }

    void givesEachExpressionItsSteps() {
        LiveEvaluator evaluator([](const std::string&) { return std::nullopt; }, {.steps = 100'000});
        QVERIFY_THROWS_EXCEPTION(Error, evaluator.evaluate("[i for i in range(200_000)]", "endless"));
        for (int i = 0; i < 20; ++i)
            QCOMPARE(evaluator.evaluate("len([i for i in range(20_000)])", "short").data().toInt(), 20'000);
    }
};

FX_TEST(LibraryRunnerTest)
} // namespace fx::library_runner_test
#include "tst_library_runner.moc"
