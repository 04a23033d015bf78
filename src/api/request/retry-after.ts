/** Reads a `Retry-After`: whole seconds, or a date. Undefined when it says nothing that can be kept to. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // Without the names of day and month, a parser would take numbers such as -5 for a date.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
