// go run record-template-types.go > packages/embedded-cluster/src/workloads/template-types.json, in a module that requires
// k8s.io/api v0.34.4: the Go types that a pod template is made of, as its hash prints them.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	v1 "k8s.io/api/core/v1"
)

// Of each struct its members: the name in Go, the name in JSON (none: its members are the struct's own), and the type.
var structs = map[string][][3]string{}

// What a named type is that is no struct.
var named = map[string]string{}

func visit(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if t.Name() != "" {
			named[t.String()] = reflect.MapOf(t.Key(), t.Elem()).String()
		}
		visit(t.Elem())
	case reflect.Struct:
		visitStruct(t)
	default:
		if t.String() != t.Kind().String() {
			named[t.String()] = t.Kind().String()
		}
	}
}

func visitStruct(t reflect.Type) {
	name := t.String()
	if _, known := structs[name]; known || name == "v1.Time" || name == "resource.Quantity" || name == "intstr.IntOrString" {
		return
	}
	structs[name] = [][3]string{}
	for i := range t.NumField() {
		field := t.Field(i)
		structs[name] = append(structs[name], [3]string{field.Name, strings.Split(field.Tag.Get("json"), ",")[0], field.Type.String()})
		// The API server sets them; a template has none.
		if field.Name != "ManagedFields" && field.Name != "OwnerReferences" {
			visit(field.Type)
		}
	}
}

func main() {
	visit(reflect.TypeOf(v1.PodTemplateSpec{}))
	json.NewEncoder(os.Stdout).Encode(map[string]any{"structs": structs, "named": named})
}
