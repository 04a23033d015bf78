#!/bin/sh
# prom-client 15.1.3: a counter with `enableExemplars` takes an object alone. The calls of before are accepted, but `inc(5)` adds 1,
# and `inc({ fleet: 'a' }, 3)` adds 1 without the label. `observe(5)` of a histogram throws "not a valid number: undefined".
. "$(dirname "$0")/lib.sh"
npm_packages prom-client@15.1.3
node_program <<'PROGRAM'
import { Counter, Histogram, Registry } from 'prom-client'
const registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE)
const options = { help: 'h', labelNames: ['fleet'], registers: [registry], enableExemplars: true }
const counter = new Counter({ name: 'runs', ...options })
const show = async () => console.log((await registry.metrics()).split('\n').filter(line => line.startsWith('runs')).join())
counter.inc(5)
await show()
counter.inc({ fleet: 'a' }, 3)
await show()
counter.inc({ labels: { fleet: 'a' }, value: 3 })
await show()
try {
  new Histogram({ name: 'seconds', ...options }).observe(5)
} catch ({ message }) {
  console.log(message)
}
PROGRAM
seen 'inc(5), labels and 3, one object, observe(5)' 'runs_total 1
runs_total 2
runs_total 2,runs_total{fleet="a"} 3
Value is not a valid number: undefined' "$(cat out)"
