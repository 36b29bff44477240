"""The cache, the installation and the environment are read by later runs: no measured program may change them."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vpo
from ease.host.process.process import _START
from vpo.base.cache import KINDS, folder, places
from vpo.system.files import Files, GuardedFolders, guarded_folders

CREATE = os.O_WRONLY | os.O_CREAT


@pytest.fixture
def home(monkeypatch, tmp_path):
    """A working directory with a cache below it, `.cache` being a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / ".cache").symlink_to("real")
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / ".cache" / "ease"))
    monkeypatch.chdir(tmp_path)
    for kind in KINDS:
        (folder(kind) / "ab").mkdir()
        (folder(kind) / "ab" / "entry").write_text("kept")
    return tmp_path


def refused(action, *words):
    with pytest.raises(PermissionError) as caught:
        action(*words)
    return caught.value.errno == errno.EACCES


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", [".cache/ease", "real/ease", "x/../real/./ease"])
def test_the_cache_may_be_read_and_not_changed(home, kind, way):
    (home / "x").mkdir()
    files, inside, entry = Files([home]), f"{way}/{kind}", f"{way}/{kind}/ab/entry"
    os.close(files.open(entry, os.O_RDONLY, 0).descriptor)
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_RDONLY | os.O_TRUNC, CREATE):
        assert refused(files.open, entry, flags, 0o666)
    assert refused(files.open, f"{inside}/ab/new", CREATE, 0o666)
    assert refused(files.unlink, entry)
    assert refused(files.rename, entry, "stolen")
    assert refused(files.rename, "x", f"{inside}/cd")
    assert refused(files.make_folder, f"{inside}/cd", 0o777)
    assert refused(files.change_mode, entry, 0o777)
    assert (folder(kind) / "ab" / "entry").read_text() == "kept"


def test_nothing_on_the_way_to_the_cache_is_moved_away(home):
    files = Files([])
    for path in (".cache", "real", "real/ease", "real/ease/code"):
        assert refused(files.rename, path, "away")
        assert refused(files.change_mode, path, 0o777)
    assert refused(files.unlink, ".cache")
    os.close(files.open("real/other", CREATE, 0o666).descriptor)
    files.rename("real/other", "other")
    descriptor = files.open("real", os.O_RDONLY, 0).descriptor
    assert refused(files.change_mode_of, descriptor, 0o777)
    os.close(descriptor)


def test_a_cache_that_is_not_there_yet_is_not_made(home):
    shutil.rmtree("real")
    os.mkdir("planted")
    files = Files([])
    for new in ("real", "real/ease"):
        assert refused(files.rename, "planted", new)
        files.make_folder(new, 0o700)
    assert refused(files.rename, "planted", "real/ease/code")
    assert refused(files.make_folder, "real/ease/code", 0o700)


def test_a_root_within_the_cache_opens_nothing(home):
    assert refused(Files([folder("code") / "ab"]).open, str(folder("code") / "ab" / "entry"), os.O_RDWR, 0)


def test_a_folder_is_known_by_other_names(home):
    """Whatever a path says, the folders on the way back to the root tell where it leads, as with a bind mount."""
    guarded, inner = GuardedFolders([str(home / "real")]), os.open(home / "real" / "ease", os.O_RDONLY)
    assert guarded.contain(inner, "/another/name")
    os.rename("real", "moved")
    assert guarded.contain(inner, "/another/name")
    os.close(inner)


def test_the_usual_cache_is_guarded_whatever_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in (("EASE_CACHE", ""), ("XDG_CACHE_HOME", str(tmp_path / "other"))):
        monkeypatch.setenv(name, value)
    found = set(places())
    assert found >= {tmp_path / ".cache" / "ease" / "code", tmp_path / "other" / "ease" / "entries"}


def test_the_installation_and_the_environment_are_guarded():
    found = {os.path.realpath(path) for path in guarded_folders()}
    package = Path(vpo.__file__).parent
    guarded = GuardedFolders(found)
    for path in (package / "link.py", Path(subprocess.__file__), Path(pytest.__file__), Path(sys.prefix) / "bin" / "python"):
        inside = os.open(path.parent, os.O_RDONLY)
        assert guarded.contain(inside, os.path.join(os.path.realpath(path.parent), path.name)), path
        os.close(inside)
    assert refused(Files(["/"]).open, str(package / "planted.py"), CREATE, 0o666)
    for name in ("ease", "cache_sim", "machine_descriptions"):
        where = str(Path(__import__(name).__file__).parent / "planted")
        assert refused(Files(["/"]).open, where, CREATE, 0o666)


PLANT = """
#include <errno.h>
#include <fcntl.h>
int main(void) { return open(PLACE, O_WRONLY | O_CREAT, 0600) < 0 && errno == EACCES ? 7 : 1; }
"""


def test_a_program_measured_at_home_plants_nothing(tmp_path):
    (tmp_path / "plant.c").write_text(PLANT)
    place = folder("code") / "planted"
    command = [Path(sys.executable).parent / "easecc", f'-DPLACE="{place}"', tmp_path / "plant.c"]
    done = subprocess.run(command, cwd=place.parents[2], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (7, b"")


def test_modules_beside_the_packages_do_not_stand_before_those_of_python(tmp_path):
    (tmp_path / "ease").mkdir()
    (tmp_path / "ease" / "__init__.py").touch()
    (tmp_path / "ease" / "probe.py").write_text("import json\ndef main(): print(json.dumps(1))")
    (tmp_path / "json.py").write_text("def dumps(value): return 'planted'")
    start = _START.format(root=str(tmp_path), packages=str(tmp_path), module="ease.probe", unable=69)
    assert subprocess.check_output([sys.executable, "-P", "-c", start], cwd=tmp_path) == b"1\n"
