import type { Action } from '../core/change.ts'
import { kinds } from '../kinds/index.ts'
import type { Source } from '../model/problem.ts'
import { escapeText } from '../model/text/escape-text.ts'

/** The sign in front of each change. */
export const signs: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  claim: '@',
  restore: '^',
  delete: '-',
}

export interface Named {
  readonly address: string
  readonly kind: string
}

/** What people call an object: `flag checkout_v2`, `grant beta_search:support`. */
export function nameOf({ address, kind }: Named): string {
  return `${titleOf(kind)} ${escapeText(address.slice(kind.length + 1))}`
}

function titleOf(kind: string): string {
  return Object.values(kinds).find(({ name }) => name === kind)?.title ?? kind
}

/** `58 flags, 3 events`. */
export function countedByKind(objects: readonly Named[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => counted(count, titleOf(kind))).join(', ')
}

/** `flags/checkout.yaml:12`. */
export function placeOf(source: Source | undefined): string {
  return source ? `${escapeText(source.file)}:${source.line}` : ''
}

/** `1 flag`, `2 flags`: the plural of a regular noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const mostNames = 8

/** Some of many names, in order, and how many more there are. */
export function listed(names: readonly string[]): string {
  const { shown, more } = someOf([...names].sort())
  return `${shown.join(', ')}${more}`
}

/** As many as a sentence has room for, and the words for the others. */
export function someOf<Name>(names: readonly Name[]): {
  readonly shown: readonly Name[]
  readonly more: string
} {
  const left = names.length - mostNames
  return { shown: names.slice(0, mostNames), more: left > 0 ? ` and ${left} more` : '' }
}
