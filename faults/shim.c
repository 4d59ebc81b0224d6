// Stands between a process and its disk (LD_PRELOAD): calls on database files fail, are recorded, or are the last. Linux only.
// FAULTS_FOLDER names a folder. While a file of this name is in it,
//   no-space   whatever would make a file longer fails with ENOSPC,
//   no-write   half of each write is done, then it fails with EIO,
//   no-sync    each sync fails with EIO,
//   no-database-sync    each of the database itself does, not of its log;
//   record     each call is appended to it, as struct call and its bytes, if it is there when the process starts.
// FAULTS_KILL_AT=N: the process is killed in the place of its N-th call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct __attribute__((packed)) call {
	char kind; // 'w'rite, 't'runcate, 's'ync, 'x': a sync that failed
	char file; // 'd'atabase, 'w'rite-ahead log, 'j'ournal, 'f'older
	uint32_t size;
	uint64_t offset;
};

static const char *folder;
static int record = -1;
static long last = -1;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
	char path[4096];
	folder = getenv("FAULTS_FOLDER");
	if (folder == NULL) return;
	const char *at = getenv("FAULTS_KILL_AT");
	if (at != NULL) last = atol(at);
	snprintf(path, sizeof path, "%s/record", folder);
	record = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int ends(const char *text, const char *end) {
	size_t length = strlen(text), wanted = strlen(end);
	return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// Which file of a database this is; 's' is the index of the log, which is not kept; 0 is any other file.
static char name(int fd) {
	char link[64], path[4096];
	struct stat status;
	if (folder == NULL || fstat(fd, &status) != 0) return 0;
	if (S_ISDIR(status.st_mode)) return 'f';
	if (!S_ISREG(status.st_mode)) return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0) return 0;
	path[length] = 0;
	if (ends(path, ".db")) return 'd';
	if (ends(path, ".db-wal")) return 'w';
	if (ends(path, ".db-journal")) return 'j';
	if (ends(path, ".db-shm")) return 's';
	return 0;
}

static int is_on(const char *fault) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, fault);
	return access(path, F_OK) == 0;
}

static int fails(int error) {
	errno = error;
	return -1;
}

static int grows(int fd, off_t end) {
	struct stat status;
	return fstat(fd, &status) == 0 && end > status.st_size;
}

static void count(char file) {
	if (file != 's' && atomic_fetch_add(&calls, 1) + 1 == last)
		kill(getpid(), SIGKILL);
}

// In one call, so that those of several threads do not mix.
static void note(char kind, char file, const void *data, size_t size, off_t offset) {
	if (record < 0 || file == 's') return;
	struct call call = {kind, file, size, offset};
	struct iovec parts[] = {{&call, sizeof call}, {(void *)data, data == NULL ? 0 : size}};
	if (writev(record, parts, 2) < 0) abort();
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) {
	static ssize_t (*real)(int, const void *, size_t, off_t);
	if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite64");
	char file = name(fd);
	if (file == 0) return real(fd, data, size, offset);
	count(file);
	if (is_on("no-space") && grows(fd, offset + size)) return fails(ENOSPC);
	int breaks = file != 's' && is_on("no-write");
	ssize_t written = real(fd, data, breaks ? size / 2 : size, offset);
	if (written > 0) note('w', file, data, written, offset);
	return breaks ? fails(EIO) : written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
	return pwrite64(fd, data, size, offset);
}

int ftruncate64(int fd, off_t size) {
	static int (*real)(int, off_t);
	if (real == NULL) real = dlsym(RTLD_NEXT, "ftruncate64");
	char file = name(fd);
	if (file == 0) return real(fd, size);
	count(file);
	if (is_on("no-space") && grows(fd, size)) return fails(ENOSPC);
	if (file != 's' && is_on("no-write")) return fails(EIO);
	int result = real(fd, size);
	if (result == 0) note('t', file, NULL, 0, size);
	return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int (*real)(int)) {
	char file = name(fd);
	if (file == 0) return real(fd);
	count(file);
	int breaks = is_on("no-sync") || (file == 'd' && is_on("no-database-sync"));
	int result = breaks ? fails(EIO) : real(fd);
	note(result == 0 ? 's' : 'x', file, NULL, 0, 0);
	return result;
}

int fsync(int fd) {
	static int (*real)(int);
	if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
	return synced(fd, real);
}

int fdatasync(int fd) {
	static int (*real)(int);
	if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
	return synced(fd, real);
}
