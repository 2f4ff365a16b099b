// Prints, as JSON, the columns of the tables that a kube-apiserver answers, by kind.
package main

import (
	"encoding/json"
	"os"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/printers/internalversion"
)

type columns map[string][]metav1.TableColumnDefinition

// TableHandler is called once a kind and once for its list.
func (c columns) TableHandler(definitions []metav1.TableColumnDefinition, print any) error {
	c[reflect.TypeOf(print).In(0).Elem().Name()] = definitions
	return nil
}

func main() {
	found := columns{}
	internalversion.AddHandlers(found)
	json.NewEncoder(os.Stdout).Encode(found)
}
