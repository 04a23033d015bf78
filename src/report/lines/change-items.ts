import { type Blocked, byAddress, type Change, type Drift, type Risk } from '../../core/change.ts'
import { allowFlag } from '../../core/policy.ts'
import { undeclaredSummary } from '../../core/summary/field-summary.ts'
import { isGuardRule } from '../../model/guard-rules.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { visible } from '../../targeting/index.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../object-names.ts'
import { aLine, type Item, type Line, type Manner, type Section } from './report.ts'

/** The changes of one risk. Equal ones come after the others, grouped. */
export function riskSection({ changes, beside }: ShownChanges, risk: Risk, manner: Manner): Section[] {
  const ofRisk = changes.filter(change => change.risk === risk).sort(byAddress)
  if (ofRisk.length === 0) return []
  const { isVerbose } = manner
  const { single, groups } = together(ofRisk, { keyOf: claimed, isVerbose })
  const besideOf = ({ address }: Change) => beside.get(address) ?? []
  const others = together(single, {
    keyOf: change => sameChange(change, besideOf(change), manner),
    isVerbose,
  })
  const items = [
    ...others.single.map(change => changeItem(change, besideOf(change), manner)),
    ...others.groups.map(group => audienceItem(group, group.slice(0, 1).flatMap(besideOf), manner)),
    ...groups.map(claimsItem),
  ]
  return [{ is: 'changes', title: `${risk.toUpperCase()} RISK`, risk, items }]
}

/** Changes, and the lines that are shown with each, by its address. */
type ShownChanges = Pick<FoldedGrants, 'changes' | 'beside'>

/** What a change does, if it is a claim that needed no permission. */
export function claimed({ action, summary, allowed }: Change): string | undefined {
  return action === 'claim' && allowed.length === 0 ? summary.join(', ') : undefined
}

/** What a change does, if it is to the people of audiences and needed no permission. */
function sameChange(change: Change, beside: readonly Line[], manner: Manner): string | undefined {
  const { action, summary, audiences = [], allowed, alert } = change
  if (action !== 'update' || audiences.length === 0 || allowed.length > 0) return undefined
  const notes = beside.map(({ words }) => words)
  return JSON.stringify([audiences, summary.map(withoutNumber), notes, alert, riskLines(change, manner)])
}

/** Flags may have the same condition at different places. */
function withoutNumber(line: string): string {
  return line.replace(/^condition \d+/, 'condition')
}

function audienceItem(changes: readonly Change[], beside: readonly Line[], manner: Manner): Item {
  const [first] = changes
  const { audiences = [], summary = [] } = first ?? {}
  const names = `${audiences.length === 1 ? 'audience' : 'audiences'} ${audiences.join(' and ')}`
  return {
    sign: { text: signs.update, tone: 'good' },
    name: `${escapeText(names)}: ${countedByKind(changes)} change in the same manner`,
    remark: howToList,
    lines: [
      ...(first ? riskLines(first, manner) : []),
      ...summary.map(line => aLine('detail', escapeText(withoutNumber(line)))),
      // Each of them is declared elsewhere.
      ...beside.map(({ is, words }) => ({ is, words })),
      aLine('names', listed(changes.map(nameOf))),
    ],
  }
}

function claimsItem(claims: readonly Change[]): Item {
  const [what = ''] = claims.flatMap(claim => claimed(claim) ?? [])
  return {
    sign: { text: signs.claim, tone: 'good' },
    name: `claims ${countedByKind(claims)}: ${escapeText(what)}, and nothing else changes`,
    remark: howToList,
    lines: [],
  }
}

function changeItem(change: Change, beside: readonly Line[], manner: Manner): Item {
  const { action, address, alert, source } = change
  const label = change.label === undefined ? '' : ` role ${escapeText(change.label)}`
  return {
    address,
    sign: { text: signs[action], tone: action === 'delete' ? 'bad' : 'good' },
    name: change.parent ? `grant ${escapeText(change.parent.identity)}${label}` : nameOf(change),
    ...(source && { source }),
    ...(alert === undefined ? {} : { alert: escapeText(alert) }),
    lines: [...riskLines(change, manner), ...changeLines(change), ...beside],
  }
}

/** The reason of a risk, with the rule. At a terminal, a small risk needs no reason. */
function riskLines({ risk, riskReasons }: Change, { isForReview = false }: Manner): Line[] {
  if (risk === 'low' || (risk === 'medium' && !isForReview)) return []
  return riskReasons
    .filter(({ level }) => level === risk)
    .map(({ rule, reason }) => aLine('why', `${risk.toUpperCase()}: ${escapeText(reason)} (${rule})`))
}

/** What a change does, in words. */
export function changeLines({ action, summary, allowed }: Change): Line[] {
  const lines = [
    ...(action === 'claim' ? ['gets the ownership tag; nothing else changes'] : []),
    ...summary,
    ...(allowed.length > 0 ? [`allowed: ${allowed.join(', ')}`] : []),
  ]
  return lines.map(line => aLine('detail', escapeText(line)))
}

/** Blocked changes, each with its reason, its effect, and how to go on. */
export function blockedSection(blocked: readonly Blocked[], manner: Manner): Section[] {
  if (blocked.length === 0) return []
  const items = blockedItems(blocked, manner, {
    single: held => ({
      remark: `${held.action} blocked by ${held.rule}`,
      lines: [aLine('why', escapeText(held.reason)), ...wouldLines(held), remedyLine(held)],
    }),
    grouped: ({ rule, reason, remedy, names }) => ({
      remark: `blocked by ${rule}`,
      lines: [aLine('why', escapeText(reason)), namesLine(names), remedyLine({ remedy })],
    }),
  })
  return [{ is: 'blocked', title: 'BLOCKED (not applied)', items }]
}

/** What was skipped, again after the run: why, and how to go on. */
export function leftOutItems(blocked: readonly Blocked[], manner: Manner): Item[] {
  const became = { text: 'left out' }
  return blockedItems(blocked, manner, {
    single: held => ({
      became,
      because: `${held.action} blocked by ${held.rule}: ${escapeText(held.reason)}`,
      lines: [remedyLine(held)],
    }),
    grouped: ({ rule, reason, remedy, names }) => ({
      became,
      because: `blocked by ${rule}: ${escapeText(reason)}`,
      lines: [namesLine(names), remedyLine({ remedy })],
    }),
  })
}

/** Fields that the service does not store or does not show. They are no drift, but must be shown. */
export function notComparedSection(blocked: readonly Blocked[], manner: Manner): Section[] {
  if (blocked.length === 0) return []
  const items = blockedItems(blocked, manner, {
    single: held => ({ lines: [aLine('why', escapeText(held.reason))] }),
    grouped: ({ reason, names }) => ({ lines: [aLine('why', escapeText(reason)), namesLine(names)] }),
  }).map(item => ({ ...item, sign: { text: '!' } }))
  return [{ is: 'not_compared', title: 'NOT COMPARED', items }]
}

type ItemParts = Pick<Item, 'lines' | 'remark' | 'became' | 'because'>
type Grouped = ReturnType<typeof groupBlocked>['grouped'][number]

function blockedItems(
  blocked: readonly Blocked[],
  manner: Manner,
  say: { single(held: Blocked): ItemParts; grouped(grouped: Grouped): ItemParts },
): Item[] {
  const { single, grouped } = groupBlocked(blocked, manner)
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
    ...grouped.map(held => ({ sign, name: `${held.count} objects`, rule: held.rule, ...say.grouped(held) })),
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

/** What drifted, or is not in the files: a group at the end. */
export function driftItems(drift: readonly Drift[], { isVerbose }: Manner): Item[] {
  const keyOf = ({ reason }: Drift) => (reason === 'undeclared' ? undeclaredSummary : undefined)
  const { single, groups } = together([...drift].sort(byAddress), { keyOf, isVerbose })
  const sign = { text: '=' }
  return [
    ...single.map(({ summary, ...drifted }) => ({
      address: drifted.address,
      sign,
      name: nameOf(drifted),
      ...(drifted.source && { source: drifted.source }),
      lines: summary.map(line => aLine('detail', escapeText(line))),
    })),
    ...groups.map(group => ({
      sign,
      name: `${countedByKind(group)}: each ${undeclaredSummary}`,
      remark: howToList,
      lines: [],
    })),
  ]
}

/** Many objects that are blocked for one reason: for example a key that may not read them. */
export interface BlockedGroup {
  readonly count: number
  readonly rule: Blocked['rule']
  readonly reason: string
  readonly remedy: string
  /** Some of the objects, and how many more there are. */
  readonly names: string
}

/**
 * Separates changes that are blocked because a list or the activity trail is unreadable. Many objects with
 * one reason are shown together. Only requests in reasons, and addresses in remedies, may differ.
 */
function groupBlocked(
  blocked: readonly Blocked[],
  { isVerbose }: { readonly isVerbose?: boolean },
): { readonly single: readonly Blocked[]; readonly grouped: readonly BlockedGroup[] } {
  const { single, groups } = together([...blocked].sort(byAddress), {
    keyOf: held => (isAboutReading(held) ? `${withoutRequest(held.reason)}\n${remedyFor(held)}` : undefined),
    isVerbose,
  })
  return {
    single,
    grouped: groups.flatMap(group =>
      group.slice(0, 1).map(held => ({
        count: group.length,
        rule: held.rule,
        reason: held.rule === 'unreadable' ? `each ${withoutRequest(held.reason)}` : held.reason,
        remedy: remedyFor(held),
        names: listed(group.map(nameOf)),
      })),
    ),
  }
}

function isAboutReading({ rule }: Blocked): boolean {
  return rule === 'unreadable' || rule === 'trail_unreadable'
}

/** The remedy for all of them: `--allow` with an address is for one object, without it for all. */
function remedyFor({ rule, address, remedy }: Blocked): string {
  return isGuardRule(rule) ? remedy.replace(allowFlag(rule, address), `--allow ${rule}`) : remedy
}

function withoutRequest(reason: string): string {
  return reason.replace(/^[A-Z]+ \/\S+ /, '')
}

/** Changes without the grants that are shown with their flags, and a sentence that explains the counts. */
interface FoldedGrants {
  readonly changes: readonly Change[]
  /** The lines that are shown with a flag, by its address. */
  readonly beside: ReadonlyMap<string, readonly Line[]>
  readonly sentence: readonly string[]
}

/**
 * Shows new grants with their flag if the flag changes in the same plan. A grant is separate if it is risky
 * or needed permission, if it is removed, or if its flag is only claimed.
 */
export function foldGrants(changes: readonly Change[]): FoldedGrants {
  // A claim changes nothing else, and the grants of a deleted flag do not matter.
  const hosts = changes.filter(({ parent, action }) => !parent && action !== 'claim' && action !== 'delete')
  const flags = new Set(hosts.map(({ address }) => address))
  const folded = changes.filter(
    ({ action, risk, allowed, parent }) =>
      parent && action === 'create' && risk === 'low' && allowed.length === 0 && flags.has(parent.$ref),
  )
  if (folded.length === 0) return { changes, beside: new Map(), sentence: [] }
  const gone = new Set(folded)
  const beside = new Map<string, readonly Line[]>()
  for (const grant of folded) {
    const address = grant.parent?.$ref ?? ''
    beside.set(address, [...(beside.get(address) ?? []), grantLine(grant)])
  }
  return {
    changes: changes
      .filter(change => !gone.has(change))
      .map(change => {
        if (!beside.has(change.address)) return change
        // A new flag already shows who may edit it, so its roles do not repeat that.
        return {
          ...change,
          summary: change.summary.filter(line => !line.startsWith('may be edited by role')),
        }
      }),
    beside,
    sentence: [countsSentence(changes.filter(({ action }) => action === 'create').length, folded.length)],
  }
}

/** A sentence that explains why there are fewer rows than the plan counts. */
function countsSentence(created: number, folded: number): string {
  const below = created - folded
  const notes = folded === 1 ? 'is shown with its flag' : 'are shown with their flags'
  return `Of ${created} to create, ${below} ${below === 1 ? 'is' : 'are'} below, and ${counted(folded, 'new grant')} ${notes}`
}

function grantLine({ label, identity, summary, source }: Change): Line {
  const words = `role ${visible(label ?? identity)} ${summary.join(', ')} from now on`
  return { ...aLine('detail', escapeText(words)), ...(source && { source }) }
}

/** Two are shown one by one: two lines are as good as one line and a list of two. */
export const fewest = 3

interface Grouping<Item> {
  /** Items with the same key are grouped; one without a key is separate. */
  readonly keyOf: (item: Item) => string | undefined
  /** Every item is separate: the reader chose that. */
  readonly isVerbose?: boolean
}

/** Separates single items from groups of equal ones, in the order of their first item. */
export function together<Item>(
  items: readonly Item[],
  { keyOf, isVerbose = false }: Grouping<Item>,
): { readonly single: readonly Item[]; readonly groups: readonly (readonly Item[])[] } {
  if (isVerbose) return { single: items, groups: [] }
  const byKey = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = byKey.get(key)
    if (group) group.push(item)
    else byKey.set(key, [item])
  }
  const groups = [...byKey.values()].filter(group => group.length >= fewest)
  const grouped = new Set(groups.flat())
  return { single: items.filter(item => !grouped.has(item)), groups }
}

/** The hint in a line about many objects. */
export const howToList = '--verbose lists them'
