// A shim between a process and its disk, loaded with LD_PRELOAD. Calls on database files can fail or be recorded. Linux
// only.
// FAULTS_FOLDER names a folder. As long as a file with one of these names is in it:
//   no-space            a call that would make a file longer fails with ENOSPC
//   no-write            each write stores half of its data and fails with EIO, and each truncation fails with EIO
//   no-sync             each sync fails with EIO
//   no-database-sync    each sync of the database file fails with EIO, but not those of its WAL
//   record              each call is appended to this file, as a struct call and its data. The file must exist when the
//                       process starts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct __attribute__((packed)) call {
	char kind; // 'w'rite, 't'runcate, 's'ync, 'x' for a failed sync
	char file; // 'd'atabase, 'w'rite-ahead log, 'j'ournal, 'f'older
	uint32_t size;
	uint64_t offset;
};

static const char *folder;
static int record = -1;

__attribute__((constructor)) static void initialize(void) {
	char path[4096];
	folder = getenv("FAULTS_FOLDER");
	if (folder == NULL) return;
	snprintf(path, sizeof path, "%s/record", folder);
	record = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int ends_with(const char *text, const char *end) {
	size_t length = strlen(text), wanted = strlen(end);
	return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// As `file` of struct call. The calls of 's', the WAL index (-shm), and 'b', a backup, are not recorded. 0 is another file.
static char file_of(int fd) {
	char link[64], path[4096];
	struct stat status;
	if (folder == NULL || fstat(fd, &status) != 0) return 0;
	if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof path - 1);
	if (length < 0) return 0;
	path[length] = 0;
	if (strstr(path, "/backups") != NULL) return 'b';
	if (S_ISDIR(status.st_mode)) return 'f';
	if (ends_with(path, ".db")) return 'd';
	if (ends_with(path, ".db-wal")) return 'w';
	if (ends_with(path, ".db-journal")) return 'j';
	if (ends_with(path, ".db-shm")) return 's';
	return 0;
}

static int is_on(const char *fault) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, fault);
	return access(path, F_OK) == 0;
}

static int fail_with(int error) {
	errno = error;
	return -1;
}

static int grows(int fd, off_t end) {
	struct stat status;
	return fstat(fd, &status) == 0 && end > status.st_size;
}

// With a single writev, so that the entries of several threads do not mix.
static void record_call(char kind, char file, const void *data, size_t size, off_t offset) {
	if (record < 0 || file == 's' || file == 'b') return;
	struct call call = {kind, file, size, offset};
	struct iovec parts[] = {{&call, sizeof call}, {(void *)data, data == NULL ? 0 : size}};
	if (writev(record, parts, 2) < 0) abort();
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) {
	static ssize_t (*real)(int, const void *, size_t, off_t);
	if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite64");
	char file = file_of(fd);
	if (file == 0) return real(fd, data, size, offset);
	if (is_on("no-space") && grows(fd, offset + size)) return fail_with(ENOSPC);
	int must_fail = file != 's' && is_on("no-write");
	ssize_t written = real(fd, data, must_fail ? size / 2 : size, offset);
	if (written > 0) record_call('w', file, data, written, offset);
	return must_fail ? fail_with(EIO) : written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
	return pwrite64(fd, data, size, offset);
}

int ftruncate64(int fd, off_t size) {
	static int (*real)(int, off_t);
	if (real == NULL) real = dlsym(RTLD_NEXT, "ftruncate64");
	char file = file_of(fd);
	if (file == 0) return real(fd, size);
	if (is_on("no-space") && grows(fd, size)) return fail_with(ENOSPC);
	if (file != 's' && is_on("no-write")) return fail_with(EIO);
	int result = real(fd, size);
	if (result == 0) record_call('t', file, NULL, 0, size);
	return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

// As on Linux, a failed sync fails once on each descriptor of the file: a connection must not take a sync of its own, after that of another
// one failed, for a sign that its writes are stored.
static int must_sync_fail(int fd, char file) {
	static _Atomic int failures[128];
	static int seen[4096];
	if (is_on("no-sync") || (file == 'd' && is_on("no-database-sync"))) failures[(int)file]++;
	if (fd >= 4096 || seen[fd] == failures[(int)file]) return 0;
	seen[fd] = failures[(int)file];
	return 1;
}

static int sync_file(int fd, int (*real)(int)) {
	char file = file_of(fd);
	if (file == 0) return real(fd);
	int must_fail = must_sync_fail(fd, file);
	int result = must_fail ? fail_with(EIO) : real(fd);
	record_call(result == 0 ? 's' : 'x', file, NULL, 0, 0);
	return result;
}

int fsync(int fd) {
	static int (*real)(int);
	if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
	return sync_file(fd, real);
}

int fdatasync(int fd) {
	static int (*real)(int);
	if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
	return sync_file(fd, real);
}
