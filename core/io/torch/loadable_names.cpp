// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/loadable_names.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/codegen/written_names.h"
#include "core/ir/argument_text.h"
#include "core/ir/torch_constants.h"
#include "core/module/edit.h"
#include "core/module/known_faults.h"
#include "core/torch/bind/call.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace fx {

namespace {

/// What torch.nn.Module has for itself, beside names with two underscores at both ends.
constexpr std::string_view kOfModules =
    "T_destination _apply _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl "
    "_forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks "
    "_forward_pre_hooks_with_kwargs _get_backward_hooks _get_backward_pre_hooks _get_name "
    "_is_full_backward_hook _load_from_state_dict _load_state_dict_post_hooks _load_state_dict_pre_hooks "
    "_maybe_warn_non_full_backward_hook _modules _named_members _non_persistent_buffers_set _parameters "
    "_register_load_state_dict_pre_hook _register_state_dict_hook _replicate_for_data_parallel "
    "_save_to_state_dict _slow_forward _state_dict_hooks _state_dict_pre_hooks _version _wrapped_call_impl "
    "add_module apply bfloat16 buffers call_super_init children compile cpu cuda double dump_patches eval "
    "extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu "
    "load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
    "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to "
    "to_empty train training type xpu zero_grad";

/// What torch.fx.GraphModule has beside, and what it keeps in the pickle of one.
constexpr std::string_view kOfGraphModules =
    "_boxed_call _code _create_node_hooks _deepcopy_hooks _deepcopy_init _erase_node_hooks _graph "
    "_graphmodule_cls_name _graphmodule_graph_node_meta_stack_trace _lineno_map _prologue_start "
    "_recompile_submodules _register_create_node_hook _register_deepcopy_hook _register_erase_node_hook "
    "_register_replace_node_hook _replace_hooks _set_replace_hook _tracer_cls _tracer_extras "
    "_unregister_create_node_hook _unregister_deepcopy_hook _unregister_erase_node_hook "
    "_unregister_replace_node_hook _wrapped_call add_submodule code delete_all_unused_submodules "
    "delete_submodule graph meta print_readable recompile shape_env to_folder";

bool isAmong(std::string_view names, std::string_view name) {
    const std::vector<std::string_view> all = split(names, ' ');
    return std::ranges::find(all, name) != all.end();
}

bool isMemberOfModules(std::string_view name) {
    const bool isSpecial = name.size() > 4 && name.starts_with("__") && name.ends_with("__");
    return isSpecial || isAmong(kOfModules, name);
}

/// Whether torch.fx writes the name as it stands, though Python reads it as another or as none: it asks
/// str.isidentifier(), to which keywords and letters that Python normalises are names as well.
bool isMisread(std::string_view name) {
    const bool hasOthers = std::ranges::any_of(name, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x80 && !std::isalnum(byte) && c != '_';
    });
    const bool isPlain =
        std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    return isKeyword(name) || (!isPlain && !hasOthers && !isWrittenBare(name));
}

[[noreturn]] void refuseName(const std::string& place, const std::string& name, const char* why) {
    throw Error(place, "has the name " + pythonRepr(name) + " in it, which " + why).hint("rename it");
}

constexpr const char* kMisread = "torch.fx writes into code that Python cannot read";
constexpr const char* kTaken = "a GraphModule uses itself";

/// The identifiers of Python code, but for those in strings and those after a dot.
template <class Visit>
void forEachIdentifier(std::string_view code, const Visit& visit) {
    const auto isPart = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80 || std::isalnum(byte) || c == '_';
    };
    for (size_t i = 0; i < code.size();) {
        const char c = code[i];
        if (c == '\'' || c == '"') {
            for (++i; i < code.size() && code[i] != c;)
                i += code[i] == '\\' ? 2 : 1;
            ++i;
        } else if (isPart(c)) {
            const size_t start = i;
            while (i < code.size() && isPart(code[i]))
                ++i;
            if (start == 0 || code[start - 1] != '.')
                visit(code.substr(start, i - start));
        } else {
            ++i;
        }
    }
}

/// Renames a parameter of a graph where the graph is called by keyword.
void renameKeyword(Edit& edit, ModuleId callee, const std::string& before, const std::string& after) {
    for (const ModuleId caller : graphsOf(edit.model())) {
        edit.enter(caller);
        for (const Node& node : edit.graph()) {
            if (node.opcode != Opcode::CallModule || !node.keyword(before) ||
                edit.model().resolve(caller, node.target.name()).module != callee)
                continue;
            Keywords kwargs = node.kwargs;
            for (auto& [key, value] : kwargs)
                if (key == before)
                    key = after;
            edit.setKwargs(node.id, std::move(kwargs));
        }
    }
}

/// torch.fx writes repr() of a dict and of a named tuple's items, which is no code for members of enums and
/// for functions; named tuples in them have a name that the code does not import.
void requireCodeOfWholes(const Argument& argument, const std::string& place) {
    const auto requireCode = [&](const Argument& part) {
        const auto nameless = [](NodeId) { return std::string("..."); };
        const bool isMember = part.as<EnumValue>() && !isQScheme(part);
        if (isMember || part.as<FunctionValue>() || part.as<NamedTupleValue>())
            throw Error(place, "holds " + strText(part, nameless) +
                                   " in a dict or a named tuple, where torch.fx writes no code for it")
                .hint("save an .fxg, or export a folder");
    };
    forEachPart(argument, [&](const Argument& part) {
        if (const auto* named = part.as<NamedTupleValue>())
            for (const Argument& item : named->items)
                forEachPart(item, requireCode);
        if (part.as<DictValue>())
            forEachPart(part, requireCode);
    });
}

} // namespace

void requireLoadableNames(const Model& model, ModuleId graphModule) {
    const Module& module = model.module(graphModule);
    const auto requireFree = [&](const std::string& name) {
        if (isMemberOfModules(name) || isAmong(kOfGraphModules, name))
            refuseName("module '" + name + "'", name, kTaken);
    };
    for (const NamedModule& child : module.children)
        requireFree(child.name);
    for (const NamedTensor& entry : module.tensors)
        requireFree(entry.name);
    for (const Node& node : *module.graph) {
        const std::string place = "node '" + node.name + "'";
        for (const Argument& argument : node.args)
            requireCodeOfWholes(argument, place);
        for (const auto& [key, argument] : node.kwargs)
            requireCodeOfWholes(argument, place);
        const std::string& target = node.target.name();
        if (node.opcode == Opcode::GetAttr || node.opcode == Opcode::CallModule) {
            const std::vector<std::string_view> parts = split(target, '.');
            for (size_t i = 0; i < parts.size(); ++i)
                if (isMisread(parts[i]))
                    refuseName(place, std::string(parts[i]), kMisread);
                else if (isMemberOfModules(parts[i]) || (i == 0 && isAmong(kOfGraphModules, parts[i])))
                    refuseName(place, std::string(parts[i]), kTaken);
        }
        const auto* attribute =
            target == "getattr" && node.args.size() == 2 ? node.args[1].as<std::string>() : nullptr;
        if (attribute && node.opcode == Opcode::CallFunction && isMisread(*attribute))
            refuseName(place, *attribute, kMisread);
        if (node.opcode == Opcode::CallFunction && node.inputs.empty() &&
            effectOfFunction(node.target) == OperatorEffect::Draws)
            throw Error(place, "draws random numbers of no input, which torch.load would do once and for all")
                .hint("export a .pt2 or a folder");
    }
}

std::vector<std::string> renameShadowingInputs(Model& model) {
    std::vector<std::string> notes;
    Edit edit(model, Edit::WithoutHistory());
    for (const ModuleId id : graphsOf(model)) {
        std::map<std::string, int, std::less<>> uses;
        std::set<std::string> taken;
        forEachIdentifier(PythonCode(model, id).text(),
                          [&](std::string_view name) { ++uses[std::string(name)]; });
        for (const Node& node : model.graph(id))
            taken.insert(node.name);
        std::vector<NodeId> inputs;
        for (const Node& node : model.graph(id))
            if (node.opcode == Opcode::Placeholder)
                inputs.push_back(node.id);
        std::set<std::string> parameters;
        for (const NodeId input : inputs) {
            const Node& node = model.graph(id).node(input);
            const std::string target = node.target.name(), name(withoutStars(target));
            // As a parameter, and where the value gets its own name: anything more means something else.
            const bool isShadowing = name != node.name && uses[name] > 2;
            if (!isShadowing && name != "self" && parameters.insert(name).second)
                continue;
            std::string fresh = name == node.name ? name + "_1" : node.name;
            while (uses.contains(fresh) && (name == node.name || fresh != node.name))
                fresh += "_1";
            parameters.insert(fresh);
            edit.enter(id);
            edit.setTarget(input, Target(target.substr(0, target.size() - name.size()) + fresh));
            renameKeyword(edit, id, name, fresh);
            notes.push_back("the input " + pythonRepr(name) + " is called " + pythonRepr(fresh) +
                            " in the file: in the code of the graph its name means something else");
        }
    }
    edit.finish();
    return notes;
}

} // namespace fx
