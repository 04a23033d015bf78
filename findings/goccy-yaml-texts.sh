#!/bin/sh
# goccy/go-yaml 1.19.2: a tab inside of a plain text is lost when it is read, and the texts .nan and -.INF are written without
# quotes, so that they come back as numbers. go.yaml.in/yaml/v3 3.0.6 keeps all of them.
. "$(dirname "$0")/lib.sh"
go_program go.yaml.in/yaml/v3@v3.0.6 github.com/goccy/go-yaml@v1.19.2 > out <<'PROGRAM'
package main

import (
	"fmt"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v3"
)

func main() {
	var plain, other any
	fmt.Println(goccy.Unmarshal([]byte("name: a\tb"), &plain), yaml.Unmarshal([]byte("name: a\tb"), &other))
	fmt.Printf("%q %q\n", plain, other)
	for _, text := range []string{".nan", "-.INF"} {
		var one, two any
		written, _ := goccy.Marshal(text)
		goccy.Unmarshal(written, &one)
		written, _ = yaml.Marshal(text)
		yaml.Unmarshal(written, &two)
		fmt.Printf("%v %T, %v %T\n", one, one, two, two)
	}
}
PROGRAM
seen 'a tab; texts, by goccy and by yaml/v3' '<nil> <nil>
map["name":"ab"] map["name":"a\tb"]
NaN float64, .nan string
-Inf float64, -.INF string' "$(cat out)"
