package layouts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Comments reads what the comments of struct fields say in the Go packages of some folders: by the key of the field's yaml or
// json tag, and by "Type.key". A key that fields of several types explain differently is there by type alone.
func Comments(folders ...string) (map[string]string, error) {
	out := map[string]string{}
	twice := map[string]bool{}
	set := token.NewFileSet()
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, &fs.PathError{Op: "open", Path: folder, Err: fs.ErrNotExist}
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if st, ok := spec.Type.(*ast.StructType); ok {
					fieldComments(spec.Name.Name, st, func(typ, key, text string) {
						out[typ+"."+key] = text
						if old, ok := out[key]; ok && old != text || twice[key] {
							delete(out, key)
							twice[key] = true
							return
						}
						out[key] = text
					})
				}
				return true
			})
		}
	}
	return out, nil
}

// goWords are words of Go that readers of files know by another name.
var goWords = regexp.MustCompile(`\bnil\b`)

func fieldComments(typ string, st *ast.StructType, each func(typ, key, text string)) {
	for _, f := range st.Fields.List {
		if f.Tag == nil {
			continue
		}
		raw, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		for _, name := range []string{"yaml", "json"} {
			key, _, _ := strings.Cut(reflect.StructTag(raw).Get(name), ",")
			text := strings.Join(strings.Fields(f.Comment.Text()+" "+f.Doc.Text()), " ")
			if f.Comment.Text() != "" {
				text = strings.Join(strings.Fields(f.Comment.Text()), " ")
			}
			if key != "" && key != "-" && text != "" {
				each(typ, key, goWords.ReplaceAllString(text, "null"))
			}
		}
	}
}

// A Field is a key that a YAML file may have.
type Field struct {
	Key     string // "model.layers" of a nested value
	Type    string
	Zero    string // what a file that leaves it out has
	Meaning string // the comment of the Go field; "" without one
}

// Fields lists the keys of a struct that YAML is decoded into. Structs below it that have fields of their own kind of file are
// not opened: their type says which.
func Fields(t reflect.Type, comments map[string]string) (list []Field) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() || tag == "-":
			continue
		case strings.Contains(opts, "inline"):
			list = append(list, Fields(f.Type, comments)...)
			continue
		case tag == "":
			tag = strings.ToLower(f.Name)
		}
		x := Field{Key: tag, Meaning: comments[t.Name()+"."+tag]}
		x.Type, x.Zero = typeOf(f.Type)
		list = append(list, x)
	}
	return list
}

// typeOf is a Go type in the words of the pages, and its zero value.
func typeOf(t reflect.Type) (name, zero string) {
	if t.Kind() == reflect.Pointer {
		name, _ = typeOf(t.Elem())
		return name + " or null", "null"
	}
	if _, ok := reflect.PointerTo(t).MethodByName("UnmarshalText"); ok {
		return "name", ""
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "integer", "0"
	case reflect.Float64:
		return "number", "0"
	case reflect.Bool:
		return "true or false", "false"
	case reflect.String:
		return "text", ""
	case reflect.Slice:
		name, _ = typeOf(t.Elem())
		return "list of " + name, "empty"
	case reflect.Struct:
		return "the fields of a " + map[string]string{"Model": "model", "GPU": "GPU"}[t.Name()], "none"
	}
	return t.String(), ""
}
