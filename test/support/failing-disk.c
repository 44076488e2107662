// Preloaded into Postgres: a disk that fails as the file named by FAILING_DISK says, and works while there is none. Its first letter:
//   f  nothing is flushed any more (EIO); what was written is there
//   l  what is written from now on is lost, and nothing is flushed (EIO): the cache of a disk that went
//   t  of each page that is written only the first half is, and nothing is flushed (EIO): the power failed in the middle of it
//   w  nothing can be written (EIO)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 8192 };

static char fault(void) {
  static const char *path;
  int saved = errno;
  char mode = 0;
  if (!path) path = getenv("FAILING_DISK");
  if (path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
      if (read(fd, &mode, 1) != 1) mode = 0;
      close(fd);
    }
  }
  errno = saved;
  return mode;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int failed(void) {
  errno = EIO;
  return -1;
}

static int flush(const char *name, int fd) {
  char mode = fault();
  if (mode && mode != 'w') return failed();
  return ((int (*)(int))next(name))(fd);
}

int fsync(int fd) { return flush("fsync", fd); }
int fdatasync(int fd) { return flush("fdatasync", fd); }

static ssize_t write_at(const char *name, int fd, const void *bytes, size_t count, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) = next(name);
  char mode = fault();
  if (mode == 'w') return failed();
  if (mode == 'l') return count;
  if (mode != 't' || count % PAGE) return real(fd, bytes, count, offset);
  for (size_t page = 0; page < count; page += PAGE)
    if (real(fd, (const char *)bytes + page, PAGE / 2, offset + page) < 0) return -1;
  return count;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return write_at("pwrite", fd, bytes, count, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) { return write_at("pwrite64", fd, bytes, count, offset); }

static ssize_t write_parts(const char *name, int fd, const struct iovec *parts, int n, off_t offset) {
  char mode = fault();
  if (!mode || mode == 'f') return ((ssize_t (*)(int, const struct iovec *, int, off_t))next(name))(fd, parts, n, offset);
  ssize_t written = 0;
  for (int i = 0; i < n; i++) {
    if (write_at("pwrite", fd, parts[i].iov_base, parts[i].iov_len, offset + written) < 0) return -1;
    written += parts[i].iov_len;
  }
  return written;
}

ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t offset) { return write_parts("pwritev", fd, parts, n, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int n, off_t offset) { return write_parts("pwritev64", fd, parts, n, offset); }
