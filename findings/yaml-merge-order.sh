#!/bin/sh
# A merge in YAML: goccy/go-yaml 1.19.2 lets a `<<` behind a key overwrite it, and of a list of maps the last wins;
# sigs.k8s.io/yaml 1.6.0 does the first only. In go.yaml.in/yaml/v3 3.0.6 and js-yaml 4.1.0 own keys win everywhere, and the first
# map.
. "$(dirname "$0")/lib.sh"
cat > flags.yaml <<'FLAGS'
base: &base { share: 10 }
other: &other { share: 20 }
own: { share: 50, <<: *base }
list: { <<: [*base, *other] }
FLAGS
go_program go.yaml.in/yaml/v3@v3.0.6 github.com/goccy/go-yaml@v1.19.2 sigs.k8s.io/yaml@v1.6.0 > out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

func main() {
	text, _ := os.ReadFile("flags.yaml")
	for _, read := range []func(any) error{
		func(to any) error { return yaml.Unmarshal(text, to) },
		func(to any) error { return goccy.Unmarshal(text, to) },
		func(to any) error { return sigs.Unmarshal(text, to) },
	} {
		flags := map[string]any{}
		err := read(&flags)
		fmt.Println(flags["own"], flags["list"], err)
	}
}
PROGRAM
npm_packages js-yaml@4.1.0
node -e "
const { list, own } = require('js-yaml').load(require('fs').readFileSync('flags.yaml', 'utf8'))
console.log(own.share, list.share)" >> out
seen 'own, list: yaml/v3, goccy, sigs, js-yaml' 'map[share:50] map[share:10] <nil>
map[share:10] map[share:20] <nil>
map[share:10] map[share:10] <nil>
50 10' "$(cat out)"
