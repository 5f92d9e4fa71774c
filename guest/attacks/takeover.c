/* Takes over a kernel's porter, from inside the kernel: only tests build and load this.
 *
 * Kernel and porter share memory, so whoever runs code in the kernel can write the porter's. Every place where a system
 * call of the porter comes back to is made to lead here; the next time it wakes, it serves system calls that the code
 * in the kernel chooses. What it forks serves too, from a seat of its own: the seats are memory that copies share. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SEATS = 64, STACK = 64 * 1024, SHARED = 4 << 20, FORK = -1, PAUSE_NS = 200000 };
enum state { EMPTY, TAKEN, ASKED, ANSWERED };

struct seat {
    volatile int state;
    volatile int first; /* the first seat of what this one forks */
    volatile long call, arguments[6], result;
};

static struct seat *seats;

static long raw(long number, const volatile long *a) {
    long result;
    register long r10 __asm__("r10") = a[3];
    register long r8 __asm__("r8") = a[4];
    register long r9 __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long call(long number, long a, long b, long c, long d) {
    long arguments[6] = {a, b, c, d, 0, 0};
    return raw(number, arguments);
}

static void rest(void) {
    struct timespec moment = {0, PAUSE_NS};
    call(SYS_nanosleep, (long)&moment, 0, 0, 0);
}

/* In the porter, and in whatever it forks. Never returns. */
void __attribute__((visibility("hidden"), used)) serve_here(void) {
    struct seat *seat = &seats[0];
    seat->state = TAKEN;
    for (;; rest()) {
        if (seat->state != ASKED) continue;
        if (seat->call == FORK) {
            struct seat *next = &seats[seat->first];
            long child = call(SYS_clone, SIGCHLD, 0, 0, 0);
            if (child == 0) {
                seat = next;
                seat->result = call(SYS_getpid, 0, 0, 0, 0);
                seat->state = TAKEN;
                continue;
            }
            seat->result = child;
        } else seat->result = raw(seat->call, seat->arguments);
        seat->state = ANSWERED;
    }
}

static void *memory(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int find_text(uintptr_t *from, uintptr_t *to) {
    char line[512], flags[8];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "husk-porter") != NULL && sscanf(line, "%lx-%lx %7s", from, to, flags) == 3 && strchr(flags, 'x')) {
            fclose(maps);
            return 1;
        }
    return 0;
}

/* Whether the system call here is this one: its number is loaded shortly before. */
static int is_call(const unsigned char *at, const unsigned char *begin, int number) {
    if (at[0] != 0x0f || at[1] != 0x05) return 0;
    for (int back = 5; number >= 0 && back < 64 && at - back >= begin; back++) {
        int32_t loaded;
        if (at[-back] != 0xb8) continue;
        memcpy(&loaded, at - back + 1, 4);
        if (loaded >= 0 && loaded < 600) return loaded == number;
    }
    return number < 0;
}

/* Changes every place of the porter's code where it makes this call, or any call if that is negative. */
static int change(int number, void (*patch)(unsigned char *at, unsigned char *spot)) {
    uintptr_t from, to;
    if (!find_text(&from, &to) || mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
    unsigned char *begin = (unsigned char *)from, *spot = (unsigned char *)to - 16;
    int places = 0;
    for (unsigned char *at = begin; at < spot - 8; at++) {
        if (!is_call(at, begin, number)) continue;
        patch(at, spot);
        places++;
    }
    return places;
}

static void jump_to_serve(void);

/* Where a call comes back to: a jump to a spot at the end of the code, from where any distance can be jumped. */
static void redirect(unsigned char *at, unsigned char *spot) {
    uintptr_t address = (uintptr_t)jump_to_serve;
    int32_t distance = (int32_t)(spot - (at + 2 + 5));
    memcpy(spot, "\x48\xb8", 2); /* mov rax, address; jmp rax */
    memcpy(spot + 2, &address, 8);
    memcpy(spot + 10, "\xff\xe0", 2);
    at[2] = 0xe9;
    memcpy(at + 3, &distance, 4);
}

static void leave_out(unsigned char *at, unsigned char *spot) {
    (void)spot;
    memcpy(at, "\x31\xc0", 2); /* xor eax, eax: it pretends to have been made */
}

/* The porter's own stack may be anywhere. */
char *stack_top __attribute__((visibility("hidden")));
static void __attribute__((naked)) jump_to_serve(void) {
    __asm__ volatile("mov stack_top(%rip), %rsp\n\tcall serve_here\n\tud2");
}

/* Where arguments must be for those that have a copy of the memory. */
void *shared_memory(void) {
    static void *made;
    if (made == NULL) made = memory(SHARED);
    return made;
}

static void prepare(void) {
    if (seats != NULL) return;
    seats = memory(SEATS * sizeof *seats);
    shared_memory();
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_top = stack + STACK - 64;
}

/* In every copy of this process from now on: whoever makes this call serves at the first seat when it comes back. The
 * number of places where it is made. */
int take_over_copies_after(int number) {
    prepare();
    return change(number, redirect);
}

/* In every copy, this call is left out, and believed to have succeeded. */
int leave_out_in_copies(int number) { return change(number, leave_out); }

/* Whether somebody has come to the first seat. */
int somebody_serves(void) { return seats[0].state != EMPTY; }

/* 1 when the porter serves; 0 when it could not be taken over. */
int take_over(void) {
    prepare();
    if (change(-1, redirect) == 0) return 0;
    /* A porter hears of it when its kernel stops. */
    pid_t waker = fork();
    if (waker == 0) {
        usleep(200000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    kill(getpid(), SIGSTOP);
    for (int i = 0; i < 5000 && seats[0].state == EMPTY; i++) usleep(1000);
    return seats[0].state != EMPTY;
}

/* A system call made at a seat; -EIO (not a number that any of them gives here) when nobody answers any more. */
long seat_call(int number, long which, long a, long b, long c, long d, long e, long f) {
    struct seat *seat = &seats[number];
    long arguments[6] = {a, b, c, d, e, f};
    for (int i = 0; i < 6; i++) seat->arguments[i] = arguments[i];
    seat->call = which;
    seat->state = ASKED;
    for (int i = 0; i < 20000 && seat->state != ANSWERED; i++) usleep(500);
    return seat->state == ANSWERED ? seat->result : -5;
}

/* Another process at another seat, forked from this one: its number, as it sees it itself, or an error. */
long seat_fork(int number, int other) {
    seats[other].state = EMPTY;
    seats[number].first = other;
    long child = seat_call(number, FORK, 0, 0, 0, 0, 0, 0);
    if (child < 0) return child;
    for (int i = 0; i < 5000 && seats[other].state == EMPTY; i++) usleep(1000);
    return seats[other].state == EMPTY ? -5 : seats[other].result;
}
