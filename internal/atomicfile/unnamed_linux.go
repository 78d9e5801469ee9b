package atomicfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// Constants of open(2) and linkat(2) that package syscall lacks.
const (
	oTmpfile        = 0x400000 | syscall.O_DIRECTORY
	atFdcwd         = -100
	atSymlinkFollow = 0x400
)

// openUnnamed opens a file without a name, which vanishes with the process however that ends. To publish, it is linked
// under a temporary name that at once replaces path. Where the file system has no unnamed files, openTemp serves.
func openUnnamed(dir, base string) (f *os.File, publish func(string) error, discard func(), err error) {
	if _, err := os.Stat("/proc/self/fd"); err != nil { // linkat needs it
		return openTemp(dir, base)
	}
	fd, err := syscall.Open(dir, oTmpfile|syscall.O_RDWR|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return openTemp(dir, base)
	}
	f = os.NewFile(uintptr(fd), filepath.Join(dir, base))
	publish = func(path string) error {
		if st, err := os.Stat(path); err == nil {
			if err := f.Chmod(st.Mode().Perm()); err != nil {
				return err
			}
		}
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		if err := link(fmt.Sprintf("/proc/self/fd/%d", fd), temp); err != nil {
			return &os.LinkError{Op: "link", Old: f.Name(), New: temp, Err: err}
		}
		if err := os.Rename(temp, path); err != nil {
			os.Remove(temp)
			return err
		}
		return nil
	}
	return f, publish, func() {}, nil
}

func link(from, to string) error {
	a, err := syscall.BytePtrFromString(from)
	if err != nil {
		return err
	}
	b, err := syscall.BytePtrFromString(to)
	if err != nil {
		return err
	}
	cwd := atFdcwd
	_, _, errno := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(cwd), uintptr(unsafe.Pointer(a)), uintptr(cwd), uintptr(unsafe.Pointer(b)), atSymlinkFollow, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
