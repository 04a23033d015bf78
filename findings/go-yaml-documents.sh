#!/bin/sh
# A file of two YAML documents: Unmarshal of go.yaml.in/yaml/v3 3.0.6, goccy/go-yaml 1.19.2 and sigs.k8s.io/yaml 1.6.0 gives the
# first, and no error. yaml 2.9.1 refuses it. Of JSON with `\/`, as some tools write it, go.yaml.in says that it is no YAML.
. "$(dirname "$0")/lib.sh"
go_program go.yaml.in/yaml/v3@v3.0.6 github.com/goccy/go-yaml@v1.19.2 sigs.k8s.io/yaml@v1.6.0 > out <<'PROGRAM'
package main

import (
	"fmt"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

func main() {
	for _, text := range []string{"key: a\n---\nkey: b\n", `{"key": "a\/b"}`} {
		for _, read := range []func(any) error{
			func(to any) error { return yaml.Unmarshal([]byte(text), to) },
			func(to any) error { return goccy.Unmarshal([]byte(text), to) },
			func(to any) error { return sigs.Unmarshal([]byte(text), to) },
		} {
			flag := map[string]string{}
			err := read(&flag)
			fmt.Println(flag["key"], err != nil)
		}
	}
}
PROGRAM
npm_packages yaml@2.9.1
node -e "
const { parse } = require('yaml')
for (const text of ['key: a\n---\nkey: b\n', '{\"key\": \"a\\\\/b\"}']) {
  try { console.log(parse(text).key) } catch { console.log('refused') }
}" >> out
seen 'the key, is there an error: yaml/v3, goccy, sigs; two documents, JSON; yaml' 'a false
a false
a false
 true
a/b false
 true
refused
a/b' "$(cat out)"
