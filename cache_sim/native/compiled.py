"""Compile LLVM IR into a function of this process."""

from __future__ import annotations

from typing import Any


def compiled(text: str, name: str, kind: Any) -> Any:
    """Return a function of a module of IR text; `kind` is its type, as `ctypes.CFUNCTYPE` makes it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, jit=True
    )
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine, use_lmm=True)
    engine.finalize_object()
    function = kind(engine.get_function_address(name))
    function.engine = engine  # the code lives as long as the function
    return function
