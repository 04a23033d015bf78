import { type Blocked, byAddress, type Change, type Drift, type Risk } from '../../core/change.ts'
import { undeclaredSummary } from '../../core/describe/describe-field.ts'
import {
  countsOfLiveEdits,
  isLeftOut,
  type LiveEdit,
  type LiveEditField,
  type SettingRun,
  type Treatment,
} from '../../core/live-edits/live-edit.ts'
import { allowFlag } from '../../core/policy.ts'
import { isGuardRule } from '../../model/guard-rules.ts'
import { durationText, escapeText } from '../../model/text/printable.ts'
import { visible } from '../../targeting/index.ts'
import { counted, countedByKind, listed, nameOf, signs } from '../line-text.ts'
import { timeLine } from './place-words.ts'
import { aLine, type Item, type Line, type Manner, type Section, type SectionKind } from './report.ts'

/** The changes of one risk. Groups of equal changes come last. */
export function riskSection({ changes, beside }: ShownChanges, risk: Risk, manner: Manner): Section[] {
  const ofRisk = changes.filter(change => change.risk === risk).sort(byAddress)
  if (ofRisk.length === 0) return []
  const { isVerbose } = manner
  const { single, groups } = groupByKey(ofRisk, { keyOf: claimed, isVerbose })
  const besideOf = ({ address }: Change) => beside.get(address) ?? []
  const others = groupByKey(single, {
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

/** Changes, and the lines to show with each change, by address. */
type ShownChanges = Pick<FoldedGrants, 'changes' | 'beside'>

/** The summary of a claim that needed no permission. */
export function claimed({ action, summary, allowed }: Change): string | undefined {
  return action === 'claim' && allowed.length === 0 ? summary.join(', ') : undefined
}

/** The summary of a change of audience properties that needed no permission. */
function sameChange(change: Change, beside: readonly Line[], manner: Manner): string | undefined {
  const { action, summary, audiences = [], allowed, alert } = change
  if (action !== 'update' || audiences.length === 0 || allowed.length > 0) return undefined
  const notes = beside.map(({ words }) => words)
  return JSON.stringify([audiences, summary.map(withoutNumber), notes, alert, riskLines(change, manner)])
}

/** The same condition may have different numbers in different flags. */
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
      // Each grant has its own declaration, so the line shows no position.
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

/** The reasons for a risk, with their rules. A terminal omits the reasons for a small risk. */
function riskLines({ risk, riskReasons }: Change, { isForReview = false }: Manner): Line[] {
  if (risk === 'low' || (risk === 'medium' && !isForReview)) return []
  return riskReasons
    .filter(({ level }) => level === risk)
    .map(({ rule, reason }) => aLine('why', `${risk.toUpperCase()}: ${escapeText(reason)} (${rule})`))
}

export function changeLines({ action, summary, allowed }: Change): Line[] {
  const lines = [
    ...(action === 'claim' ? ['gets the ownership tag; nothing else changes'] : []),
    ...summary,
    ...(allowed.length > 0 ? [`allowed: ${allowed.join(', ')}`] : []),
  ]
  return lines.map(line => aLine('detail', escapeText(line)))
}

/** Blocked changes, each with its reason, its effect and the remedy. */
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

/** Blocked changes after the run: the reason and the remedy. */
export function leftOutItems(blocked: readonly Blocked[], manner: Manner): Item[] {
  const became = { text: 'not applied' }
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

/** Fields that the service does not store or does not show. They are not drift, but must be shown. */
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

/** Drifted objects, then undeclared objects as a group. */
export function driftItems(drift: readonly Drift[], { isVerbose }: Manner): Item[] {
  const keyOf = ({ reason }: Drift) => (reason === 'undeclared' ? undeclaredSummary : undefined)
  const { single, groups } = groupByKey([...drift].sort(byAddress), { keyOf, isVerbose })
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

/** Many objects that are blocked for the same reason, for example by a key that may not read them. */
export interface BlockedGroup {
  readonly count: number
  readonly rule: Blocked['rule']
  readonly reason: string
  readonly remedy: string
  /** The first objects, and how many more there are. */
  readonly names: string
}

/**
 * Groups changes that are blocked because a list or the activity trail is unreadable. Objects with the same
 * reason are shown together. Only requests in reasons, and addresses in remedies, may differ.
 */
function groupBlocked(
  blocked: readonly Blocked[],
  { isVerbose }: { readonly isVerbose?: boolean },
): { readonly single: readonly Blocked[]; readonly grouped: readonly BlockedGroup[] } {
  const { single, groups } = groupByKey([...blocked].sort(byAddress), {
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

/** The remedy for the whole group: `--allow` without an address. */
function remedyFor({ rule, address, remedy }: Blocked): string {
  return isGuardRule(rule) ? remedy.replace(allowFlag(rule, address), `--allow ${rule}`) : remedy
}

function withoutRequest(reason: string): string {
  return reason.replace(/^[A-Z]+ \/\S+ /, '')
}

/** Changes without the grants that are shown with their flags; the sentence explains the counts. */
interface FoldedGrants {
  readonly changes: readonly Change[]
  /** The lines to show with a flag, by its address. */
  readonly beside: ReadonlyMap<string, readonly Line[]>
  readonly sentence: readonly string[]
}

/**
 * Shows new grants with their flag if the flag changes in the same plan. A grant stays separate if it is
 * risky, needed permission or is removed, or if its flag is only claimed.
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
        // A new flag already lists the roles that may edit it, so the grants do not repeat that.
        return {
          ...change,
          summary: change.summary.filter(line => !line.startsWith('may be edited by role')),
        }
      }),
    beside,
    sentence: [countsSentence(changes.filter(({ action }) => action === 'create').length, folded.length)],
  }
}

/** A sentence that explains why fewer rows are shown than the plan counts. */
function countsSentence(created: number, folded: number): string {
  const below = created - folded
  const notes = folded === 1 ? 'is shown with its flag' : 'are shown with their flags'
  return `Of ${created} to create, ${below} ${below === 1 ? 'is' : 'are'} below, and ${counted(folded, 'new grant')} ${notes}`
}

function grantLine({ label, identity, summary, source }: Change): Line {
  const words = `role ${visible(label ?? identity)} ${summary.join(', ')} from now on`
  return { ...aLine('detail', escapeText(words)), ...(source && { source }) }
}

/** The smallest group. Two items are shown separately, because a group of two needs two lines as well. */
export const fewest = 3

interface Grouping<Item> {
  /** Groups items with the same key. An item without a key stays separate. */
  readonly keyOf: (item: Item) => string | undefined
  /** Keeps every item separate, because the reader chose that. */
  readonly isVerbose?: boolean
}

/** Splits items into groups that share a key and separate items. Both keep the order of the input. */
export function groupByKey<Item>(
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

/** The hint in a line for many objects. */
export const howToList = '--verbose lists them'

/**
 * The live edits of a plan. Edits that will be lost come first. Edits that stay come after the blocked
 * changes.
 *
 * | treatment  | place                                    |
 * |------------|------------------------------------------|
 * | `reverted` | before the changes: it will be lost      |
 * | `merged`   | before the changes                       |
 * | `conflict` | after what is blocked                    |
 * | `held`     | after what is blocked                    |
 * | `behind`   | after what is blocked                    |
 */
export function sentLiveEditSections({ liveEdits, changes }: Edited, manner: Manner): Section[] {
  const changed = new Set(changes.map(({ address }) => address))
  return sections(
    liveEdits.filter(({ address }) => changed.has(address)),
    groups.filter(({ treatment }) => !isLeftOut(treatment)),
    manner,
  )
}

interface Edited {
  readonly liveEdits: readonly LiveEdit[]
  readonly changes: readonly { readonly address: string }[]
}

/** All live edits, for `vexil drift`. */
export function liveEditSections(liveEdits: readonly LiveEdit[], manner: Manner): Section[] {
  return sections(liveEdits, groups, manner)
}

/** Live edits that the run does not overwrite: unsent ones, and those of objects that are blocked. */
export function leftOutLiveEditSections({ liveEdits, changes }: Edited, manner: Manner): Section[] {
  const changed = new Set(changes.map(({ address }) => address))
  const waiting = liveEdits.filter(({ address }) => !changed.has(address))
  return [
    ...sections(liveEdits, leftOutGroups, manner),
    ...sections(
      waiting,
      groups.filter(({ treatment }) => !isLeftOut(treatment)),
      manner,
      group => `${changedBy(group).toUpperCase()} (not overwritten: the change is blocked)`,
    ),
  ]
}

/** Live edits after the run: a line for each object, and the remedy. */
export function leftOutLiveEdits(liveEdits: readonly LiveEdit[]): Item[] {
  return [...liveEdits].sort(byAddress).flatMap(edit => {
    const parts = leftOutGroups.flatMap(group => {
      const names = fieldsOf(edit, group).map(({ field }) => field)
      return names.length === 0 ? [] : [`${names.join(', ')} ${shortWords(group)}`]
    })
    if (parts.length === 0) return []
    return [
      {
        address: edit.address,
        sign: { text: '!', tone: 'caution' },
        name: nameOf(edit),
        became: { text: 'not applied' },
        because: escapeText(parts.join('; ')),
        ...(edit.source && { source: edit.source }),
        lines: remedyLines(edit),
      },
    ]
  })
}

/** The counts of live edits in the last line of a plan. Zeros are omitted. */
export function liveEditParts(liveEdits: readonly LiveEdit[]): string[] {
  const { held = 0, conflict = 0, behind = 0 } = countsOfLiveEdits(liveEdits)
  return [
    ...(conflict > 0 ? [`${conflict} in conflict`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(behind > 0 ? [`${behind} behind`] : []),
  ]
}

/** Fields with the same treatment, grouped by what set the live value. */
interface Group {
  readonly treatment: Treatment
  readonly by?: SettingRun['command']
}

/** The groups in display order. */
const groups: readonly Group[] = [
  { treatment: 'reverted' },
  { treatment: 'reverted', by: 'undo' },
  { treatment: 'reverted', by: 'disable' },
  { treatment: 'merged' },
  { treatment: 'merged', by: 'undo' },
  { treatment: 'conflict' },
  { treatment: 'conflict', by: 'undo' },
  { treatment: 'held' },
  { treatment: 'held', by: 'undo' },
  { treatment: 'held', by: 'disable' },
  { treatment: 'behind' },
]

const leftOutGroups = groups.filter(({ treatment }) => isLeftOut(treatment))

function titleOf(group: Group): string {
  switch (group.treatment) {
    case 'reverted':
      return `${changedBy(group).toUpperCase()} (lost with this plan: it writes the declared values)`
    case 'merged':
      return 'CHANGED ON BOTH SIDES (this plan sends both together)'
    case 'conflict':
      return group.by === undefined
        ? 'CONFLICT (changed in the product and in the repository; not sent)'
        : `CONFLICT (${changedBy(group)}, and changed in the repository; not sent)`
    case 'held':
      return `HELD (${changedBy(group)}; not sent)`
    case 'behind':
      return 'BEHIND (another commit declared the live value; not sent)'
  }
}

function shortWords(group: Group): string {
  switch (group.treatment) {
    case 'reverted':
      return `reverted, ${changedBy(group)}`
    case 'merged':
      return `merged, ${changedBy(group)}`
    case 'conflict':
      return `changed in the repository, and ${group.by === undefined ? 'in the product' : changedBy(group)}`
    case 'held':
      return `held, ${changedBy(group)}`
    case 'behind':
      return 'behind, declared by another commit'
  }
}

/** A value that an undo or a disable has set was not changed in the product. */
function changedBy({ by }: Group): string {
  return by === undefined ? 'changed in the product' : `set by vexil ${by}`
}

const sectionKinds: Readonly<Record<Treatment, SectionKind>> = {
  reverted: 'lost',
  merged: 'lost',
  conflict: 'conflict',
  held: 'held',
  behind: 'held',
}

function sections(
  liveEdits: readonly LiveEdit[],
  wanted: readonly Group[],
  manner: Manner,
  titled = titleOf,
): Section[] {
  const sorted = [...liveEdits].sort(byAddress)
  return wanted.flatMap(group => {
    const shownEdits = sorted.filter(edit => fieldsOf(edit, group).length > 0)
    if (shownEdits.length === 0) return []
    const items = shownEdits.map(edit => itemOf(edit, group, manner))
    return [{ is: sectionKinds[group.treatment], title: titled(group), items }]
  })
}

function itemOf(edit: LiveEdit, group: Group, { now }: Manner): Item {
  const { address, source } = edit
  // An object in several groups shows its remedies only in its last group.
  const isLast = groups.findLast(each => fieldsOf(edit, each).length > 0) === group
  return {
    address,
    sign: { text: '=', tone: 'caution' },
    name: nameOf(edit),
    ...(source && { source }),
    lines: [
      ...fieldsOf(edit, group).flatMap(field => [
        aLine('detail', escapeText(`${field.field}: ${shortWords(group)}${whoText(field, now)}`)),
        ...field.summary.map(line => aLine('detail', escapeText(line), { depth: 1 })),
      ]),
      ...(isLast ? remedyLines(edit) : []),
    ],
  }
}

/** ` by ada@example.com 3 days ago (2026-11-21 02:00:00 UTC) ("pager"), held for 2 days (since 2026-11-22 03:00:00 UTC)`. */
function whoText({ author, setBy, heldSince, commit }: LiveEditField, now: number | undefined): string {
  const { name, at, reason } = author ?? {}
  const by = name === undefined ? '' : ` by ${name}`
  const when = at === undefined ? '' : agoText(at, now)
  const why = reason === undefined ? '' : ` (${JSON.stringify(reason)})`
  const since = heldSince === undefined ? '' : `, held ${forText(heldSince, now)}`
  const of = commit === undefined ? '' : ` (${commit.slice(0, 12)})`
  const run = setBy === undefined ? '' : ` in run ${setBy.run},`
  return `${of}${run}${by}${when}${why}${since}`
}

function agoText(at: number, now: number | undefined): string {
  return now === undefined ? ` on ${timeLine(at)}` : ` ${durationText(now - at)} ago (${timeLine(at)})`
}

function forText(since: number, now: number | undefined): string {
  return now === undefined
    ? `since ${timeLine(since)}`
    : `for ${durationText(now - since)} (since ${timeLine(since)})`
}

function remedyLines({ remedies }: LiveEdit): Line[] {
  return remedies.map(remedy => aLine('remedy', escapeText(remedy)))
}

function fieldsOf({ fields }: LiveEdit, { treatment, by }: Group): readonly LiveEditField[] {
  return fields.filter(field => field.treatment === treatment && field.setBy?.command === by)
}
