/* Switches that choose constants, and masks that are shifted: what they are replaced by means the same. */
enum { A, B, C, D, E } ;
const char *name(int k){ switch(k){ case A: return "a"; case B: return "bb"; case C: return "c"; case D: return "d"; case E: return "e"; } return 0; }
int val(unsigned char k){ int r; switch(k){ case 3: r=100; break; case 4: r=2000; break; case 5: r=-1; break; case 7: r=7; break; default: r=4; } return r+k; }
static short ext(int k){ switch(k){ case -2: return 1; case -1: return 3; case 0: return 9; case 1: return 8; case 2: return 300;} return k; }
double fl(long long k){ switch(k){ case 3: return 1.5; case 4: return 2.5; case 5: return 0.1; case 7: return 7; default: return 0;} }
int two(int k,int *q){ int a,b; switch(k){ case 0: a=1;b=2; break; case 1: a=5;b=3; break; case 2: a=9;b=1;break; case 3: a=1000;b=0; break; default: return -1; } *q=b; return a; }
unsigned m(unsigned x){ return ((x&0xf00)>>8) + ((x & 0x80000000u)>>31) + ((int)(x&0xf0f000)>>12) + ((int)(x & 0xffff0000)>>16); }
int printf(const char*,...);
int main(void){ for(int i=-4;i<12;i++){ int q=0; const char*s=name(i); printf("%d %s %d %d %g %d", i, s?s:"-", val((unsigned char)i), ext(i), fl(i), two(i,&q)); printf(" %d %x\n", q, m(0x9abcdef0u+i*0x01234567u)); } return 0; }
