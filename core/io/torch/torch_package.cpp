// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_package.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kPackageMark = "/.data/extern_modules";
constexpr std::string_view kGenerated = "fx-generated";

/// "model/", the folder of the archive in which all records are; empty where it is no package.
std::string packageFolder(const ZipArchive& zip) {
    for (const std::string& name : zip.names())
        if (name.ends_with(kPackageMark) && std::count(name.begin(), name.end(), '/') == 2)
            return name.substr(0, name.size() - kPackageMark.size() + 1);
    return {};
}

/// The text of the modules in the archive, by their dotted names.
std::map<std::string, std::string> modulesOf(const ZipArchive& zip, const std::string& folder) {
    std::map<std::string, std::string> out;
    for (const std::string& name : zip.names()) {
        if (!name.starts_with(folder) || !name.ends_with(".py"))
            continue;
        std::string module = name.substr(folder.size(), name.size() - folder.size() - 3);
        if (module.ends_with("/__init__"))
            module.resize(module.size() - std::string_view("/__init__").size());
        std::ranges::replace(module, '/', '.');
        out[module] = zip.read(name);
    }
    return out;
}

/// What GraphModule.__reduce_package__ leaves: its __dict__ and the name of a module with its code.
struct PackagedGraph {
    PickleRef state;
    std::string module;
};
std::optional<PackagedGraph> packagedGraph(const PickleValue& value) {
    const auto* persistent = value.as<PicklePersistent>();
    const auto* id = persistent ? persistent->id->as<PickleTuple>() : nullptr;
    const auto* kind = id && id->items.size() == 4 ? id->items[0]->as<std::string>() : nullptr;
    if (!kind || *kind != "reduce_package" ||
        id->items[2]->globalName() != "torch.fx.graph_module.reduce_package_graph_module")
        return std::nullopt;
    const auto* arguments = id->items[3]->as<PickleTuple>();
    const auto* module =
        arguments && arguments->items.size() == 2 ? arguments->items[1]->as<std::string>() : nullptr;
    return module ? std::optional(PackagedGraph{arguments->items[0], *module}) : std::nullopt;
}

/// What stands before the code of forward in a generated module.
std::string importsOf(const std::string& source, const PickleValue& state) {
    const PickleValue* code = pickledEntry(state, "_code");
    const auto* text = code ? code->as<std::string>() : nullptr;
    return text && source.ends_with(*text) ? source.substr(0, source.size() - text->size()) : std::string();
}

/// Storages have numbers for keys.
void nameStorage(PickleValue& value, const std::function<PickleRef(std::string)>& made) {
    const auto* persistent = value.as<PicklePersistent>();
    auto* id = persistent ? std::get_if<PickleTuple>(&persistent->id->value) : nullptr;
    const auto* kind = id && id->items.size() >= 5 ? id->items[0]->as<std::string>() : nullptr;
    if (const auto* key = kind && *kind == "storage" ? id->items[2]->as<int64_t>() : nullptr)
        id->items[2] = made(std::to_string(*key));
}

/// The same as torch.save writes it.
///   before  persistent ("reduce_package", id, reduce_package_graph_module, (state, "fx-generated._0"))
///   after   reduce_graph_module(state, imports)
void asSaved(PickleDocument& document, const std::map<std::string, std::string>& sources) {
    const auto made = [&](auto value) {
        document.values.push_back(PickleValue{std::move(value)});
        return &document.values.back();
    };
    const size_t count = document.values.size();
    for (size_t i = 0; i < count; ++i) {
        nameStorage(document.values[i], [&](std::string key) { return made(std::move(key)); });
        const std::optional<PackagedGraph> graph = packagedGraph(document.values[i]);
        const auto source = graph ? sources.find(graph->module) : sources.end();
        if (source == sources.end())
            continue;
        auto call = std::make_unique<PickleCall>();
        call->callable = made(PickleGlobal{"torch.fx.graph_module.reduce_graph_module"});
        call->arguments = made(PickleTuple{{graph->state, made(importsOf(source->second, *graph->state))}});
        document.values[i].value = std::move(call);
    }
}

} // namespace

bool isTorchPackage(const ZipArchive& zip) {
    return !packageFolder(zip).empty();
}

std::vector<std::string> packagedPickles(const ZipArchive& zip) {
    const std::string folder = packageFolder(zip);
    std::vector<std::string> out;
    for (const std::string& name : zip.names())
        if (name.starts_with(folder) && name.ends_with(".pkl") && !name.starts_with(folder + ".data/"))
            out.push_back(name.substr(folder.size()));
    return out;
}

TorchContainer openPackagedPickle(const std::shared_ptr<const ZipArchive>& zip, const std::string& name) {
    const std::vector<std::string> pickles = packagedPickles(*zip);
    const std::string folder = packageFolder(*zip), listed = join(pickles, ", ");
    if (pickles.empty())
        throw Error(zip->path(), "is a package of torch.package that holds no pickled object")
            .hint("save the model in it: PackageExporter.save_pickle()");
    if (!name.empty() && std::ranges::find(pickles, name) == pickles.end())
        throw Error(zip->path(), "is a package of torch.package without the pickle " + pythonRepr(name))
            .hint("it holds " + listed);
    if (name.empty() && pickles.size() > 1)
        throw Error(zip->path(),
                    "is a package of torch.package with " + plural(pickles.size(), "pickle") + ": " + listed)
            .hint("name the one to open: " + zip->path() + ':' + pickles[0]);
    const std::string chosen = name.empty() ? pickles[0] : name;
    std::map<std::string, std::string> sources = modulesOf(*zip, folder);
    PickleDocument document = readPickle(zip->read(folder + chosen), zip->path() + ": " + chosen);
    asSaved(document, sources);
    std::erase_if(sources, [](const auto& source) { return source.first.starts_with(kGenerated); });
    return TorchContainer::ofParts(zip->path() + ':' + chosen, "torch.package", std::move(document),
                                   std::move(sources), [zip, folder](const std::string& key) {
                                       return PieceTensors(zip->map(folder + ".data/" + key + ".storage"));
                                   });
}

} // namespace fx
