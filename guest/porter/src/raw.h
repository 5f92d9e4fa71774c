/* System calls without the C library, whose `errno` belongs to the kernel's main thread. */
#ifndef HUSK_RAW_H
#define HUSK_RAW_H

#include <sys/syscall.h>

static inline long raw6(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
#error "porters know x86_64 and aarch64"
#endif
}

#define RAW(number, a, b, c, d, e) raw6(SYS_##number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

/* A new process that runs `run`, which does not return, on the stack that ends at `top`; its number is left at `number`
 * if the flags say so. Not clone3, whose flags a filter cannot see. */
static inline long raw_clone(unsigned long flags, void *top, int *number, void (*run)(void)) {
    long result;
#if defined(__x86_64__)
    register long r10 __asm__("r10") = (long)number;
    register long r8 __asm__("r8") = 0;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "call *%7\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone), "D"(flags), "S"(top), "d"(0L), "r"(r10), "r"(r8), "r"(run)
                     : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = (long)flags;
    register long x1 __asm__("x1") = (long)top;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = (long)number;
    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "blr %6\n\t"
                     "brk #0\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(run)
                     : "memory");
    result = x0;
#endif
    return result;
}

/* Goes on in `run` on another stack, for good. */
static inline void __attribute__((noreturn)) raw_leave_stack(void *top, void (*run)(void)) {
#if defined(__x86_64__)
    __asm__ volatile("mov %0, %%rsp\n\tcall *%1\n\tud2" : : "r"(top), "r"(run) : "memory");
#else
    __asm__ volatile("mov sp, %0\n\tblr %1\n\tbrk #0" : : "r"(top), "r"(run) : "memory");
#endif
    __builtin_unreachable();
}

#endif
