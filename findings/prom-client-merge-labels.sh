#!/bin/sh
# prom-client 15.1.3: `Registry.merge` drops the default labels of the registries. A label with a comma may be counted in the
# series of another: { fleet: 'a,key:b' } and { fleet: 'a', key: 'b' } are one. `inc(NaN)` of a counter stays, and is written Nan.
. "$(dirname "$0")/lib.sh"
npm_packages prom-client@15.1.3
node_program <<'PROGRAM'
import { Counter, Registry } from 'prom-client'
const show = async registry => console.log((await registry.metrics()).split('\n').filter(line => line && !line.startsWith('#')).join(' '))
const registries = ['a', 'b'].map(name => {
  const registry = new Registry()
  registry.setDefaultLabels({ fleet: name })
  new Counter({ name: `${name}_total`, help: 'h', registers: [registry] }).inc()
  return registry
})
await show(registries[0])
await show(Registry.merge(registries))
const registry = new Registry()
const counter = new Counter({ name: 'runs', help: 'h', labelNames: ['fleet', 'key'], registers: [registry] })
counter.inc({ fleet: 'a,key:b' })
counter.inc({ fleet: 'a', key: 'b' })
await show(registry)
registry.clear()
const broken = new Counter({ name: 'broken', help: 'h', registers: [registry] })
broken.inc(Number.NaN)
broken.inc(1)
await show(registry)
PROGRAM
seen 'a registry, merged, two series, NaN' 'a_total{fleet="a"} 1
a_total 1 b_total 1
runs{fleet="a,key:b"} 2
broken Nan' "$(cat out)"
