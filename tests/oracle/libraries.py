# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of installed packages (torchvision, timm), each opened by fxscope and by torch.fx, in graph and code.

    libraries.py FORKED_CLI [--folder FOLDER] [PART_OF_A_NAME...]

Not among the tests: the packages are large, and need not be installed. FOLDER is where they are; else those of this Python.
Prints for each model "same", "same error" or "differs", and the seconds that both took, evaluator and imports included.
"""

import argparse
import importlib.util
import json
import sys
import sysconfig

import check_packages
import torch
from commands import Commands

TORCHVISION = """
    alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet(init_weights=False) inception_v3(init_weights=False)
    maxvit_t mnasnet0_5 mobilenet_v2 mobilenet_v3_small regnet_y_400mf regnet_x_400mf resnet18 resnet50 resnext50_32x4d
    wide_resnet50_2 shufflenet_v2_x0_5 squeezenet1_0 swin_t swin_v2_t vgg11 vgg16_bn vit_b_16
    segmentation.fcn_resnet50(weights_backbone=None) segmentation.deeplabv3_mobilenet_v3_large(weights_backbone=None)
    segmentation.lraspp_mobilenet_v3_large(weights_backbone=None) video.r3d_18 video.mvit_v1_b video.swin3d_t video.s3d
    optical_flow.raft_small quantization.resnet18 quantization.mobilenet_v2 detection.ssd300_vgg16(weights_backbone=None)
    detection.retinanet_resnet50_fpn(weights_backbone=None)
"""
TIMM = """
    resnet18 resnet50d resnetv2_50 vit_tiny_patch16_224 vit_small_patch16_224 deit_tiny_patch16_224 swin_tiny_patch4_window7_224
    convnext_atto mobilenetv3_small_050 efficientnet_b0 tf_efficientnetv2_b0 regnety_002 densenet121 vgg11 mixer_s32_224
    gmlp_ti16_224 resmlp_12_224 cait_xxs24_224 beit_base_patch16_224 poolformer_s12 convmixer_768_32 rexnet_100 ghostnet_050 hrnet_w18_small
    dla34 dpn48b repvgg_a0 cspresnet50 darknet53 nfnet_l0 levit_128s coatnet_0_rw_224 maxvit_tiny_rw_224 twins_pcpvt_small
    xcit_nano_12_p16_224 visformer_tiny edgenext_xx_small mobilevit_xxs pit_ti_224 tnt_s_patch16_224
"""


def cases():
    for name in TORCHVISION.split():
        yield {"package": "torchvision", "expr": f"models.{name if '(' in name else name + '()'}"}
    for name in TIMM.split():
        yield {"package": "timm", "expr": f"create_model({name!r})"}


def declare_missing():
    """What torchvision's compiled part would register, where it does not load beside this torch."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


def verdict(commands, case, folder, times):
    before = dict(times)
    text = check_packages.difference(commands, case, folder, times)
    if text:
        return "differs", text
    return ("same", "") if times["theirs"] > before["theirs"] else ("same error", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forked_cli")
    parser.add_argument("--folder", default=sysconfig.get_paths()["purelib"])
    parser.add_argument("parts", nargs="*")
    given = parser.parse_intermixed_args()
    sys.path.insert(0, given.folder)
    torch.set_num_threads(1)
    commands, counts, times = Commands(given.forked_cli), {}, {"seconds": 0.0, "theirs": 0.0}
    kept = declare_missing()
    for case in cases():
        if any(part not in json.dumps(case) for part in given.parts) or importlib.util.find_spec(case["package"]) is None:
            continue
        before = dict(times)
        said, text = verdict(commands, case, given.folder, times)
        counts[said] = counts.get(said, 0) + 1
        seconds = [times[key] - before[key] for key in ("seconds", "theirs")]
        print(f"{said:10}  {case['package']}:{case['expr']}  {seconds[0] / 2:.2f} s here, {seconds[1] / 2:.2f} s there", flush=True)
        if text:
            print("    " + text.strip().replace("\n", "\n    "), flush=True)
    print(", ".join(f"{count} {said}" for said, count in counts.items()) or "no package is installed")
    del kept


if __name__ == "__main__":
    main()
