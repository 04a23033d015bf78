#!/bin/sh
# @opentelemetry/sdk-metrics 2.12.1: an observable gauge keeps the value of a series that its callback does not observe any more,
# such as of a flag that is gone, for a reader of Prometheus. prom-client 15.1.3 with `reset` in `collect` drops it.
. "$(dirname "$0")/lib.sh"
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/sdk-metrics@2.12.1 @opentelemetry/exporter-prometheus@0.223.0 prom-client@15.1.3
node_program <<'PROGRAM'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { Gauge, Registry } from 'prom-client'
let flags = ['a', 'b']
const exporter = new PrometheusExporter({ preventServerStart: true })
const gauge = new MeterProvider({ readers: [exporter] }).getMeter('m').createObservableGauge('drift')
gauge.addCallback(result => flags.forEach(flag => result.observe(1, { flag })))
const registry = new Registry()
const collect = function () {
  this.reset()
  flags.forEach(flag => this.set({ flag }, 1))
}
new Gauge({ name: 'drift', help: 'h', labelNames: ['flag'], registers: [registry], collect })
const show = async () => {
  const { resourceMetrics } = await exporter.collect()
  const points = resourceMetrics.scopeMetrics[0].metrics[0].dataPoints.map(({ attributes }) => attributes.flag)
  console.log(points.join(), (await registry.metrics()).match(/flag="."/g).join())
}
await show()
flags = ['b']
await show()
PROGRAM
seen 'flags of OpenTelemetry, of prom-client: two, then one' 'a,b flag="a",flag="b"
a,b flag="b"' "$(cat out)"
