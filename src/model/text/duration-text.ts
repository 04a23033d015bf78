const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
] as const

/** An approximate duration: `40 seconds`, `60 minutes`, `3 hours`. A unit is used from two of it on. */
export function durationText(ms: number): string {
  const { name, ms: unit } = units.find(({ ms: one }) => ms >= 2 * one) ?? units[3]
  const count = Math.max(0, Math.round(ms / unit))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
