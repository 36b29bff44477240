"""Reading hostile input in a process that may not take much memory or time."""

import json
import resource
import subprocess
import sys

MEMORY = 2 << 30  # bytes of address space
SECONDS = 60

READ = """
import json, sys
from importlib import import_module
module, function, *files = sys.argv[1:]
read = getattr(import_module(module), function)
told = []
for file in files:
    try:
        told.append(f"accepted {type(read(file)).__name__}")
    except Exception as error:
        told.append(f"{type(error).__name__}: {error}")
print(json.dumps(told))
"""


def _limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def read_each(module, function, files):
    """Call a function with each file; return what it raises, or what it returns."""
    command = [sys.executable, "-c", READ, module, function, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=_limit)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_limited(command, folder, memory=MEMORY):
    """Run a command in a folder; return its exit status and what it says."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, preexec_fn=limit)
    return done.returncode, done.stderr
