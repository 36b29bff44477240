"""Instructions that are used, or must not be, for the sake of what machines other than that of the cookbook have."""

import pytest

from tests.kept_machines import load
from tests.opt.test_cookbook import instructions, machine_of
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

PRODUCT = "(sxL(trW(r[a]))*sxL(trW(r[b])))>>15"
CASES = {
    "a choice that both ways store": (
        "riscv32", 'X: {rtl: "r[d]=abs(r[a]-r[b]);", asm: "x"}',
        "void f1(unsigned char *d, unsigned char *x, unsigned char *y, int n)"
        " { for (int i = 0; i < n; i++) { if (x[i] > y[i]) d[i] = x[i] - y[i]; else d[i] = y[i] - x[i]; } }",
    ),
    "what is chosen and added to a sum, of which the low half is wanted": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(trL(r[d])+abs(trL(r[a])-trL(r[b])));", asm: "x"}',
        "int f1(int *a, int *b, int n)"
        " { int s = 0; for (int i = 0; i < n; i++) { int d = a[i] - b[i]; s += d < 0 ? -d : d; } return s; }",
    ),
    "a loop from the highest bit down that returns the place of one": (
        "riscv32", 'X: {rtl: "r[d]=32-clz(r[a]);", asm: "x"}',
        "int f1(unsigned x) { for (int i = 31; i >= 0; i--) if (x >> i & 1) return i + 1; return 0; }",
    ),
    "a product and a sum, rounded once, in the place of a factor": (
        "x86_64", 'X: {rtl: "f[d]=fma(f[d],f[b],f[c]);", asm: "x", latency: 4}',
        "#include <math.h>\ndouble f1(double a, double b, double c) { return fma(a, b, c); }",
    ),
    "a product and a sum, rounded once, in the place of a term": (
        "x86_64", 'X: {rtl: "f[d]=fma(f[a],f[b],f[d]);", asm: "x", latency: 4}',
        "#include <math.h>\ndouble f1(double *x, double *y, int n)"
        " { double s = 0; for (int i = 0; i < n; i++) s = fma(x[i], y[i], s); return s; }",
    ),
    "a difference without its sign, which a mask of bits clears": (
        "x86_64", 'X: {rtl: "f[d]=abs(f[d]-f[b]);", asm: "x", latency: 4}',
        "#include <math.h>\ndouble f1(double *x, double *y, int n)"
        " { double s = 0; for (int i = 0; i < n; i++) s += fabs(x[i] - y[i]); return s; }",
    ),
    "the same of single precision, with a register for the result": (
        "x86_64", 'X: {rtl: "e[d]=abs(e[a]-e[b]);", asm: "x", latency: 4}',
        "#include <math.h>\nfloat f1(float a, float b) { return fabsf(a - b); }",
    ),
    "distances below 32, where those of the machine have 8 bits": (
        "thumb2", 'X: {rtl: "r[z]=(r[a]<<r[n])|((r[b]>>u1)>>u(31-r[n]));", asm: "x"}',
        "unsigned f1(unsigned a, unsigned b, unsigned n)"
        " { unsigned long long x = (unsigned long long)a << 32 | b; x <<= n & 31; return x >> 32; }",
    ),
    "two floating operations in the place of an operand": (
        "m68020", 'X: {rtl: "f[d]=abs(f[d]-f[b]);", asm: "x"}',
        "#include <math.h>\ndouble f1(double *x, double *y, int n)"
        " { double s = 0; for (int i = 0; i < n; i++) s += fabs(x[i] - y[i]); return s; }",
    ),
    "a product and a sum, each rounded, in the place of the sum": (
        "x86_64", 'X: {rtl: "f[d]=(f[a]*f[b])+f[d];", asm: "x", latency: 4}',
        "double f1(double *x, double *y, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }",
    ),
    "two copies at once": (
        "riscv32", 'X: {rtl: "r[10]=r[a]; r[11]=r[b];", asm: "x"}',
        "int g(int, int); int f1(int a, int b) { return g(a, b) + g(a, b); }",
    ),
    "bits counted in place, in the low half of a register": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(popcount(trL(r[d])));", asm: "x"}',
        "int f1(unsigned x) { return __builtin_popcount(x); }",
    ),
    "a choice that both ways store to a cell with an index": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[d])<utrL(r[b]),trL(r[b]),trL(r[d])));", asm: "x"}',
        "void f1(unsigned *d, unsigned *x, unsigned *y, int n)"
        " { for (int i = 0; i < n; i++) if (x[i] > y[i]) d[i] = x[i]; else d[i] = y[i]; }",
    ),
    "a choice that both ways store, where stores set codes": (
        "m68020", 'X: {rtl: "d[d]=SEL(d[d]<ud[b],d[b],d[d]);", asm: "x"}',
        "void f1(unsigned *p, unsigned a, unsigned b) { if (a > b) *p = a; else *p = b; }",
    ),
    "a choice that is added behind another choice": (
        "riscv32", 'X: {rtl: "r[d]=r[d]+abs(r[a]-r[b]);", asm: "x"}',
        "int f1(int s, int c, int d, int a, int b)"
        " { int x = c - d, y = a - b; return s + (x < 0 ? -x : x) + (y < 0 ? -y : y); }",
    ),
    "a constant out of a literal pool as an operand": (
        "thumb2", 'X: {rtl: "r[d]=SEL((r[a]&1)==0,r[a]>>u1,(r[a]>>u1)^r[b]);", asm: "x"}',
        "unsigned f1(unsigned c) { unsigned m = -(c & 1); return c >> 1 ^ (0xEDB88320u & m); }",
    ),
    "a constant that one instruction sets as an operand": (
        "riscv32", 'X: {rtl: "r[d]=SEL((r[a]&1)==0,r[a]>>u1,(r[a]>>u1)^r[b]);", asm: "x"}',
        "unsigned f1(unsigned c) { return c & 1 ? c >> 1 ^ 0xb4000000 : c >> 1; }",
    ),
    "a product with a cell whose address steps, where none is added without stepping": (
        "riscv32", 'X: {rtl: "r[d]=r[d]+(r[b]*L[r[a]]); r[a]=r[a]+4;", asm: "x"}',
        "int f1(int *p, int *q, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * q[i]; return s; }",
    ),
    "a product of two cells whose addresses step": (
        "thumb2", 'X: {rtl: "r[d]=r[d]+(sxL(W[r[a]])*sxL(W[r[b]])); r[a]=r[a]+2; r[b]=r[b]+2;", asm: "x", when: "a != b"}',
        "int f1(short *p, short *q, int n) { int s = 0; while (n--) s += *p++ * *q++; return s; }",
    ),
    "a store of what is computed, with a step": (
        "riscv32", 'X: {rtl: "L[r[a]]=r[b]^r[c]; r[a]=r[a]+4;", asm: "x"}',
        "void f1(int *d, int *a, int *b, int n) { for (int i = 0; i < n; i++) d[i] = a[i] ^ b[i]; }",
    ),
    "a number that is shifted, where distances do not count modulo the width": (
        "arm", 'X: {rtl: "r[d]=r[s]|(1<<r[n]);", asm: "x"}', "unsigned f1(unsigned x, int n) { return x | 1u << n; }"
    ),
    "a number of 32 bits that is shifted, in a register of 64": (
        "riscv64", 'X: {rtl: "r[d]=sxQ(trL(r[s])|(1<<trL(r[n])));", asm: "x"}',
        "unsigned f1(unsigned x, int n) { return x | 1u << n; }",
    ),
    "a rotation to the left, where there is only one to the right": (
        "riscv32", 'X: {rtl: "r[d]=rotl(r[a],neg(r[b]));", asm: "x"}',
        "unsigned f1(unsigned x, const int *r, int i) { return ((x + 5) << r[i]) | ((x + 5) >> (32 - r[i])); }",
    ),
    "a rotation of a number that is shorter than registers": (
        "riscv64", 'X: {rtl: "r[d]=sxQ(rotl(trL(r[a]),neg(trL(r[b]))));", asm: "x"}',
        "unsigned f1(unsigned x, unsigned n) { return (x << n) | (x >> (32 - n)); }",
    ),
    "halves of registers of 64 bits, multiplied": (
        "riscv64", 'X: {rtl: "r[d]=sxQ(trL(r[d])+(sxL(trW(r[a]))*sxL(trW(r[b]))));", asm: "x", latency: 8}',
        "int f1(int s, int a, int b) { return s + (short)a * (short)b; }",
    ),
    "a product that is too small to wrap": (
        "riscv32", 'X: {rtl: "r[d]=(((sxL(trW(r[a]))*sxL(trW(r[b])))>>14)+1)>>1;", asm: "x", latency: 8}',
        "short f1(short a, short b) { return (a * b + 0x4000) >> 15; }",
    ),
    "a product that only the choice wants": (
        "riscv32", f'X: {{rtl: "r[d]=SEL(({PRODUCT})>32767,32767,{PRODUCT});", asm: "x", latency: 8}}',
        "int f1(short a, short b) { int p = a * b >> 15; if (p == 32768) p = 32767; return p; }",
    ),
    "a mask that is an extension": (
        "riscv32", 'X: {rtl: "r[d]=rotl(r[s],r[n])&k;", asm: "x", when: "(k & (k + 1)) == 0 and k > 0", k: imm}',
        "unsigned f1(unsigned x, unsigned n) { x = x << n | x >> (32 - n); return (unsigned char)x; }",
    ),
    "bytes together are bytes": (
        "riscv32", 'X: {rtl: "r[d]=((r[a]<<1)^SEL((r[a]&128)!=0,27,0))&255;", asm: "x"}',
        "typedef unsigned char byte;\nbyte f1(byte a, byte b) { byte x = a ^ b; return x << 1 ^ (x >> 7 & 1) * 27; }",
    ),
    "a byte that a loop carries, of which the low part is wanted": (
        "riscv32", 'X: {rtl: "r[d]=((r[a]<<1)^SEL((r[a]&128)!=0,27,0))&255;", asm: "x"}',
        "void f1(unsigned char *p, int n)"
        " { for (int i = 0; i < n; i++) { int x = p[i] ^ p[i + 1]; p[i] = x << 1 ^ (x >> 7 & 1) * 27; } }",
    ),
    "a choice that is added, where a choice alone costs more than the branch": (
        "riscv32", 'Y: {rtl: "r[d]=SEL(r[a]<r[b],r[x],r[y]);", asm: "y"}\n'
        '  X: {rtl: "r[d]=r[d]+abs(zxL(trB(r[a]))-zxL(trB(r[b])));", asm: "x"}',
        "unsigned f1(unsigned s, unsigned char a, unsigned char b) { return s + (a > b ? a - b : b - a); }",
    ),
    "a number in a register, and its negative": (
        "riscv32", 'X: {rtl: "r[d]=SEL(r[a]>=ur[b],r[a]-r[b],r[a]);", asm: "x"}',
        "unsigned f1(const unsigned char *p, int n)"
        " { unsigned a = 1; while (n--) { a += *p++; if (a >= 65521) a -= 65521; } return a; }",
    ),
    "a number of 32 bits in a register of 64, and its negative": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[a])>=utrL(r[b]),trL(r[a])-trL(r[b]),trL(r[a])));", asm: "x"}',
        "unsigned f1(unsigned a) { return a >= 65521 ? a - 65521 : a; }",
    ),
    "a value of the round before is computed again": (
        "riscv32", 'X: {rtl: "r[d]=((r[a]&r[b])|(r[a]&r[c]))|(r[b]&r[c]);", asm: "x"}',
        "unsigned f1(unsigned *k, int n, unsigned a, unsigned b, unsigned c) { for (int i = 0; i < n; i++)"
        " { unsigned t = k[i] + ((a & b) ^ (a & c) ^ (b & c)); c = b; b = a; a = t; } return a + b + c; }",
    ),
    "bytes that make a number in the other order": (
        "riscv32", 'X: {rtl: "r[d]=bswap(L[r[a]]);", asm: "x"}',
        "unsigned f1(const unsigned char *p, int j)"
        " { return (unsigned)p[j] << 24 | p[j + 1] << 16 | p[j + 2] << 8 | p[j + 3]; }",
    ),
    "bytes of a number stored in the other order": (
        "riscv32", 'X: {rtl: "L[r[a]]=bswap(r[b]);", asm: "x"}',
        "void f1(unsigned char *p, unsigned x) { for (int i = 0; i < 4; i++) p[i] = x >> (24 - 8 * i); }",
    ),
    "a result of which fewer bits are wanted, where an instruction of the machine does a part of it": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[s])&not(trL(r[a])<<n));", n: imm, asm: "x"}',
        "unsigned f1(unsigned x, unsigned y) { return x & ~(y << 3); }",
    ),
    "a result that is extended otherwise than it was, which nobody wants": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(sxL(trB(trL(r[s])>>8)));", asm: "x"}',
        "int f1(int x) { return (signed char)(x >> 8); }",
    ),
    "a truth value that is said to be extended": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(neg(trL(r[a])<trL(r[b])));", asm: "x"}', "int f1(int a, int b) { return -(a < b); }"
    ),
    "two results of fewer bits than programs compute, one of which is stored before the other one is known": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[a])+trL(r[b])); r[e]=zxQ(trL(r[a])-trL(r[b]));", asm: "x"}',
        "void f1(int *p) { int a = p[0], b = p[1]; p[0] = a + b; p[1] = a - b; }",
    ),
    "a number of fewer bits than a register, of a floating value": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(cvtL(e[a]+e[b]));", asm: "x"}', "int f1(float x, float y) { return (int)(x + y); }"
    ),
    "what is stored, truncated by the description": (
        "riscv32", 'X: {rtl: "B[r[p]+c]=trB(zxL(B[r[p]+c])|k);", asm: "x", c: imm, k: imm}',
        "void f1(unsigned char *p) { p[4] |= 8; }",
    ),
    "a counter in the low half of a register": (
        "aarch64", 'X: {rtl: "r[a]=zxQ(trL(r[a])-1); PC=trL(r[a])!=1,t;", asm: "x"}',
        "int f1(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + p[i]; return s; }",
    ),
    "a counter without sign in the low half of a register": (
        "riscv64", 'X: {rtl: "r[a]=sxQ(trL(r[a])-1); PC=trL(r[a])!=1,t;", asm: "x"}',
        "void g(void); void f1(unsigned n) { for (unsigned i = 0; i < n; i++) g(); }",
    ),
    "a branch that leaves floating condition codes behind": (
        "x86_64", 'X: {rtl: "PC=(trL(r[a])&(1<<n))==0,t;", asm: "x", n: imm}',
        "int g(void); int f1(int a) { if (a & 0x400) g(); return a; }",
    ),
    "a sum that changes condition codes, in the place of one that does not": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(trL(r[d])+(sxL(trW(r[a]))*sxL(trW(r[b]))));", asm: "x"}',
        "int f1(int s, short a, short b) { return s + a * b; }",
    ),
    "a cell that a branch compares with a part of a register": (
        "riscv64", 'X: {rtl: "PC=L[r[p]+c]==trL(r[a]),t;", c: imm, asm: "x", latency: 2}',
        "void g(void); void f1(const int *p, int k) { if (p[1] != k) g(); }",
    ),
    "a range, where branches decide by condition codes": (
        "m68020", 'X: {rtl: "PC=(d[a]-k)<un,t;", k: imm, n: imm, asm: "x"}',
        "int g(int); int f1(int c) { if (c >= 48 && c <= 57) return g(c); return 0; }",
    ),
    "early returns of numbers from a pool": (
        "arm", 'X: {rtl: "r[d]=SEL(r[s]<-32768,-32768,SEL(r[s]>32767,32767,r[s]));", asm: "x"}',
        "int f1(int x) { if (x > 32767) return 32767; if (x < -32768) return -32768; return x; }",
    ),
    "a value of which only a byte is wanted, computed in whole registers": (
        "m68020", 'X: {rtl: "d[d]=((d[a]<<1)&255)^SEL((d[a]&128)!=0,27,0);", asm: "x"}',
        "unsigned char f1(unsigned char x) { return (x << 1) ^ ((x >> 7) * 0x1b); }",
    ),
    "an argument that the caller has extended on the stack": (
        "m68020", 'X: {rtl: "d[d]=d[b]+(sxL(trW(d[a]))<<1);", asm: "x"}', "int f1(int b, short a) { return b + a * 2; }"
    ),
    "values that copies stand between, where instructions have two addresses": (
        "m68020",
        'X: {rtl: "d[d]=(d[c]+(sxL(trW(d[a]))*sxL(trW(d[b]))))-((d[a]>>16)*(d[b]>>16));", asm: "x", latency: 4}',
        "int f1(int a, int b, int c) { return c + (short)a * (short)b - (a >> 16) * (b >> 16); }",
    ),
    "what a better instruction than the first one that was put in stands for": (
        "m68020", 'X: {rtl: "d[d]=sxL(trW(d[a]))*(d[b]>>16);", asm: "x", latency: 3}',
        "int f1(int a, int b) { return (short)a * (b >> 16); }",
    ),
    "bits of another number under a mask": (
        "riscv32", 'X: {rtl: "r[d]=(r[d]&k)|((r[s]&63)<<20);", k: any, asm: "x"}',
        "unsigned f1(unsigned d, unsigned s) { return d ^ ((d ^ (s << 20)) & 0x3f00000); }",
    ),
    "sum and carry of 32 bits, in registers of 64": (
        "aarch64",
        'X: {rtl: "r[d]=zxQ(trL(r[a])+trL(r[b])); r[e]=(trL(r[a])+trL(r[b]))<utrL(r[a]);", asm: "x", when: "d != e"}',
        "unsigned f1(unsigned a, unsigned b, unsigned *p) { unsigned s; *p = __builtin_add_overflow(a, b, &s); return s; }",
    ),
    "the same, where registers hold signs": (
        "riscv64",
        'X: {rtl: "r[d]=sxQ(trL(r[a])+trL(r[b])); r[e]=(trL(r[a])+trL(r[b]))<utrL(r[a]);", asm: "x", when: "d != e"}',
        "unsigned f1(unsigned a, unsigned b, unsigned *p) { unsigned s; *p = __builtin_add_overflow(a, b, &s); return s; }",
    ),
    "a cell of 32 bits that steps, beside registers of 64": (
        "aarch64", 'X: {rtl: "L[r[p]+c]=L[r[p]+c]+k;", c: byte, k: small, asm: "x", latency: 4}',
        "void f1(int *p) { p[1] += 7; }",
    ),
    "a byte that gets bits of a register of 64": (
        "aarch64", 'X: {rtl: "B[r[p]]=trL(r[s])|zxL(B[r[p]]);", asm: "x", latency: 4}',
        "void f1(unsigned char *p, int s) { *p |= s; }",
    ),
    "a number of 32 bits in a mask, in a register of 64": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(((1<<trL(r[a]))-1)<<trL(r[b]));", asm: "x"}',
        "unsigned f1(unsigned a, unsigned b) { unsigned m = ~(~0u << a); return m << b; }",
    ),
    "a load without a sign, where C says int": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(L[r[a]+((sxQ(trL(r[b]))<<2)+c)]);", c: small, asm: "x", latency: 4}',
        "int f1(int *p, int i) { return p[i + 3]; }",
    ),
    "what is computed of truth values, where branches decide by condition codes": (
        "thumb2", 'X: {rtl: "r[d]=(r[a]>r[b])-(r[a]<r[b]);", asm: "x"}', "int f1(int a, int b) { return a < b ? -1 : a > b; }"
    ),
    "one bit as a truth value, where branches decide by condition codes": (
        "m68020", 'X: {rtl: "d[d]=(d[a]>>n)&1;", n: small, asm: "x"}', "int f1(int a) { return (a & 8) != 0; }"
    ),
    "the low part of what uses a choice": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[d])+abs(trL(r[a])-trL(r[b])));", asm: "x", latency: 2}',
        "int f1(int d, int a, int b) { int t = a - b; if (t < 0) t = -t; return d + t; }",
    ),
    "a truth value that is a part of a choice": (
        "aarch64", 'X: {rtl: "r[d]=zxQ((trL(r[a])>trL(r[b]))-(trL(r[a])<trL(r[b])));", asm: "x"}',
        "int f1(int a, int b) { return a < b ? -1 : a > b; }",
    ),
    "a choice behind a branch that tests one bit": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[a])<0,0,SEL(trL(r[a])>1023,1023,trL(r[a]))));", asm: "x"}',
        "int f1(int a) { return a < 0 ? 0 : a > 1023 ? 1023 : a; }",
    ),
    "two choices, where every instruction changes condition codes": (
        "m68020", 'X: {rtl: "d[d]=SEL(d[a]<d[b],d[a],d[b]); d[e]=SEL(d[a]<d[b],d[b],d[a]);", asm: "x", when: "d != e"}',
        "void f1(int a, int b, int *p) { if (a > b) { int t = a; a = b; b = t; } p[0] = a; p[1] = b; }",
    ),
    "a sum and its carry, which another instruction has as a condition code": (
        "thumb2", 'X: {rtl: "r[d]=r[a]+r[b]; r[e]=(r[a]+r[b])<ur[a];", asm: "x", when: "d != e"}',
        "unsigned f1(unsigned a, unsigned b, unsigned *p) {"
        " unsigned long long s = (unsigned long long)a + b; *p = s >> 32; return s; }",
    ),
    "a byte compared with a number, where it is a mask that extends it": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[a])==k);", k: imm, asm: "x"}', "_Bool f1(unsigned char c) { return !(c - 32); }"
    ),
    "an operator of a cell that the program writes with many others": (
        "riscv32", 'X: {rtl: "r[d]=bswap(L[r[p]+c]);", c: imm, asm: "x"}',
        "unsigned f1(const unsigned *p)"
        " { unsigned v = p[1]; return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }",
    ),
    "a product of differences the other way round": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[a])+(((trL(r[b])-trL(r[a]))*trL(r[c]))>>8));", asm: "x", latency: 3}',
        "int f1(int a, int b, int t) { return a + ((a - b) * -t >> 8); }",
    ),
    "a choice by floating numbers that set a condition code": (
        "x86_64", 'X: {rtl: "e[d]=SEL(e[a]<e[b],e[b],e[a]);", asm: "x"}',
        "float f1(float a, float b) { return b > a ? b : a; }",
    ),
    "a choice by a condition code of floating numbers that is copied": (
        "thumb2", 'X: {rtl: "e[d]=SEL(e[a]<e[b],e[b],e[a]);", asm: "x"}',
        "float f1(const float *p, int n) { float m = *p; for (int i = 1; i < n; i++) if (m < p[i]) m = p[i]; return m; }",
    ),
    "what is extended on all ways around a loop": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(SEL((trL(r[a])&255)<u(trL(r[b])&255),trL(r[b])&255,trL(r[a])&255));", asm: "x"}',
        "int f1(const unsigned char *p, int n)"
        " { unsigned char m = 0; for (int i = 0; i < n; i++) if (p[i] > m) m = p[i]; return m; }",
    ),
    "two cells, the second of which is where the register points": (
        "riscv32", 'X: {rtl: "L[r[p]+c]=r[s]; L[(r[p]+c)+4]=r[q];", c: imm, asm: "x"}',
        "void f1(int *a, int n) { for (int i = 0; i < n; i += 2) { a[i + 1] = i; a[i] = n; } }",
    ),
    "a truth value in the low part of a register of which nobody has set the rest": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(trL(r[a])+(trL(r[b])==trL(r[c])));", asm: "x"}',
        "int f1(int n, int a, int b) { return n + (a == b); }",
    ),
    "choices with a truth value in the low part of a register": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[a])<trL(r[b]),-1,trL(r[a])>trL(r[b])));", asm: "x"}',
        "int f1(int a, int b) { return a < b ? -1 : a > b; }",
    ),
    "two cells and a step of their address": (
        "riscv32", 'X: {rtl: "r[d]=L[r[p]]; r[e]=L[r[p]+4]; r[p]=r[p]+8;", asm: "x", when: "d != e and d != p and e != p"}',
        "int f1(const int *p, int n) { int s = 0; while (n-- > 0) { s += p[0] * p[1]; p += 2; } return s; }",
    ),
    "two cells and two steps, where loads step by themselves": (
        "aarch64",
        'X: {rtl: "r[d]=zxQ(L[r[p]]); r[e]=zxQ(L[r[p]+4]); r[p]=r[p]+8;", asm: "x", when: "d != e and d != p and e != p"}',
        "int f1(const int *p, int n) {"
        " int s = 0; for (int i = 0; i < n; i++) { int a = *p++, b = *p++; s += a < b ? a : b; } return s; }",
    ),
    "a step of an address that is handed back": (
        "riscv32", 'X: {rtl: "L[r[p]]=r[s]; r[p]=r[p]+c;", c: imm, asm: "x"}',
        "int *f1(int *p, int a, int b) { *p++ = a; *p++ = b; return p; }",
    ),
    "a step by a stride that additions shift": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(sxL(W[r[p]])); r[p]=r[p]+r[s];", asm: "x", when: "d != p"}',
        "int f1(const short *p, int by, int n) { int s = 0; while (n-- > 0) { s += *p; p += by; } return s; }",
    ),
    "a load with a sign, where only what is stored counts": (
        "riscv32", 'X: {rtl: "r[d]=sxL(W[r[p]]); r[p]=r[p]+r[s];", asm: "x", when: "d != p"}',
        "void f1(short *o, const short *p, int by, int n) { for (int i = 0; i < n; i++, p += by) o[i] = *p * 2; }",
    ),
    "two cells of 32 bits that are compared in registers of 64": (
        "aarch64", 'X: {rtl: "PC=L[r[p]+c]==trL(r[b]),t;", c: small, asm: "x", latency: 2}',
        "void g(void); void f1(const int *p, const int *q) { if (p[2] != q[1]) g(); }",
    ),
    "two halves that are stored, of which both were in one register": (
        "riscv32", 'X: {rtl: "W[r[p]+c]=r[s]; W[r[p]+k]=r[t];", c: imm, k: imm, asm: "x", when: "k == c + 2"}',
        "struct s { int i; short w, h; }; void f1(struct s *p, int w, int h) { p->w = w + 1; p->h = h + 1; }",
    ),
    "what a loop makes of a cell, round by round": (
        "riscv32", 'X: {rtl: "r[d]=bswap(L[r[p]+c]);", c: imm, asm: "x"}',
        "unsigned f1(const unsigned *p)"
        " { unsigned v = *p, r = 0; for (int i = 0; i < 4; i++) { r = r << 8 | (v & 255); v >>= 8; } return r; }",
    ),
    "what only a store computes of a register": (
        "riscv32", 'X: {rtl: "L[r[p]+c]=bswap(r[s]);", c: imm, asm: "x"}',
        "void f1(unsigned *p, unsigned v) { p[1] = v >> 24 | (v >> 8 & 0xff00) | (v & 0xff00) << 8 | v << 24; }",
    ),
    "a choice of floating numbers, where comparisons set a register": (
        "mips", 'X: {rtl: "f[d]=SEL(f[c]>=f[e],f[a],f[b]);", asm: "x", latency: 4}',
        "double f1(double c, double e, double a, double b) { return c >= e ? a : b; }",
    ),
    "one instruction for what is two without it": (
        "mips", 'X: {rtl: "PC=r[a]<uk,t;", k: shift, asm: "x"}', "void g(void); void f1(unsigned a) { if (a > 19) g(); }"
    ),
    "a counting branch, where comparisons set a register": (
        "mips", 'X: {rtl: "r[i]=r[i]+1; PC=(r[i]+1)<r[n],t;", asm: "x"}',
        "void h(int); void f1(int n) { for (int i = 0; i < n; i++) h(i); }",
    ),
    "a difference or 0 that is added, in low halves of registers": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[d])>trL(r[b]),trL(r[d])-trL(r[b]),0));", asm: "x", latency: 1}',
        "int f1(const int *p, const int *q, int n)"
        " { int s = 0; for (int i = 0; i < n; i++) if (p[i] > q[i]) s += p[i] - q[i]; return s; }",
    ),
    "a difference or 0 that is subtracted in the place of an operand": (
        "m68020", 'X: {rtl: "d[d]=SEL(d[d]>d[b],d[d]-d[b],0);", asm: "x"}',
        "int f1(int s, int a, int b) { if (a > b) s -= a - b; return s; }",
    ),
    "what is 1 at first if all of several are equal": (
        "m68020", 'X: {rtl: "d[d]=d[d]&(d[a]==d[b]);", asm: "x"}',
        "int f1(int a, int b, int c, int d) { return a == b && c == d; }",
    ),
    "what is 0 at first if some are not equal, in low halves of registers": (
        "x86_64", 'X: {rtl: "r[d]=zxQ(trL(r[d])|(trL(r[a])!=trL(r[b])));", asm: "x"}',
        "int f1(int a, int b, int c, int d) { return a != b || c != d; }",
    ),
    "a counting branch in the low half of a register": (
        "aarch64", 'X: {rtl: "r[i]=zxQ(trL(r[i])+1); PC=(trL(r[i])+1)<trL(r[n]),t;", asm: "x"}',
        "void h(int); void f1(int n) { for (int i = 0; i < n; i++) h(i); }",
    ),
    "a cell of a table, and its address by what it is combined with": (
        "riscv32", 'X: {rtl: "r[d]=(r[c]>>u8)^L[r[t]+(((r[c]^r[b])&255)<<2)];", asm: "x", latency: 3}',
        "unsigned f1(const unsigned *t, unsigned c, const unsigned char *p, int n)"
        " { for (int i = 0; i < n; i++) c = c >> 8 ^ t[(unsigned char)(c ^ p[i])]; return c; }",
    ),
    "the same in registers of 64 bits": (
        "aarch64",
        'X: {rtl: "r[d]=zxQ((trL(r[c])>>u8)^L[r[t]+(zxQ((trL(r[c])^trL(r[b]))&255)<<2)]);", asm: "x", latency: 4}',
        "unsigned f1(const unsigned *t, unsigned c, unsigned b) { return t[(c ^ b) & 0xff] ^ c >> 8; }",
    ),
    "an operation with a cell by an index, where no load has one": (
        "riscv32", 'X: {rtl: "r[d]=r[d]^zxL(B[r[b]+r[i]]);", asm: "x"}',
        "unsigned f1(unsigned h, const unsigned char *p, int i) { return h ^ p[i]; }",
    ),
    "a cell by a scaled index that counts, where no load or store has one": (
        "riscv32", 'X: {rtl: "L[r[b]+(r[i]<<2)]=L[r[b]+(r[i]<<2)]+1;", asm: "x"}',
        "void f1(unsigned *h, const unsigned char *p, int n) { while (n--) h[*p++]++; }",
    ),
    "a bit of an array of bytes": (
        "riscv32", 'X: {rtl: "B[r[b]+(r[i]>>u3)]=B[r[b]+(r[i]>>u3)]|(1<<(r[i]&7));", asm: "x"}',
        "void f1(unsigned char *p, unsigned i) { p[i / 8] = p[i / 8] | 1 << i % 8; }",
    ),
    "a cell that a branch compares with a byte, where branches decide by condition codes": (
        "aarch64", 'X: {rtl: "PC=B[r[p]+c]==trB(r[a]),t;", c: byte, asm: "x", latency: 2}',
        "void g(void); void f1(const char *p, char k) { if (p[3] == k) g(); }",
    ),
    "a byte that is copied, with both steps": (
        "riscv32", 'X: {rtl: "B[r[d]]=B[r[s]]; r[d]=r[d]+1; r[s]=r[s]+1;", asm: "x", when: "d != s", latency: 3}',
        "void f1(char *restrict d, const char *restrict s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }",
    ),
    "a byte that is copied, before both steps": (
        "x86_64", 'X: {rtl: "B[r[d]+c]=B[r[s]+k];", c: byte, k: byte, asm: "x", latency: 3}',
        "void f1(char *d, const char *s, int n) { while (n-- > 0) *d++ = *s++; }",
    ),
    "a sum of products, of which the program has a product of a difference": (
        "riscv32", 'X: {rtl: "r[d]=((r[a]*(256-r[c]))+(r[b]*r[c]))>>u8;", asm: "x", latency: 8}',
        "unsigned f1(unsigned a, unsigned b, unsigned c) { return (a * 256 + (b - a) * c) >> 8; }",
    ),
    "many operations on parts of a few registers": (
        "x86_64",
        'X: {rtl: "r[d]=zxQ(trL(r[s])+((((sxL(trB(r[a]))*sxL(trB(r[b])))+(sxL(trB(r[a]>>u8))*sxL(trB(r[b]>>u8))))'
        '+(sxL(trB(r[a]>>u16))*sxL(trB(r[b]>>u16))))+(sxL(trB(r[a]>>u24))*sxL(trB(r[b]>>u24)))));", asm: "x", latency: 8}',
        "#define B(x, n) (signed char)((x) >> 8 * (n))\n int f1(int s, unsigned a, unsigned b)"
        " { return s + B(a, 0) * B(b, 0) + B(a, 1) * B(b, 1) + B(a, 2) * B(b, 2) + B(a, 3) * B(b, 3); }",
    ),
    "a quotient by a power of 2 that is rounded towards 0 by hand": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[a])/k);", k: byte, asm: "x", when: "k > 1 and k & (k - 1) == 0"}',
        "int f1(int x) { return (x < 0 ? x + 15 : x) >> 4; }",
    ),
    "a branch on what a branch chose": (
        "riscv32", 'X: {rtl: "PC=abs(r[a]-r[b])<k,t;", asm: "x", k: shift}',
        "int g(int); int f1(int a, int b) { int d = a - b; if (d < 0) d = -d; if (d < 7) return g(b); return 1; }",
    ),
    "the same where branches decide by condition codes": (
        "thumb2", 'X: {rtl: "PC=abs(r[a]-r[b])<k,t;", asm: "x", k: byte}',
        "int g(int); int f1(int a, int b) { int d = a - b; return (d < 0 ? -d : d) >= 9 ? g(b) : 1; }",
    ),
    "what a loop carries besides the value that it is computed of": (
        "riscv32", 'X: {rtl: "r[d]=(r[a]&65535)+(r[a]>>u16);", asm: "x"}',
        "unsigned f1(unsigned s) { while (s >> 16) s = (s & 0xffff) + (s >> 16); return s; }",
    ),
    "the same with two addresses, behind a loop that may have no rounds": (
        "x86_64", 'X: {rtl: "r[d]=zxQ((trL(r[a])&65535)+(trL(r[a])>>u16));", asm: "x"}',
        "unsigned f1(const unsigned short *p, int n) { unsigned s = 0; while (n--) s += *p++;"
        " while (s >> 16) s = (s & 0xffff) + (s >> 16); return s; }",
    ),
    "a truth value that is counted": (
        "riscv32", 'X: {rtl: "r[d]=(r[a]&r[b])!=0;", asm: "x"}',
        "int f1(const unsigned *p, int n, unsigned m) { int c = 0; for (int i = 0; i < n; i++) if (p[i] & m) c++; return c; }",
    ),
    "a truth value that is counted down, where branches decide by condition codes": (
        "x86_64", 'X: {rtl: "r[d]=zxQ((trL(r[a])-k)<uc);", k: byte, c: byte, asm: "x"}',
        "int f1(const char *s, int n) { for (; *s; s++) if (*s >= 'A' && *s <= 'Z') n--; return n; }",
    ),
    "a choice of numbers without a sign, extended": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(SEL(trL(r[a])==trL(r[b]),k,c));", k: byte, c: byte, asm: "x"}',
        "int f1(int a, int b) { return a == b ? 10 : 20; }",
    ),
    "two results of one register, which one of them replaces": (
        "mips", 'X: {rtl: "r[d]=r[d]-1; r[e]=r[d]==1;", when: "d != e", asm: "x"}',
        "struct r { int count; }; int f1(struct r *r) { r->count--; return r->count == 0; }",
    ),
    "two low halves of one register": (
        "aarch64", 'X: {rtl: "r[d]=zxQ(trL(r[d])-1); r[e]=trL(r[d])==1;", when: "d != e", asm: "x"}',
        "int f1(int n, int *p) { *p = --n == 0; return n; }",
    ),
}  # fmt: skip


def test_a_choice_of_numbers_is_extended_as_the_instruction_does(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry = 'X: {rtl: "r[d]=sxQ(SEL(trL(r[a])==trL(r[b]),k,20));", k: mask, asm: "x"}'
    (tmp_path / "a.c").write_text("long f1(int a, int b) { return a == b ? 0x7fffffff : 20; }\n"
                                  "long f2(int a, int b) { return a == b ? 0x80000000 : 20; }\n")  # fmt: skip
    found = instructions(machine_of(entry, tmp_path, "aarch64"), 2, tmp_path / "a.c")
    assert ["X" in found[name] for name in ("f1", "f2")] == [True, False]


def test_a_counted_truth_value_costs_no_more_instructions_than_a_branch(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    code = "int f1(int *p, int b, int n) { int c = 0; for (int i = 0; i < n; i++) if (p[i] < b) c++; return c; }"
    (tmp_path / "a.c").write_text(code)
    assert "SLT" not in instructions(load("riscv32"), 2, tmp_path / "a.c")["f1"]


def test_an_index_is_not_counted_by_truth_values(tmp_path, monkeypatch):
    """Each way of the branch has loaded what the index chooses."""
    monkeypatch.setenv("EASE_CACHE", "")
    code = (
        "extern int h[], d[]; int f1(int n, int p) { while (p < n) { int c = 2 * p + 1; if (d[h[c + 1]] < d[h[c]]) c++;"
        " if (d[h[c]] >= d[p]) break; h[p] = h[c]; p = c; } return p; }"
    )
    (tmp_path / "a.c").write_text(code)
    found = instructions(load("mips"), 2, tmp_path / "a.c")["f1"]
    assert sum(name in ("BEQ", "BNE") for name in found) == 4


def test_what_a_branch_chose_is_computed_for_others(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry = 'X: {rtl: "PC=abs(r[a]-r[b])<k,t;", asm: "x", k: shift}'
    (tmp_path / "a.c").write_text("int g(int); int f1(int a, int b)"
                                  " { int d = a - b; if (d < 0) d = -d; if (d < 7) return g(d); return 1; }\n")  # fmt: skip
    assert "X" not in instructions(machine_of(entry, tmp_path, "riscv32"), 2, tmp_path / "a.c")["f1"]


def test_distances_that_may_be_the_width_are_not_computed_otherwise(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry = 'X: {rtl: "r[z]=(r[a]<<r[n])|((r[b]>>u1)>>u(31-r[n]));", asm: "x"}'
    (tmp_path / "a.c").write_text("unsigned f1(unsigned a, unsigned b, unsigned n) { return a << n | b >> 1 >> (n ^ 31); }\n")
    assert "X" not in instructions(machine_of(entry, tmp_path, "thumb2"), 2, tmp_path / "a.c")["f1"]


SIGNS = """
#include <math.h>
#include <string.h>
unsigned long f1(double x) { unsigned long l; double y = fabs(x); memcpy(&l, &y, 8); return l; }
unsigned f2(float x) { unsigned l; float y = fabsf(x); memcpy(&l, &y, 4); return l; }
int main(void)
{
    volatile double zero = 0, d[] = {-1.5, 2, -0.0, 1e300 * -1e300, 3e-320};
    unsigned long sum = f1(zero / zero) + f1(-(zero / zero));
    for (int i = 0; i < 5; i++) sum = sum * 31 + f1(d[i]) + f2((float)d[i]);
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24 ^ sum >> 32 ^ sum >> 40 ^ sum >> 48 ^ sum >> 56) & 255;
}
"""


@pytest.mark.parametrize("level", [0, 2])
def test_absolute_values_are_computed_without_calls(level, tmp_path):
    (tmp_path / "a.c").write_text(SIGNS)
    values = []
    for name in ("x86_64", "aarch64"):
        machine = load(name)
        found = instructions(machine, level, tmp_path / "a.c")
        assert level == 0 or "CALL" not in found["f1"] + found["f2"]
        run = interpret(Compiler(machine, Settings(level=level)).program([str(tmp_path / "a.c")]))
        assert run.fault is None
        values.append(run.exit_status)
    assert values[0] == values[1]


def test_another_cell_is_stored_to(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry = 'X: {rtl: "L[r[b]+(r[i]<<2)]=L[r[b]+(r[i]<<2)]+1;", asm: "x"}'
    (tmp_path / "a.c").write_text("void f1(int *p, int i) { p[i] = p[i + 1] + 1; }\n")
    assert "X" not in instructions(machine_of(entry, tmp_path, "riscv32"), 2, tmp_path / "a.c")["f1"]


def test_both_of_two_choices_are_used(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    base, entry, code = CASES["a choice that is added behind another choice"]
    (tmp_path / "a.c").write_text(code)
    assert instructions(machine_of(entry, tmp_path, base), 2, tmp_path / "a.c")["f1"].count("X") == 2


@pytest.mark.parametrize("what", CASES)
def test_it_is_used(what, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    base, entry, code = CASES[what]
    (tmp_path / "a.c").write_text(code)
    assert "X" in instructions(machine_of(entry, tmp_path, base), 2, tmp_path / "a.c")["f1"]


def test_a_truth_value_in_a_byte_of_a_register_is_extended(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry = 'X: {rtl: "r[d]=zxQ(trL(r[d])&(trL(r[a])==trL(r[b])));", asm: "x"}'  # with which it matters what is 0 or 1
    (tmp_path / "a.c").write_text("int f1(int a, int b) { int s = (b > 0) - (b < 0); return a * s; }\n")
    assert "MOVZBL" in instructions(machine_of(entry, tmp_path, "x86_64"), 2, tmp_path / "a.c")["f1"]


@pytest.mark.parametrize("level", [0, 2])
def test_a_number_of_fewer_bits_is_not_shifted_by_what_shifts_more(level, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text("unsigned f1(int n) { return 1u << n; }\nlong f2(int n) { return 1l << n; }\n")
    found = instructions(machine_of('X: {rtl: "r[d]=1<<r[n];", asm: "x"}', tmp_path, "riscv64"), level, tmp_path / "a.c")
    assert ["X" in found[name] for name in ("f1", "f2")] == [False, True]


def test_a_product_of_64_bits_of_variables_is_one_of_two_numbers_with_signs(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text("int f1(int a, int b) { long long p = a; p *= b; return p >> 32; }\n")
    assert instructions(load("riscv32"), 2, tmp_path / "a.c")["f1"] == ["MULH", "RET"]


def test_a_range_is_compared_in_the_low_half_where_that_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text("int f1(int c) { return (unsigned long)((long)c - 97) <= 15 ? 3 : 8; }\n"
                                  "int f2(int c) { return (unsigned long)((long)c - 0x7fffffffL - 10L) <= 20 ? 3 : 8; }\n"
                                  "int f3(int c, int d) { return (unsigned long)((long)c - d) <= 15 ? 3 : 8; }\n")  # fmt: skip
    found = instructions(load("x86_64"), 2, tmp_path / "a.c")  # f2: the low half of -2**32+1 is 1; f3: so it may be
    assert ["CMPL" in found[name] for name in ("f1", "f2", "f3")] == [True, False, False]
