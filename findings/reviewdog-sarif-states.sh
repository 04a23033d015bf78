#!/bin/sh
# reviewdog 0.21.0 reports suppressed findings, checks that passed, and findings that a baseline calls absent. A finding
# without a level, of a rule without a default, has an unknown severity, though SARIF says that it is a warning.
. "$(dirname "$0")/lib.sh"
cat > in.sarif <<'SARIF'
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r1"}]}},"results":[
 {"ruleId":"r1","level":"error","message":{"text":"suppressed"},"suppressions":[{"kind":"inSource","status":"accepted"}],"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":3}}}]},
 {"ruleId":"r1","level":"none","kind":"pass","message":{"text":"passed"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":4}}}]},
 {"ruleId":"r1","level":"error","baselineState":"absent","message":{"text":"absent"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":5}}}]},
 {"ruleId":"r1","message":{"text":"level"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f.yaml"},"region":{"startLine":6}}}]}]}]}
SARIF
go_program github.com/reviewdog/reviewdog/parser@v0.21.0 > out <<'PROGRAM'
package main

import (
	"fmt"
	"os"

	"github.com/reviewdog/reviewdog/parser"
)

func main() {
	file, _ := os.Open("in.sarif")
	found, err := parser.NewSarifParser().Parse(file)
	for _, each := range found {
		fmt.Println(each.GetMessage(), each.GetSeverity())
	}
	fmt.Println(err)
}
PROGRAM
seen 'reported' 'suppressed ERROR, passed UNKNOWN_SEVERITY, absent ERROR, level UNKNOWN_SEVERITY, <nil>' "$(sed 's/$/, /' out | tr -d '\n' | sed 's/, $//')"
