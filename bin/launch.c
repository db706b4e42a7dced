/*
 * Preserves what Node would lose: at start it resets ignored signals and the signal mask, replaces bytes that are not
 * UTF-8, and uses settings meant for the agent. So this runs before Node to note how the program was started, and again
 * before the agent to restore it. Wiretape also works without it, if it could not be compiled.
 *
 *   wiretape ARGS…            runs node on the wiretape.js beside it
 *   launch --node NODE SCRIPT ARGS…    the same with a given node, for shims
 *   launch --agent FD         reads from FD how to start the agent and becomes it; on failure, sends errno back
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

extern char **environ;

enum { LAST_SIGNAL = 64, LAST_FD = 1024, HELPERS = 4, OWN_FAILURE = 125 };

/* Node settings for the agent; the program restores them. The last one only costs time: Node reads certificates when it
   starts, which takes longer than most commands. */
static const char *const ASIDE[] = {"NODE_OPTIONS", "NODE_DEBUG", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE",
                                    "NODE_UNIQUE_ID", "NODE_V8_COVERAGE", "NODE_EXTRA_CA_CERTS"};

/* Node starts four threads that compile and collect garbage. On few cores they take turns with the program itself. */
static const char *node_options(void) {
  static char options[64];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores < 1 || cores > HELPERS) return "--no-warnings";
  snprintf(options, sizeof options, "--no-warnings --v8-pool-size=%ld", cores > 1 ? cores - 1 : 1);
  return options;
}

/* Whether something is sent to a collector, whose certificate must be known. */
static int sends(int argc, char **argv) {
  static const char option[] = "--endpoint";
  for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
    if (!strncmp(argv[i], option, sizeof option - 1)) return 1;
  return 0;
}

static void set_aside(int needs_certificates) {
  char name[64];
  const char *certificates = getenv("NODE_EXTRA_CA_CERTS");
  int is_last_kept = needs_certificates || !certificates || !*certificates;
  size_t count = sizeof ASIDE / sizeof *ASIDE - (is_last_kept ? 1 : 0);
  for (size_t i = 0; i < count; i++) {
    const char *value = getenv(ASIDE[i]);
    snprintf(name, sizeof name, "WT_%s", ASIDE[i]);
    /* Empty means that it was not set: the program then removes it. */
    setenv(name, value ? value : "", 1);
    unsetenv(ASIDE[i]);
  }
  setenv("NODE_OPTIONS", node_options(), 1);
}

/* How many files may be open: Node uses as many as it can get. */
static struct rlimit files;

/* WT_STARTED: ignored and blocked signals as bits, the soft limit of open files, then the descriptors above 2. */
static void note_start(void) {
  uint64_t ignored = 0, blocked = 0;
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  for (int n = 1; n <= LAST_SIGNAL; n++) {
    struct sigaction now;
    if (sigaction(n, NULL, &now) == 0 && now.sa_handler == SIG_IGN) ignored |= UINT64_C(1) << (n - 1);
    if (sigismember(&mask, n) == 1) blocked |= UINT64_C(1) << (n - 1);
  }
  static char note[80 + LAST_FD * 5];
  int length = snprintf(note, sizeof note, "%llx %llx %llx", (unsigned long long)ignored, (unsigned long long)blocked,
                        (unsigned long long)files.rlim_cur);
  for (int fd = 3; fd < LAST_FD; fd++) {
    int flags = fcntl(fd, F_GETFD);
    if (flags >= 0 && !(flags & FD_CLOEXEC)) length += snprintf(note + length, sizeof note - length, " %d", fd);
  }
  setenv("WT_STARTED", note, 1);
}

/* Commands that make much of a tape and then end: to look for garbage that early would only take them time. */
static const char *const SHORT_LIVED[] = {"export", "report"};

static char *heap_option(int argc, char **argv) {
  for (size_t i = 0; argc > 0 && i < sizeof SHORT_LIVED / sizeof *SHORT_LIVED; i++)
    if (!strcmp(argv[0], SHORT_LIVED[i])) return "--initial-old-space-size=256";
  return NULL;
}

/* Where Node could not even start, or not record: Node ends with a core dump, and the agent must run all the same. */
enum { FILES_TO_START = 24, FILES_TO_RECORD = 40, THREADS = 16 };
static const size_t ADDRESSES = (size_t)750 << 20;

static int can_open(int wanted) {
  int opened[FILES_TO_RECORD], count = 0;
  while (count < wanted && (opened[count] = fcntl(2, F_DUPFD, 3)) >= 0) count++;
  int is_stderr_closed = count == 0 && errno == EBADF;
  for (int i = 0; i < count; i++) close(opened[i]);
  return count == wanted || is_stderr_closed;
}

static void *wait_at_gate(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

static int can_start_threads(int wanted) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[THREADS];
  int count = 0;
  pthread_mutex_lock(&gate);
  while (count < wanted && pthread_create(&threads[count], NULL, wait_at_gate, &gate) == 0) count++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return count == wanted;
}

static int can_map(size_t wanted) {
  void *there = mmap(NULL, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (there != MAP_FAILED) munmap(there, wanted);
  return there != MAP_FAILED;
}

static int is_below(int resource, rlim_t most) {
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < most;
}

/* What there is too little of, with the limit that says so; NULL if there is enough. Usual limits cost no look. */
static const char *lacking(int is_recording) {
  if (files.rlim_max < LAST_FD) {
    struct rlimit most = {files.rlim_max, files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    int is_enough = can_open(is_recording ? FILES_TO_RECORD : FILES_TO_START);
    setrlimit(RLIMIT_NOFILE, &files);
    if (!is_enough) return "the limit of open files is too low (ulimit -n)";
  }
  if (is_below(RLIMIT_AS, (rlim_t)ADDRESSES * 2) && !can_map(ADDRESSES)) return "the memory limit is too low (ulimit -v)";
#ifdef RLIMIT_NPROC
  if (is_below(RLIMIT_NPROC, 4096) && !can_start_threads(THREADS)) return "the limit of processes is too low (ulimit -u)";
#endif
  return NULL;
}

/* The command of the agent in the words after `record`, as in unrecorded.ts; NULL if there is none. */
static char **agent_in(int argc, char **argv, int *is_strict) {
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") && argv[i][0] == '-'; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return NULL;
    if (!strcmp(argv[i], "--strict")) *is_strict = 1;
    else if (!strchr(argv[i], '=')) i++;
  }
  if (i < argc && !strcmp(argv[i], "--")) i++;
  return i < argc ? argv + i : NULL;
}

/* The agent as it would be without wiretape. */
static int run_unrecorded(char **agent, const char *why) {
  fprintf(stderr, "wiretape: %s; the agent runs unrecorded\n", why);
  execvp(agent[0], agent);
  int is_missing = errno == ENOENT;
  if (is_missing) fprintf(stderr, "wiretape: agent not found: %s\n", agent[0]);
  else fprintf(stderr, "wiretape: cannot execute %s (%s)\n", agent[0], strerror(errno));
  return is_missing ? 127 : 126;
}

static int refuse(int argc, char **argv, int is_recording, const char *why) {
  int is_strict = 0;
  char **agent = is_recording ? agent_in(argc, argv, &is_strict) : NULL;
  if (agent && !is_strict) return run_unrecorded(agent, why);
  fprintf(stderr, "wiretape: %s%s\n", why, agent ? "; the agent is not started" : "");
  return is_recording ? OWN_FAILURE : 2;
}

static int run_node(const char *node, char *script, int argc, char **argv) {
  int is_recording = argc > 0 && !strcmp(argv[0], "record");
  getrlimit(RLIMIT_NOFILE, &files);
  const char *why = lacking(is_recording);
  if (why) return refuse(argc, argv, is_recording, why);
  char **words = calloc(argc + 4, sizeof *words);
  if (!words) return OWN_FAILURE;
  int count = 0;
  words[count++] = (char *)node;
  int is_sending = sends(argc, argv);
  char *heap = is_sending ? NULL : heap_option(argc, argv);
  if (heap) words[count++] = heap;
  words[count++] = script;
  for (int i = 0; i < argc; i++) words[count++] = argv[i];
  note_start();
  set_aside(is_sending);
  execvp(node, words);
  fprintf(stderr, "wiretape: cannot run %s (%s)\n", node, strerror(errno));
  return errno == ENOENT ? 127 : 126;
}

static int script_beside(char *path, size_t size) {
  char self[PATH_MAX] = "";
#ifdef __APPLE__
  char found[PATH_MAX];
  uint32_t length = sizeof found;
  if (_NSGetExecutablePath(found, &length) != 0 || !realpath(found, self)) return 0;
#else
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0) return 0;
#endif
  char *slash = strrchr(self, '/');
  if (!slash) return 0;
  *slash = 0;
  return snprintf(path, size, "%s/wiretape.js", self) < (int)size;
}

static int read_all(int fd, void *into, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = read(fd, (char *)into + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    done += n;
  }
  return 1;
}

static char **take_list(char **at) {
  size_t count = strtoul(*at, NULL, 10);
  *at += strlen(*at) + 1;
  char **list = calloc(count + 1, sizeof *list);
  for (size_t i = 0; list && i < count; i++) {
    list[i] = *at;
    *at += strlen(*at) + 1;
  }
  return list;
}

/* The input: u32 length, then "IGNORED BLOCKED FILES", file, count, arguments, count, environment, each zero-terminated. */
static int become_agent(int fd) {
  uint32_t length;
  char *order;
  /* The sender is gone: there is nothing to run. */
  if (!read_all(fd, &length, sizeof length) || !(order = calloc((size_t)length + 1, 1))) return 127;
  if (!read_all(fd, order, length)) return 127;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  char *at = order;
  unsigned long long ignored = strtoull(at, &at, 16), blocked = strtoull(at, &at, 16);
  unsigned long long open_files = strtoull(at, &at, 16);
  at++;
  char *file = at;
  at += strlen(at) + 1;
  char **argv = take_list(&at);
  char **env = take_list(&at);
  if (!argv || !env) return 127;
  sigset_t mask;
  sigemptyset(&mask);
  for (int n = 1; n <= LAST_SIGNAL; n++) {
    if (ignored >> (n - 1) & 1) signal(n, SIG_IGN);
    if (blocked >> (n - 1) & 1) sigaddset(&mask, n);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (open_files > 0 && getrlimit(RLIMIT_NOFILE, &files) == 0 && open_files <= files.rlim_max) {
    files.rlim_cur = open_files;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  environ = env;
  execvp(file, argv);
  int32_t error = errno;
  if (write(fd, &error, sizeof error) < 0) return 126;
  return 127;
}

int main(int argc, char **argv) {
  static char script[PATH_MAX + 16];
  if (argc == 3 && !strcmp(argv[1], "--agent")) return become_agent(atoi(argv[2]));
  if (argc >= 4 && !strcmp(argv[1], "--node")) return run_node(argv[2], argv[3], argc - 4, argv + 4);
  if (!script_beside(script, sizeof script)) {
    fputs("wiretape: cannot find its own files\n", stderr);
    return OWN_FAILURE;
  }
  return run_node("node", script, argc - 1, argv + 1);
}
