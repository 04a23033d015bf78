#!/bin/sh
# parse-prometheus-text-format 1.1.1 makes one histogram of all that differ only in labels: the buckets of the last, no labels, sum
# or count. It drops a last line without a line break, and reads an exemplar of OpenMetrics as the time.
. "$(dirname "$0")/lib.sh"
npm_packages parse-prometheus-text-format@1.1.1
node_program <<'PROGRAM'
import parse from 'parse-prometheus-text-format'
const histogram = (fleet, n) => `s_bucket{fleet="${fleet}",le="1"} ${n}
s_bucket{fleet="${fleet}",le="+Inf"} ${n}
s_sum{fleet="${fleet}"} 1
s_count{fleet="${fleet}"} ${n}
`
const show = text => console.log(JSON.stringify(parse(text).map(({ name, metrics }) => ({ name, metrics }))))
show(`# TYPE s histogram\n${histogram('a', 1)}${histogram('b', 2)}`)
show('a 1\nb 2')
show('a_total 1 # {trace="x"} 1\n')
PROGRAM
seen 'two histograms; no line break; an exemplar' '[{"name":"s","metrics":[{"buckets":{"1":"2","+Inf":"2"}}]}]
[{"name":"a","metrics":[{"value":"1"}]}]
[{"name":"a_total","metrics":[{"value":"1","timestamp_ms":"#{trace=\"x\"}1"}]}]' "$(cat out)"
