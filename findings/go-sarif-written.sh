#!/bin/sh
# go-sarif 3.3.1: a log that is read and written has an empty `language` and an empty list of `newlineSequences` afterwards,
# which the schema of SARIF forbids, and no `suppressions` where it had an empty list of them.
. "$(dirname "$0")/lib.sh"
cat > in.sarif <<'SARIF'
{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[{"ruleId":"r1","message":{"text":"m"},"suppressions":[]}]}]}
SARIF
go_program github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif@v3.3.1 > out.sarif <<'PROGRAM'
package main

import (
	"os"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func main() {
	log, err := sarif.Open("in.sarif")
	if err != nil {
		panic(err)
	}
	log.Write(os.Stdout)
}
PROGRAM
seen 'written' '"language":"" "newlineSequences":[]' "$(tr -d ' \n' < out.sarif | grep -oE '"(language|newlineSequences|suppressions)":("[^"]*"|\[[^]]*\])' | sort -u | tr '\n' ' ' | sed 's/ $//')"
