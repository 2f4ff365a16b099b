// Prints, as JSON, what the embedded cluster has to know of the Go types of k8s.io/api: the fields of their protobuf
// messages with their names in JSON, the message of each stable kind, and the structs that a pod template is made of.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// The letters of fields that are no messages of their own; src/listen/protobuf-scalars.ts converts them.
var letters = map[reflect.Type]string{
	reflect.TypeFor[intstr.IntOrString]():  "I",
	reflect.TypeFor[metav1.Duration]():     "d",
	reflect.TypeFor[metav1.FieldsV1]():     "f",
	reflect.TypeFor[metav1.MicroTime]():    "m",
	reflect.TypeFor[resource.Quantity]():   "q",
	reflect.TypeFor[runtime.RawExtension](): "r",
	reflect.TypeFor[metav1.Time]():         "t",
	reflect.TypeFor[[]byte]():              "y",
}

// Rows of `number name? type` in the order of the struct; `?` where JSON leaves out the zero value, the name `.` where the
// members are the struct's own.
var messages = map[string]string{}

func typeOf(t reflect.Type) string {
	if letter, known := letters[t]; known {
		return letter
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Slice:
		return "[]" + typeOf(t.Elem())
	case reflect.Map:
		if t.Elem().Kind() == reflect.Slice && typeOf(t.Elem()) == "[]s" {
			return "{}x"
		}
		return "{}" + typeOf(t.Elem())
	case reflect.Bool:
		return "b"
	case reflect.String:
		return "s"
	case reflect.Struct:
		return message(t)
	default:
		return "i"
	}
}

// k8s.io/api/core/v1.Container is core/v1.Container, k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta is meta/v1.ObjectMeta.
func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(parts[len(parts)-2:], "/") + "." + t.Name()
}

func message(t reflect.Type) string {
	name := nameOf(t)
	if _, known := messages[name]; known {
		return name
	}
	messages[name] = ""
	rows := []string{}
	for i := range t.NumField() {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(tag) < 2 {
			continue
		}
		json := strings.Split(field.Tag.Get("json"), ",")
		member := json[0]
		if member == "" {
			member = "."
		} else if field.Type.Kind() != reflect.Pointer && len(json) > 1 && strings.HasPrefix(json[1], "omit") {
			member += "?"
		}
		rows = append(rows, tag[1]+" "+member+" "+typeOf(field.Type))
	}
	messages[name] = strings.Join(rows, "; ")
	return name
}

var stable = regexp.MustCompile(`^v\d+$`)
var leftOut = regexp.MustCompile(`(List|Options|Result|Allocation|SerializedReference)$`)

// The message of each stable kind of the API that clients send, lists apart.
func kinds() map[string]string {
	found := map[string]string{}
	for kind, t := range scheme.Scheme.AllKnownTypes() {
		if !stable.MatchString(kind.Version) || !strings.Contains(t.PkgPath(), "k8s.io/api/") && kind.Kind != "DeleteOptions" {
			continue
		}
		if leftOut.MatchString(kind.Kind) && kind.Kind != "DeleteOptions" {
			continue
		}
		found[kind.GroupVersion().String()+" "+kind.Kind] = message(t)
	}
	return found
}

// Of each struct of a pod template its members: the name in Go, the name in JSON (none: its members are the struct's own), the type.
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
	visit(reflect.TypeFor[corev1.PodTemplateSpec]())
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"kinds": kinds(), "messages": messages, "template": map[string]any{"named": named, "structs": structs},
	})
}
