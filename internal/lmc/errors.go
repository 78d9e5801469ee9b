package lmc

import "fmt"

// FormatError reports that a file is not a valid snapshot, or is damaged. It is wrapped with the file and the position.
type FormatError string

func (e FormatError) Error() string { return "invalid " + string(e) }

// UnsupportedError reports a snapshot that is valid but outside what this package handles.
type UnsupportedError string

func (e UnsupportedError) Error() string { return "unsupported " + string(e) }

// ChainError reports that the base of a snapshot cannot be had.
type ChainError struct {
	File   string // the snapshot
	Base   string // its base, as it names it
	Want   Hash   // content of the base
	Reason string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("%s: base %q with content %s: %s", e.File, e.Base, e.Want, e.Reason)
}
