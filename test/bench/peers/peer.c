/*
 * Cheap and steady agents and clients for the benchmarks, compiled at run time: what stands between them is measured.
 * peer.mjs is the same program for machines without a C compiler; their arguments and their answers are the same.
 *
 *   agents    echo | flood FRAMES BLOCK | line BYTES | first
 *   between   pass -- AGENT...                 a pass-through that records nothing
 *             pin CPU -- COMMAND...            becomes the command, on that processor alone (Linux)
 *   clients   trips WARM COUNT -- COMMAND...   round trips: {"p50":s,"p99":s,...}
 *             soak COUNT SECONDS -- COMMAND... round trips for long, with memory of the command: {"rss":[kB...],...}
 *             drain -- COMMAND...              reads to the end: {"first":s,"eof":s,"exit":s,"bytes":n,...}
 *   Clients also tell "spawned", "status", "peak" (kB) and "cpu" (seconds used by them and all that they started). Times are seconds of the monotonic clock that Node has too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINE 190
#define BUFFER (1 << 20)

static char buffer[BUFFER];

static void fail(const char *what) {
  perror(what);
  exit(99);
}

static double now(void) {
#ifdef __APPLE__
  return clock_gettime_nsec_np(CLOCK_UPTIME_RAW) / 1e9;
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
#endif
}

static void put(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t n = write(fd, bytes, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write");
    bytes += n;
    length -= n;
  }
}

static ssize_t get(int fd) {
  ssize_t n;
  while ((n = read(fd, buffer, BUFFER)) < 0)
    if (errno != EINTR) fail("read");
  return n;
}

/* ---- agents ---- */

static void echo(void) {
  ssize_t n;
  while ((n = get(0)) > 0) put(1, buffer, n);
}

/* A Wire event of LINE bytes, with a number in it; every fourth has text beyond ASCII. */
static void frame(char *to, int number) {
  char head[128];
  int used = sprintf(head, "{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{\"type\":\"ContentPart\",\"payload\":{\"type\":\"text\",\"text\":\"%07d ", number);
  static const char tail[] = "\"}}}\n";
  static const char plain[] = "and then the \\\"quick\\\" brown fox\\njumps over the lazy dog, as it does in every test since typewriters";
  static const char wide[] = "\xe6\x95\x8f\xe6\x8d\xb7 and then the brown fox jumps over the lazy dog, as it does in every test since typewriters were";
  int room = LINE - used - (int)sizeof tail + 1;
  memcpy(to, head, used);
  memcpy(to + used, number % 4 == 3 ? wide : plain, room);
  memcpy(to + LINE - sizeof tail + 1, tail, sizeof tail - 1);
}

/* Frames in writes of so many lines each, as an agent that flushes rarely (or, with 1, after every line) would. */
static void flood(int frames, int block) {
  enum { MANY = 4096 };
  char *lines = malloc((size_t)MANY * LINE);
  for (int i = 0; i < MANY; i++) frame(lines + (size_t)i * LINE, i);
  for (int i = 0; i < frames;) {
    int at = i % MANY;
    int n = block;
    if (n > MANY - at) n = MANY - at;
    if (n > frames - i) n = frames - i;
    put(1, lines + (size_t)at * LINE, (size_t)n * LINE);
    i += n;
  }
}

static void longLine(size_t bytes) {
  char *line = malloc(bytes);
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"data\":\"", tail[] = "\"}}\n";
  unsigned state = 1;
  for (size_t i = 0; i < bytes; i++) {
    state = state * 1664525 + 1013904223;
    line[i] = 'a' + (state >> 24) % 26;
  }
  memcpy(line, head, sizeof head - 1);
  memcpy(line + bytes - sizeof tail + 1, tail, sizeof tail - 1);
  put(1, line, bytes);
}

static void first(void) {
  put(1, "x\n", 2);
  while (get(0) > 0) {}
}

/* ---- starting a command ---- */

static int toChild, fromChild;
static pid_t child;
static double spawned;

static void start(char **command) {
  int in[2], out[2];
  if (pipe(in) || pipe(out)) fail("pipe");
  spawned = now();
  child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  toChild = in[1], fromChild = out[0];
}

static double cpuTime(const struct rusage *usage) {
  return usage->ru_utime.tv_sec + usage->ru_stime.tv_sec + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Waits for the command's end and prints what every client tells; the caller has printed its own keys before. */
static void finish(void) {
  struct rusage usage, own;
  int status;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) fail("wait4");
  double exited = now();
  getrusage(RUSAGE_SELF, &own);
  long peak = usage.ru_maxrss;
#ifdef __APPLE__
  peak /= 1024;
#endif
  printf("\"spawned\":%.9f,\"exit\":%.9f,\"status\":%d,\"peak\":%ld,\"cpu\":%.6f}\n", spawned, exited,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), peak, cpuTime(&usage) + cpuTime(&own));
}

static void drainAndFinish(void) {
  close(toChild);
  while (get(fromChild) > 0) {}
  finish();
}

/* ---- between ---- */

static void pass(char **command) {
  start(command);
  struct pollfd both[2] = {{0, POLLIN, 0}, {fromChild, POLLIN, 0}};
  while (both[1].fd >= 0) {
    if (poll(both, 2, -1) < 0 && errno != EINTR) fail("poll");
    for (int i = 0; i < 2; i++) {
      if (both[i].fd < 0 || !both[i].revents) continue;
      ssize_t n = get(both[i].fd);
      if (n > 0) {
        put(i == 0 ? toChild : 1, buffer, n);
        continue;
      }
      both[i].fd = -1;
      if (i == 0) close(toChild);
    }
  }
  int status;
  waitpid(child, &status, 0);
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void pin(int cpu, char **command) {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
#else
  (void)cpu;
#endif
  execvp(command[0], command);
  fail(command[0]);
}

/* ---- clients ---- */

static char request[256];
static int requestLength;

static double roundTrip(int number) {
  requestLength = sprintf(request,
    "{\"jsonrpc\":\"2.0\",\"method\":\"prompt\",\"id\":\"%08d\",\"params\":{\"user_input\":\"please tell me what the quick "
    "brown fox did to the lazy dog on the morning of the fifth of November, and why it did so\"}}\n", number);
  double sent = now();
  put(toChild, request, requestLength);
  int have = 0;
  while (have < requestLength) {
    ssize_t n = read(fromChild, buffer + have, BUFFER - have);
    if (n <= 0) fail("the echo ended");
    have += n;
  }
  double took = now() - sent;
  if (have != requestLength || memcmp(buffer, request, have)) fail("the echo differs");
  return took;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void trips(int warm, int count, char **command) {
  double *took = malloc(count * sizeof *took), sum = 0;
  start(command);
  for (int i = 0; i < warm; i++) roundTrip(i);
  for (int i = 0; i < count; i++) sum += took[i] = roundTrip(warm + i);
  qsort(took, count, sizeof *took, ascending);
  printf("{\"p50\":%.9f,\"p99\":%.9f,\"max\":%.9f,\"mean\":%.9f,", took[count / 2], took[(int)(count * 0.99)],
         took[count - 1], sum / count);
  drainAndFinish();
}

static long residentKb(void) {
  char path[64];
  long total = 0, resident = 0;
  sprintf(path, "/proc/%d/statm", (int)child);
  FILE *file = fopen(path, "r");
  if (!file) return -1;
  if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = -1;
  fclose(file);
  return resident < 0 ? -1 : resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void soak(int count, double seconds, char **command) {
  start(command);
  double until = now() + seconds;
  int done = 0, every = count / 200 + 1;
  printf("{\"rss\":[");
  for (; done < count && now() < until; done++) {
    roundTrip(done);
    if (done % every == 0) printf("%s%ld", done ? "," : "", residentKb());
  }
  printf("],\"trips\":%d,", done);
  drainAndFinish();
}

static void drain(char **command) {
  start(command);
  close(toChild);
  double began = 0;
  long long bytes = 0;
  ssize_t n;
  while ((n = get(fromChild)) > 0) {
    if (bytes == 0) began = now();
    bytes += n;
  }
  printf("{\"first\":%.9f,\"eof\":%.9f,\"bytes\":%lld,", began, now(), bytes);
  finish();
}

int main(int argc, char **argv) {
  char **command = argv;
  while (*command && strcmp(*command, "--")) command++;
  if (*command) command++;
  const char *mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "echo")) echo();
  else if (!strcmp(mode, "flood")) flood(atoi(argv[2]), atoi(argv[3]));
  else if (!strcmp(mode, "line")) longLine(atol(argv[2]));
  else if (!strcmp(mode, "first")) first();
  else if (!strcmp(mode, "pass")) pass(command);
  else if (!strcmp(mode, "pin")) pin(atoi(argv[2]), command);
  else if (!strcmp(mode, "trips")) trips(atoi(argv[2]), atoi(argv[3]), command);
  else if (!strcmp(mode, "soak")) soak(atoi(argv[2]), atof(argv[3]), command);
  else if (!strcmp(mode, "drain")) drain(command);
  else fail("unknown mode");
  return 0;
}
