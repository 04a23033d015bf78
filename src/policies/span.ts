/** Milliseconds of a day. */
export const dayMs = 24 * 60 * 60 * 1000

const units = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs } as const

type Unit = keyof typeof units

/** How long something may take, as people write it: `12 hours`, `14 days`, `2 weeks`. */
export const spanSchema = {
  type: 'string',
  pattern: `^[1-9][0-9]{0,4} (${Object.keys(units).join('|')})s?$`,
  title: 'a time',
  examples: ['14 days'],
} as const

/** The milliseconds of such a text; undefined where it is another one. */
export function spanMs(text: string): number | undefined {
  if (!new RegExp(spanSchema.pattern).test(text)) return undefined
  const [count = '', unit = ''] = text.split(' ')
  // The pattern has these units and no others.
  return Number(count) * units[unit.replace(/s$/, '') as Unit]
}
