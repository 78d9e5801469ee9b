package t265

// A FormatError reports a stream that no conforming encoder writes.
type FormatError string

func (e FormatError) Error() string { return "t265: invalid format: " + string(e) }

// An UnsupportedError reports a valid stream outside the subset of this
// package. It names the syntax element and its value.
type UnsupportedError string

func (e UnsupportedError) Error() string { return "t265: unsupported: " + string(e) }
