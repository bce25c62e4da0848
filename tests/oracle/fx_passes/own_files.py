# SPDX-License-Identifier: GPL-3.0-or-later
# Files that a pass makes for itself: temporary files and folders, what os, pathlib, shutil and glob do with them, and modules
# written to a folder and imported from there.
# case: files_written f files
# case: files_refused f faults
# case: module_in_folder Net() to_folder

import glob
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile

import torch
import torch.fx
import torch.nn as nn

INPUTS = {"f": (torch.tensor([1.0, -2.0]),), "Net()": (torch.ones(1, 2),)}


def f(x):
    return torch.relu(x) + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.scale = nn.Parameter(torch.full((3,), 2.0))
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x):
        return self.seq(self.fc(x)) * self.scale + self.shift


def files(gm):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.txt")
        with open(path, "w") as file:
            print(file.write("one\ntwo\n"), file.tell(), file.name == path, file.mode, file.writable(), file.readable())
            print("three", file=file)
        print(open(path).read(), os.path.exists(path), os.path.isfile(path), os.path.isdir(folder), os.path.getsize(path))
        with open(path, "a") as file:
            file.write("four")
        with open(path) as file:
            print([line for line in file], file.read(), file.seek(4), file.readline())
        with open(path, "r+") as file:
            file.seek(0)
            file.write("ONE")
            file.seek(0, 2)
            file.write("!")
            file.seek(0)
            print(repr(file.read()))
        with open(path, "rb") as file:
            print(file.read(3), file.seek(-1, 2), file.read())
        below = pathlib.Path(folder) / "below" / "deeper"
        below.mkdir(parents=True)
        (below / "code.py").write_text(gm.code)
        (below / "raw.bin").write_bytes(b"\x00\x01")
        (below / "empty").touch()
        print((below / "code.py").read_text() == gm.code, (below / "raw.bin").read_bytes(), below.is_dir(), (below / "no").exists())
        print(sorted(os.listdir(folder)), sorted(each.name for each in below.iterdir()), below.stat().st_size > 0)
        print([(os.path.relpath(at, folder), folders, sorted(names)) for at, folders, names in os.walk(folder)])
        print(sorted(os.path.relpath(each, folder) for each in glob.glob(os.path.join(folder, "**", "*.py"), recursive=True)),
              [os.path.basename(each) for each in glob.glob(folder + "/*.txt")], [each.name for each in pathlib.Path(folder).rglob("raw*")])
        shutil.copy(path, below)
        shutil.copytree(below, os.path.join(folder, "copied"))
        os.rename(path, os.path.join(folder, "b.txt"))
        os.remove(below / "raw.bin")
        shutil.rmtree(below)
        print(sorted(os.listdir(folder)), sorted(os.listdir(folder + "/copied")), os.listdir(folder + "/below"))
        torch.save({"weight": torch.ones(2)}, os.path.join(folder, "state.pt"))
        print(torch.load(os.path.join(folder, "state.pt")), sorted(each.name for each in os.scandir(folder) if each.is_file()))
    print(os.path.exists(folder))
    with tempfile.NamedTemporaryFile("w+", suffix=".py", delete=True) as file:
        file.write("x = 1\n")
        file.flush()
        print(file.name.endswith(".py"), open(file.name).read(), os.path.exists(file.name))
    print(os.path.exists(file.name))
    with tempfile.TemporaryFile() as file:
        torch.save(torch.ones(2), file)
        file.seek(0)
        print(torch.load(file))
    handle, name = tempfile.mkstemp(suffix=".txt")
    with os.fdopen(handle, "w") as file:
        file.write("by number")
    print(open(name).read())
    os.remove(name)


def faults(gm):
    folder = tempfile.mkdtemp()
    open(folder + "/there", "w").close()
    for work in (lambda: open(folder + "/absent"), lambda: open(folder + "/there", "x"), lambda: open(folder), lambda: os.mkdir(folder),
                 lambda: os.listdir(folder + "/there"), lambda: os.rmdir(folder), lambda: os.remove(folder + "/no"),
                 lambda: open(folder + "/no/file", "w"), lambda: open(folder + "/there").write("x"),
                 lambda: open(folder + "/there", "w").read(), lambda: open(folder + "/there", "q"), lambda: open(folder + "/there", "rw"),
                 lambda: open(folder + "/there", "wb").write("text"), lambda: pathlib.Path(folder, "none").read_text()):
        try:
            work()
        except (OSError, ValueError, TypeError) as error:
            print(type(error).__name__, str(error).replace(folder, "FOLDER"))
    file = open(folder + "/there")
    file.close()
    try:
        file.read()
    except ValueError as error:
        print(error, file.closed)
    shutil.rmtree(folder)
    print(os.path.exists(folder))


def to_folder(gm):
    with tempfile.TemporaryDirectory() as folder:
        gm.to_folder(folder + "/exported", "Exported")
        text = open(folder + "/exported/module.py").read()
        print(text.replace(folder, "FOLDER"), sorted(os.listdir(folder + "/exported")), open(folder + "/exported/__init__.py").read())
        sys.path.insert(0, folder)
        from exported import Exported
        made = Exported()
        x = torch.ones(1, 2)
        print(torch.equal(made(x), gm(x)), sorted(made.state_dict()))
        spec = importlib.util.spec_from_file_location("alone", folder + "/exported/module.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        print(torch.equal(module.Exported()(x), gm(x)), module.__name__)
        sys.path.remove(folder)
