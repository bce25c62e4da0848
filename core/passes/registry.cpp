// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/registry.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/capture_pass.h"
#include "core/passes/change_module.h"
#include "core/passes/clean/annotate_types.h"
#include "core/passes/clean/cast.h"
#include "core/passes/clean/channels_last.h"
#include "core/passes/clean/const_fold.h"
#include "core/passes/clean/cse.h"
#include "core/passes/clean/eval_mode.h"
#include "core/passes/clean/inline_modules.h"
#include "core/passes/clean/merge_matmul.h"
#include "core/passes/clean/normalize.h"
#include "core/passes/clean/reinplace.h"
#include "core/passes/clean/remove_asserts.h"
#include "core/passes/clean/remove_dropout.h"
#include "core/passes/code_pass.h"
#include "core/passes/costs/cost_pass.h"
#include "core/passes/dead_code.h"
#include "core/passes/decompose_pass.h"
#include "core/passes/fuse/fuse_pass.h"
#include "core/passes/group_scope.h"
#include "core/passes/insert_pass.h"
#include "core/passes/lint_pass.h"
#include "core/passes/lower/attention.h"
#include "core/passes/lower/lower_pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/quantize/quantize_pass.h"
#include "core/passes/rename_scope.h"
#include "core/passes/replace_pass.h"
#include "core/passes/shape_pass.h"
#include "core/passes/split/extract_pass.h"
#include "core/passes/split/hand_parts.h"
#include "core/passes/split/merge_parts.h"
#include "core/passes/split/split_pass.h"
#include "core/passes/split/tag_pass.h"
#include "core/passes/symbolic/symbolic_shapes.h"
#include "core/passes/symbolic/tensor_types.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

struct PassGroup {
    std::string title; ///< empty: of none
    std::vector<Pass> passes;
};

std::deque<Pass> rowsOfGroups() {
    using enum OptionType;
    PassGroup groups[] = {
        {"",
         {
             {"replace", "Replace by pattern", "put another graph wherever a pattern of calls is found",
              kAnyDialect, replaceOptions(), runReplace, true, true},
             {"insert", "Insert a call",
              "put a call into the graph, between a node and its readers if wanted", kAnyDialect,
              insertOptions(), runInsert, true},
             {"change-module", "Change a module",
              "make a module of torch.nn anew by its constructor, with its weights", kAnyDialect,
              changeModuleOptions(), runChangeModule, true, false, true},
             {"rename-scope", "Rename a scope", "give a module another name, with all that names it",
              kAnyDialect, renameScopeOptions(), runRenameScope},
             {"group", "Group into a scope", "put nodes into a scope of their own, without a module",
              kAnyDialect, groupOptions(), runGroup},
             {"ungroup", "Take a group apart", "leave its nodes in the scope around it", kAnyDialect,
              ungroupOptions(), runUngroup},
             {"set-tensor", "Set a weight",
              "put what an expression gives in the place of a tensor of the model", kAnyDialect,
              setTensorOptions(), runSetTensor, true, false, true},
             {"edit-code",
              "Edit the code",
              "change lines of the generated code",
              kAnyDialect,
              {{.name = "patch",
                .type = String,
                .help = "which lines become which, as diff -u writes it, without what frees values",
                .isRequired = true}},
              runEditCode},
         }},
        {"Clean up",
         {
             {"fuse",
              "Fuse batch normalisation",
              "fold batch normalisations into the convolutions and linear layers before them",
              kAnyDialect,
              {},
              runFuse},
             {"const-fold",
              "Fold constants",
              "compute what depends on weights and constants alone, and keep it as buffers",
              kAnyDialect,
              {{.name = "max-bytes",
                .type = Int,
                .help = "results larger than this stay computed; 0: no limit",
                .byDefault = "67108864"}},
              runConstFold,
              true},
             {"cse",
              "Merge equal calls",
              "compute once what the graph computes twice",
              kAnyDialect,
              {{.name = "pure",
                .type = Choice,
                .help = "which calls give the same again: those that are known to, or all but those that are "
                        "known "
                        "to write or to draw random numbers",
                .byDefault = "known",
                .choices = {"known", "all"}},
               {"except", String, "targets that are called each time, with commas between them"},
               {"attributes", Bool, "merge reads of the same tensor, too"}},
              runCse},
             {"remove-dropout",
              "Remove dropout",
              "take dropout out of the graph, in whatever mode it is",
              kAnyDialect,
              {{"identity", Bool, "calls of nn.Identity, too"}},
              runRemoveDropout},
             {"remove-asserts",
              "Remove assertions",
              "remove calls that only check values, metadata and ranges of sizes",
              kAnyDialect,
              {{"keep-ranges", Bool, "keep the ranges of sizes that depend on data"},
               {"keep-computed", Bool, "keep what was computed for assertions alone"}},
              runRemoveAsserts},
             {"eval-mode",
              "Set evaluation mode",
              "put the modules, and the calls that were recorded in training mode, into evaluation mode",
              kAnyDialect,
              {},
              runEvalMode},
             {"dead-code",
              "Remove dead code",
              "remove nodes that nobody reads",
              kAnyDialect,
              {},
              runDeadCode},
             {"normalize",
              "Normalize calls",
              "write each call in one way: arguments by keyword, operators instead of functions, functions "
              "instead of methods",
              kAnyDialect,
              {{.name = "arguments",
                .type = Choice,
                .help =
                    "how arguments are given: all by keyword; by position where they are, and defaults by "
                    "keyword; "
                    "as they are",
                .byDefault = "keywords",
                .choices = {"keywords", "positional", "as-written"}},
               {.name = "operators",
                .type = Bool,
                .help = "write torch.add and its kin as the operators that Python has for them",
                .byDefault = "true"},
               {"methods", Bool, "functions of torch instead of methods of tensors"}},
              runNormalize},
             {"merge-matmul",
              "Merge matrix products",
              "multiply several matrices by the same right side at once",
              kAnyDialect,
              {{"assume-matrices", Bool, "take what has no recorded shape for a matrix"}},
              runMergeMatmul},
             {"reinplace",
              "Write in place",
              "let calls write their result into an argument that nobody reads afterwards; for models that "
              "are "
              "not trained",
              kAnyDialect,
              {},
              runReinplace},
             {"annotate-types",
              "Annotate types",
              "note on nodes the types that functions, modules and attributes declare",
              kAnyDialect,
              {{"values", Bool, "where nothing is declared, the type of the recorded value"}},
              runAnnotateTypes},
             {"inline-modules",
              "Inline modules",
              "call functions over weights instead of torch.nn's modules",
              {Dialect::ModuleLevel},
              {},
              runInlineModules},
         }},
        {"Other operators",
         {
             {"to-aten",
              "Turn into aten",
              "run the graph and put the operators of aten that it calls in its place, as torch.export does",
              {Dialect::ModuleLevel},
              {{"core", Bool, "in the smaller set of operators that backends implement"},
               {"in-place", Bool, "keep operators that write into their arguments"}},
              runToAten,
              true},
             {"capture", "Capture operators",
              "run the graph and put the operators that it calls in its place", kAnyDialect, captureOptions(),
              runCapture, true},
             {"decompose",
              "Decompose calls",
              "replace calls by what Python functions do instead",
              kAnyDialect,
              {{.name = "rules",
                .type = Path,
                .help = "a source with a dict from functions to functions",
                .isRequired = true}},
              runDecompose,
              true},
         }},
        {"Quantize and lower",
         {
             {"channels-last",
              "Put channels last",
              "lay out images and the weights of convolutions with their channels last",
              kAnyDialect,
              {{"restore-outputs", Bool, "bring the results back to the usual layout"}},
              runChannelsLast},
             {"cast",
              "Compute in another dtype",
              "compute in another dtype what is float32, but for calls that lose too much by it",
              kAnyDialect,
              {{.name = "dtype",
                .type = Choice,
                .help = "that weights and values get",
                .byDefault = "bfloat16",
                .choices = {"bfloat16", "float16", "float64"}},
               {"keep", Nodes, "calls that stay in float32, too"},
               {"cast", Nodes, "calls that do not, although they lose by it"},
               {"low-outputs", Bool, "leave the results in that dtype"}},
              runCast,
              true},
             {"quantize", "Quantize",
              "compute with small integers where that loses little, and tell where it loses what",
              kAnyDialect, quantizeOptions(), runQuantize, true},
             {"fuse-attention",
              "Fuse attention",
              "run the model, and compute attention that is in parts by PyTorch's one call for it, where "
              "that "
              "measures faster",
              kAnyDialect,
              {{"always", Bool, "without measuring, wherever it can be done"}},
              runFuseAttention,
              true},
             {"lower", "Lower",
              "run the model, and call oneDNN over weights in its own layout, of a quantized model over "
              "integers, or what TorchScript or AOTInductor compiles, where that measures faster; for models "
              "that are not "
              "trained",
              kAnyDialect, lowerOptions(), runLower, true},
         }},
        {"Split",
         {
             {"tag-nodes",
              "Tag nodes",
              "give nodes tags, for a split by them",
              kAnyDialect,
              {{.name = "tags",
                .type = String,
                .help = "NAME=TAG, with commas between: a node, a module or, with *, several; the last that "
                        "fits; no "
                        "TAG takes it away",
                .isRequired = true},
               {.name = "key", .type = String, .help = "of the metadata", .byDefault = "tag"}},
              runTag},
             {"move-to-part", "Move to part",
              "give nodes the tag of a part, for a split by tags, where parts would not wait for each other",
              kAnyDialect, moveToPartOptions(), runMoveToPart},
             {"split", "Split into parts", "move the nodes into submodules with graphs of their own",
              kAnyDialect, splitOptions(), runSplit, true},
             {"extract", "Extract into a submodule",
              "move the chosen calls into a submodule with a graph of its own, and call it in their place",
              kAnyDialect, extractOptions(), runExtract},
             {"merge-parts",
              "Inline submodules",
              "put the graphs of submodules in the place of their calls",
              kAnyDialect,
              {{"parts", String,
                "paths of submodules, with commas between; without it all that have a graph"},
               {"nodes", Nodes, "calls of submodules: these alone"}},
              runMergeParts},
         }},
        {"Shapes and costs",
         {
             {"shape-prop",
              "Record shapes",
              "run the graph and record the shape of every value",
              kAnyDialect,
              {},
              runShapeProp,
              true},
             {"symbolic-shapes", "Record symbolic shapes",
              "record the sizes of every value as formulas of the inputs' sizes", kAnyDialect,
              symbolicOptions(), runSymbolicShapes, true},
             {"declare-sizes", "Declare sizes", "declare sizes of values, as types that are checked",
              kAnyDialect, declareSizesOptions(), runDeclareSizes},
             {"check-types", "Check declared sizes",
              "find the sizes of all values, and where they are not those that are declared", kAnyDialect,
              checkTypesOptions(), runCheckTypes, true},
             {"costs",
              "Record costs",
              "record what each node costs by its shapes alone: FLOPs, bytes, memory of values",
              kAnyDialect,
              {},
              runCosts,
              true},
         }},
        {"",
         {
             {"lint", "Check the graph", "check that the graph is well formed", kAnyDialect, {}, runLint},
         }},
    };
    std::deque<Pass> out;
    for (PassGroup& group : groups)
        for (Pass& pass : group.passes) {
            pass.group = group.title;
            out.push_back(std::move(pass));
        }
    return out;
}

std::deque<Pass>& rows() {
    static std::deque<Pass> kPasses = rowsOfGroups();
    return kPasses;
}

/// Lower-case words with hyphens between them, so that it is one word of a command line.
void requireWord(const std::string& place, const std::string& name) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    if (name.empty() || name.front() == '-' || !std::all_of(name.begin(), name.end(), isLetter))
        throw Error(place, pythonRepr(name) + " is no name for a flag")
            .hint("use lower-case letters, digits and hyphens");
}

} // namespace

const std::deque<Pass>& passes() {
    return rows();
}

const Pass& findPass(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Pass& pass : passes()) {
        if (pass.name == name)
            return pass;
        names.push_back(pass.name);
    }
    throw Error("", "there is no pass '" + std::string(name) + "'")
        .hint("the passes are: " + join(names, ", "));
}

void requireUsable(const Pass& pass) {
    const std::string place = "pass '" + pass.name + "'";
    requireWord(place, pass.name);
    for (const Pass& other : passes())
        if (other.name == pass.name)
            throw Error(place, "there is one already");
    if (!pass.run || pass.title.empty() || pass.summary.empty() || pass.dialects.empty())
        throw Error(place, "lacks its function, title, summary or dialects");
    std::set<std::string> names = {"help"};
    for (const PassOption& option : pass.options) {
        requireWord(place, option.name);
        if (!names.insert(option.name).second)
            throw Error(place, "--" + option.name + " is taken");
        if (option.type == OptionType::Choice && option.choices.empty())
            throw Error(place, "--" + option.name + " has no choices");
        try {
            if (!option.byDefault.empty())
                parseOption(option, option.byDefault);
        } catch (Error& error) {
            throw error.within(place);
        }
    }
}

void addPass(Pass pass) {
    requireUsable(pass);
    rows().push_back(std::move(pass));
}

std::string_view typeName(OptionType type) {
    static constexpr std::string_view kNames[] = {"bool", "int",   "float",       "string", "choice",
                                                  "path", "nodes", "constructor", "calls"};
    return kNames[static_cast<size_t>(type)];
}

std::string_view dialectName(Dialect dialect) {
    return dialect == Dialect::Aten ? "aten" : "module level";
}

} // namespace fx
