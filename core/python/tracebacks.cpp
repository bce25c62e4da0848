// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/tracebacks.h"

#include "core/base/text.h"
#include "core/python/evaluator.h"

#include <algorithm>
#include <ranges>

namespace fx {

namespace {

const char* const kContent = "_frames";
const char* const kContentType = "traceback frames";

struct Content {
    Frames::Trace left; ///< innermost first
    CallSite caught;    ///< where
};

const Content* contentOf(const Value& traceback) {
    const auto* instance = traceback.as<InstanceObject>();
    const Value* held =
        instance ? instance->dict.as<DictObject>()->find(std::string_view(kContent)) : nullptr;
    const auto* handle = held ? held->as<HandleObject>() : nullptr;
    return handle && handle->typeName == kContentType ? static_cast<const Content*>(handle->content.get())
                                                      : nullptr;
}

bool isSamePlace(const CallSite& a, const CallSite& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

std::string nameIn(const CallSite& site) {
    return site.function.substr(site.function.rfind('.') + 1);
}

/// The same error caught once more, by an outer statement of that frame or in a frame further out.
void catchAgain(Content& content, const Frames::Trace& trace, const CallSite& here) {
    const bool isLonger = trace.size() >= content.left.size() &&
                          std::equal(content.left.begin(), content.left.end(), trace.begin(), isSamePlace);
    if (trace.empty() || (isLonger && trace.size() == content.left.size()))
        return;
    if (isLonger) { // it only passed by a finally or a with
        content.left = trace;
    } else { // an except clause raised it again: that frame is told once
        const bool isTold =
            trace[0].file == content.caught.file && trace[0].function == content.caught.function;
        content.left.push_back(content.caught);
        content.left.insert(content.left.end(), trace.begin() + (isTold ? 1 : 0), trace.end());
    }
    content.caught = here;
}

} // namespace

void noteTraceback(Evaluator& evaluator, const Value& exception) {
    DictObject& names = *exception.as<InstanceObject>()->dict.as<DictObject>();
    const Frames::Trace& trace = evaluator.frames().trace();
    const CallSite here = evaluator.frames().callSite();
    auto content = std::make_shared<Content>();
    const Value* earlier = names.find("__traceback__");
    if (const Content* known = earlier ? contentOf(*earlier) : nullptr) {
        *content = *known;
        catchAgain(*content, trace, here);
    } else {
        *content = {trace, here};
    }
    const Value traceback = makeInstance(evaluator.type("traceback"));
    DictObject& fields = *traceback.as<InstanceObject>()->dict.as<DictObject>();
    fields.set("tb_lineno", makeInt(content->caught.line));
    fields.set(kContent, Object{HandleObject{nullptr, kContentType, std::move(content)}});
    names.set("__traceback__", traceback);
}

std::vector<CallSite> tracebackFrames(const Value& traceback) {
    const Content* content = contentOf(traceback);
    if (!content)
        return {};
    std::vector<CallSite> out{content->caught};
    out.insert(out.end(), content->left.rbegin(), content->left.rend());
    return out;
}

std::string tracebackText(const Frames::Trace& left) {
    std::string out;
    for (const CallSite& site : std::views::reverse(left))
        if (site.file && !site.file->isLibrary())
            out += "  File \"" + site.file->path + "\", line " + std::to_string(site.line) + ", in " +
                   nameIn(site) + "\n    " + std::string(trim(site.file->line(site.line))) + '\n';
    return out.empty() ? out : "Traceback (most recent call last):\n" + out;
}

Value frameTuple(const CallSite& site) {
    const std::string name = nameIn(site);
    return makeTuple({makeText(site.file ? site.file->path : ""), makeInt(site.line), makeText(name),
                      makeText(std::string(site.file ? trim(site.file->line(site.line)) : ""))});
}

} // namespace fx
