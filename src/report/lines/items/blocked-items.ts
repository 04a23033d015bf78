import type { Blocked } from '../../../core/change.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { nameOf } from '../../object-names.ts'
import { aLine, type Item, type Line, type Manner, type Section } from '../report.ts'
import { blockedAlike } from './alike.ts'

/** What is blocked, each with its reason, what it would do, and how to go on. */
export function blockedSection(blocked: readonly Blocked[], manner: Manner): Section[] {
  if (blocked.length === 0) return []
  const items = blockedItems(blocked, manner, {
    single: held => ({
      remark: `${held.action} blocked by ${held.rule}`,
      lines: [aLine('why', escapeText(held.reason)), ...wouldLines(held), remedyLine(held)],
    }),
    alike: ({ rule, reason, remedy, names }) => ({
      remark: `blocked by ${rule}`,
      lines: [aLine('why', escapeText(reason)), namesLine(names), remedyLine({ remedy })],
    }),
  })
  return [{ is: 'blocked', title: 'BLOCKED (not applied)', items }]
}

/** What was left out, once more beside what was done: why and how to go on. */
export function leftOutItems(blocked: readonly Blocked[], manner: Manner): Item[] {
  const became = { text: 'left out' }
  return blockedItems(blocked, manner, {
    single: held => ({
      became,
      because: `${held.action} blocked by ${held.rule}: ${escapeText(held.reason)}`,
      lines: [remedyLine(held)],
    }),
    alike: ({ rule, reason, remedy, names }) => ({
      became,
      because: `blocked by ${rule}: ${escapeText(reason)}`,
      lines: [namesLine(names), remedyLine({ remedy })],
    }),
  })
}

/** What the service has no place for, or does not show: not drift, and not to be passed over either. */
export function notComparedSection(blocked: readonly Blocked[], manner: Manner): Section[] {
  if (blocked.length === 0) return []
  const items = blockedItems(blocked, manner, {
    single: held => ({ lines: [aLine('why', escapeText(held.reason))] }),
    alike: ({ reason, names }) => ({ lines: [aLine('why', escapeText(reason)), namesLine(names)] }),
  }).map(item => ({ ...item, sign: { text: '!' } }))
  return [{ is: 'not_compared', title: 'NOT COMPARED', items }]
}

type Said = Pick<Item, 'lines' | 'remark' | 'became' | 'because'>
type Alike = ReturnType<typeof blockedAlike>['alike'][number]

function blockedItems(
  blocked: readonly Blocked[],
  manner: Manner,
  say: { single(held: Blocked): Said; alike(alike: Alike): Said },
): Item[] {
  const { single, alike } = blockedAlike(blocked, manner)
  const sign = { text: '!', tone: 'caution' } as const
  return [
    ...single.map(held => ({
      address: held.address,
      sign,
      name: nameOf(held),
      rule: held.rule,
      ...(held.source && { source: held.source }),
      ...say.single(held),
    })),
    ...alike.map(held => ({ sign, name: `${held.count} objects`, rule: held.rule, ...say.alike(held) })),
  ]
}

function wouldLines({ summary }: Blocked): Line[] {
  return summary.map(word => aLine('would', escapeText(word)))
}

function remedyLine({ remedy }: Pick<Blocked, 'remedy'>): Line {
  return aLine('remedy', escapeText(remedy))
}

function namesLine(names: string): Line {
  return aLine('names', names)
}
