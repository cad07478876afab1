package worker

import (
	"bytes"
	"os"
	"strconv"
)

// exiting tells whether a process has begun to end. Its sockets stay open until the kernel has taken its memory back, which
// takes seconds for tens of GiB. Where there is no /proc, nobody knows before.
func exiting(pid int) bool {
	const (
		flagExiting = 4 // the kernel's PF_EXITING
		state       = 0
		flags       = 6
	)
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	// The name in brackets may have brackets and spaces in it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= flags {
		return false
	}
	number, err := strconv.ParseUint(string(fields[flags]), 10, 32)
	return string(fields[state]) == "Z" || err == nil && number&flagExiting != 0
}
