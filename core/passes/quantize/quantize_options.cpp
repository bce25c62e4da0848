// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/pass.h"
#include "core/passes/quantize/quantize_pass.h"
#include "core/passes/quantize/range_observer.h"

namespace fx {

std::vector<PassOption> quantizeOptions() {
    using enum OptionType;
    return {
        {.name = "mode",
         .type = Choice,
         .help = "static: values and weights, by ranges seen in calibration runs; dynamic: of linear "
                 "layers, by ranges found in each run; weight-only: weights alone",
         .byDefault = "static",
         .choices = {"static", "dynamic", "weight-only"}},
        {.name = "qat",
         .type = Bool,
         .help = "round values and weights as integers would be, so that the model can be trained with "
                 "that; of a model that was, quantize without it makes integers by what was learned",
         .byDefault = "false"},
        {.name = "observe",
         .type = Bool,
         .help = "put in modules that only note ranges, so that runs in Python find them, from nothing or "
                 "from those of --calibration; of the model that comes of those, quantize without it makes "
                 "integers by what they have seen",
         .byDefault = "false"},
        {.name = "observer",
         .type = Choice,
         .help = "how the range of a value is chosen by what was seen of it",
         .byDefault = "histogram",
         .choices = observerNames()},
        {.name = "percentile",
         .type = Float,
         .help = "of the observer of that name: how much of the values the range holds, in percent",
         .byDefault = "99.99"},
        {.name = "reduce-range",
         .type = Bool,
         .help = "give values 7 bits, not 8, as the sums of some engines overflow",
         .byDefault = "true"},
        {.name = "weights",
         .type = Choice,
         .help = "what weights become; int4 and float16 with --mode weight-only",
         .byDefault = "int8",
         .choices = {"int8", "int4", "float16"}},
        {.name = "granularity",
         .type = Choice,
         .help = "whether each channel of a weight has a scale of its own",
         .byDefault = "per-channel",
         .choices = {"per-channel", "per-tensor"}},
        {.name = "group-size",
         .type = Int,
         .help = "of int4: how many numbers of a row have one scale",
         .byDefault = "32"},
        {"calibration", Path,
         "a file with inputs (.pt, .npz, .safetensors), a folder of such files, or FILE.py:NAME, a generator "
         "of inputs; without it the inputs of a run"},
        {"only", Calls,
         "calls to quantize, and no others: names of nodes, paths or classes of modules, or what is "
         "called, with commas between them; * stands for any text"},
        {"skip", Calls, "calls that stay in float32, in the same words"},
        {"budget", String,
         "what the results may lose: 'sqnr >= 30', 'cosine >= 0.999', 'max <= 0.1', or what a Python "
         "function "
         "of the model gives at least, 'metrics.py:accuracy >= 0.9'; calls with the greatest error of their "
         "own stay in float32 until it holds"},
        {.name = "sweep",
         .type = Choice,
         .help = "tell what the result loses where each call in turn is quantized alone, or alone stays in "
                 "float32; trade-off: where more and more of the worst stay in float32, and what the weights "
                 "and a run take then",
         .byDefault = "none",
         .choices = {"none", "one", "all-but-one", "trade-off"}},
        {.name = "measure",
         .type = Bool,
         .help = "run the model once more to tell the error of each call",
         .byDefault = "true"}};
}

} // namespace fx
