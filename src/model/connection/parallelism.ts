/** How many requests may be under way at once. */
export const parallelismRange = { from: 1, to: 64 } as const

export function isParallelism(number: number): boolean {
  const { from, to } = parallelismRange
  return Number.isInteger(number) && number >= from && number <= to
}
