// SPDX-License-Identifier: GPL-3.0-or-later
// Time of one frame while 10,000 expanded nodes are panned and zoomed, with Qt's offscreen raster renderer at
// 1600x1000. Prints for each zoom the median and the 95th percentile in ms; 60 frames a second are 16.7 ms.
// Before that: after how long 100,000 nodes without scopes have their first picture, and the last.
#include "app/gui/workspace.h"
#include "core/module/edit.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/style/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QImage>
#include <QTimer>

#include <algorithm>
#include <cstdio>

using namespace fx;
using namespace fx::ui;

namespace {

constexpr int kScopes = 200, kCallsPerScope = 50, kBranches = 10, kFrames = 120;

Model blocks() {
    Model model;
    Edit edit(model);
    const TensorMeta tensor = [] {
        TensorMeta out;
        out.shape = {int64_t(1), int64_t(64)};
        out.dtype = c10::ScalarType::Float;
        return out;
    }();
    const auto annotate = [&](NodeId node, int scope) {
        edit.setMeta(node, meta::kValue, MetaValue(ValueMeta{tensor}));
        if (scope < 0)
            return;
        const std::string path = "blocks." + std::to_string(scope);
        edit.setMeta(node, meta::kModuleStack,
                     MetaValue(ModuleStack{{"root", "", "Model"}, {path, path, "Block"}}));
    };
    NodeId last = edit.placeholder("x");
    annotate(last, -1);
    for (int scope = 0; scope < kScopes; ++scope) {
        // Branches side by side, so that the whole is a sheet and not a thread.
        std::vector<NodeId> tips(kBranches, last);
        for (int i = 0; i < kCallsPerScope; ++i) {
            NodeId& tip = tips[static_cast<size_t>(i % kBranches)];
            tip = edit.callFunction(Target("torch.ops.aten.add.Tensor"), {tip, tips[0]});
            annotate(tip, scope);
        }
        last = tips.back();
    }
    edit.output(last);
    edit.finish();
    return model;
}

void waitForFinalPicture(LayoutService& layout) {
    QEventLoop loop;
    QObject::connect(&layout, &LayoutService::layoutReady, &loop, [&] {
        if (!layout.isWorking())
            loop.quit();
    });
    loop.exec();
}

void placeFlat(const Theme& theme) {
    constexpr int kCalls = 100'000;
    OpenedModel opened;
    {
        Edit edit(opened.model);
        NodeId last = edit.placeholder("x");
        for (int i = 0; i < kCalls / 4; ++i) {
            const NodeId relu = edit.callFunction("torch.relu", {last});
            const NodeId sigmoid = edit.callFunction("torch.sigmoid", {last});
            last = edit.callFunction("torch.mul", {edit.callFunction("torch.add", {relu, sigmoid}), 0.5});
        }
        edit.output(last);
        edit.finish();
    }
    QElapsedTimer timer;
    timer.start();
    Workspace workspace(std::move(opened), theme);
    CanvasView canvas(workspace.document(), workspace.selection(), workspace.layout(), &workspace.debug(),
                      theme);
    canvas.resize(1600, 1000);
    double first = 0;
    QObject::connect(&workspace.layout(), &LayoutService::layoutReady, &canvas, [&] {
        if (first == 0)
            first = static_cast<double>(timer.elapsed()) / 1000;
    });
    waitForFinalPicture(workspace.layout());
    std::printf("%d flat nodes   first picture %.2f s   the last %.2f s\n", kCalls, first,
                static_cast<double>(timer.elapsed()) / 1000);
}

void pan(CanvasView& canvas, QImage& image, const char* what, double scale) {
    if (scale > 0)
        canvas.look().setZoom(scale);
    else
        canvas.look().fit();
    std::vector<double> times;
    for (int frame = 0; frame < kFrames; ++frame) {
        // Also a little zoom, so that no frame shows what the one before did.
        Camera camera = canvas.camera();
        camera.pan(QPointF(3, frame % 8 < 4 ? -9 : 9));
        camera.zoomAt({800, 500}, frame % 2 ? 1.01 : 1 / 1.01);
        canvas.look().set(camera);
        QElapsedTimer timer;
        timer.start();
        canvas.render(&image);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-28s %4d nodes seen   median %6.2f ms   95th percentile %6.2f ms\n", what,
                canvas.visibleNodeCount(), times[times.size() / 2], times[times.size() * 95 / 100]);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme(application);
    placeFlat(theme);
    OpenedModel opened;
    opened.model = blocks();
    Workspace workspace(std::move(opened), theme);
    CanvasView canvas(workspace.document(), workspace.selection(), workspace.layout(), &workspace.debug(),
                      theme);
    canvas.resize(1600, 1000);
    waitForFinalPicture(workspace.layout());
    workspace.selection().expandAll();
    waitForFinalPicture(workspace.layout());
    QImage image(1600, 1000, QImage::Format_ARGB32_Premultiplied);
    pan(canvas, image, "whole graph", 0);
    for (const double scale : {0.05, 0.15, 0.3, 0.6, 1.0}) {
        char what[32];
        std::snprintf(what, sizeof what, "%.0f %%", scale * 100);
        // From the same place each time.
        canvas.look().fit();
        pan(canvas, image, what, scale);
    }
    return 0;
}
