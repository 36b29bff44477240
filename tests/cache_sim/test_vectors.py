"""Compiled code keeps whole vectors across calls of functions that promise to preserve all registers."""

import ctypes

from cache_sim.native.simulate import compiled

TEXT = """
define internal preserve_allcc void @rare(ptr %p) noinline {
  %v = load <8 x i64>, ptr %p, align 8
  %w = add <8 x i64> %v, %v
  store <8 x i64> %w, ptr %p, align 8
  ret void
}
define i64 @count(ptr %row, ptr %other) {
  %v = load volatile <8 x i64>, ptr %row, align 8
  call preserve_allcc void @rare(ptr %other)
  %w = add <8 x i64> %v, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  store volatile <8 x i64> %w, ptr %row, align 8
  ret i64 0
}
"""


def test_vectors_survive_calls_that_preserve_all_registers():
    row, other = ((ctypes.c_int64 * 8)(*range(8)) for _ in range(2))
    count = compiled(TEXT, "count", ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p))
    count(ctypes.addressof(row), ctypes.addressof(other))
    assert list(row) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert list(other) == [0, 2, 4, 6, 8, 10, 12, 14]
