import type { Host } from './host.ts'

/** Whether the usual variables of OpenTelemetry name a place for traces. */
export function wantsTraces(env: Host['env']): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  return Boolean(endpoint) && !isOff
}
