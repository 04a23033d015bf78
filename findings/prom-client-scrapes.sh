#!/bin/sh
# prom-client 15.1.3: two scrapes at once run `collect` of a gauge beside each other. If it resets the gauge and adds after an
# await, the second scrape has each value twice. One `collect` that rejects ends the whole scrape, with all other metrics.
. "$(dirname "$0")/lib.sh"
npm_packages prom-client@15.1.3
node_program <<'PROGRAM'
import { Gauge, Registry } from 'prom-client'
const registry = new Registry()
new Gauge({
  name: 'waiting',
  help: 'h',
  labelNames: ['fleet'],
  registers: [registry],
  async collect() {
    this.reset()
    await new Promise(soon => setTimeout(soon, 50))
    this.inc({ fleet: 'a' }, 1)
  },
})
const scrape = async () => (await registry.metrics()).split('\n').filter(line => line && !line.startsWith('#')).join()
console.log(await scrape())
console.log((await Promise.all([scrape(), scrape()])).join(' '))
new Gauge({ name: 'failing', help: 'h', registers: [registry], collect: () => Promise.reject(new Error('down')) })
console.log(await scrape().catch(({ message }) => message))
PROGRAM
seen 'one, two at once, one that fails' 'waiting{fleet="a"} 1
waiting{fleet="a"} 1 waiting{fleet="a"} 2
down' "$(cat out)"
