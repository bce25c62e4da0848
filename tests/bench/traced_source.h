// SPDX-License-Identifier: GPL-3.0-or-later
// A model that a source of this folder makes, ready to be traced.
#pragma once

#include "core/trace/tracing_host.h"

#include <ATen/ATen.h>

namespace fx {

struct TracedSource {
    TorchHosts torch;
    TracingHost tracing{torch};
    Evaluator evaluator;
    Value model;

    TracedSource(const std::string& file, const std::string& expression)
        : evaluator(EvaluationLimits{.steps = ~0ull, .bytes = ~0ull / 32}) {
        const at::NoGradGuard noGrad;
        torch.addTo(evaluator);
        tracing.addTo(evaluator);
        const Value module =
            evaluator.modules().importFile(std::string(FXSCOPE_BENCH_SOURCES) + '/' + file + ".py", file);
        model = evaluator.evaluate(parseExpressionSource(expression, "expression"),
                                   module.as<SourceModuleObject>()->dict);
    }
};

} // namespace fx
