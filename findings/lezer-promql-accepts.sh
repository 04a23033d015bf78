#!/bin/sh
# @prometheus-io/lezer-promql 0.315.0 has no error node for queries that Prometheus 3.15 refuses: wrong types and counts of
# arguments, no matcher, a wrong expression or escape, experimental functions. Both refuse 5m1h and RATE.
. "$(dirname "$0")/lib.sh"
npm_packages @prometheus-io/lezer-promql@0.315.0 @lezer/common@1.5.2 @lezer/highlight@1.2.3 @lezer/lr@1.4.10
cat > queries.txt <<'QUERIES'
rate(foo)
rate()
1 > 2
foo or 1
foo[5m][5m]
{a=~".*"}
foo{a=~"("}
foo{a="\d"}
foo and on(a) group_left bar
limitk(1, foo)
foo[0s]
foo[5m1h]
RATE(foo[5m])
SUM BY (a) (foo)
QUERIES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
const isError = query => {
  let found = false
  parser.parse(query).iterate({ enter: ({ type }) => void (found ||= type.isError) })
  return found
}
for (const query of readFileSync('queries.txt', 'utf8').trim().split('\n')) console.log(isError(query) ? 'refused ' : 'accepted', query)
PROGRAM
seen lezer "$(head -11 queries.txt | sed 's/^/accepted /')
refused  foo[5m1h]
refused  RATE(foo[5m])
accepted SUM BY (a) (foo)" "$(cat out)"
go_program github.com/prometheus/prometheus@v0.315.0 > prometheus.out <<'PROGRAM'
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	file, _ := os.Open("queries.txt")
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if _, err := parser.NewParser(parser.Options{}).ParseExpr(lines.Text()); err != nil {
			fmt.Println("refused ", lines.Text())
		} else {
			fmt.Println("accepted", lines.Text())
		}
	}
}
PROGRAM
seen Prometheus "$(head -13 queries.txt | sed 's/^/refused  /')
accepted SUM BY (a) (foo)" "$(cat prometheus.out)"
