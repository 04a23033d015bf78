import { byAddress } from '../../core/change.ts'
import {
  countsOfLiveEdits,
  isLeftOut,
  type LiveEdit,
  type LiveEditField,
  type SettingRun,
  type Treatment,
} from '../../core/live-edits/live-edit.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { nameOf } from '../object-names.ts'
import { timeLine } from './place-words.ts'
import { aLine, type Item, type Line, type Manner, type Section, type SectionKind } from './report.ts'

/**
 * What was changed in the product, as a plan shows it. In a plan, what will be lost comes first, and what
 * stays as it is comes after what is blocked.
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

/** The live edits of a plan, and what it sends. */
interface Edited {
  readonly liveEdits: readonly LiveEdit[]
  readonly changes: readonly { readonly address: string }[]
}

/** All of them, as `drift` shows them. */
export function liveEditSections(liveEdits: readonly LiveEdit[], manner: Manner): Section[] {
  return sections(liveEdits, groups, manner)
}

/** Edits without anything sent, and edits of objects whose change is blocked: nothing of them is lost yet. */
export function leftOutLiveEditSections({ liveEdits, changes }: Edited, manner: Manner): Section[] {
  const changed = new Set(changes.map(({ address }) => address))
  const waiting = liveEdits.filter(({ address }) => !changed.has(address))
  return [
    ...sections(liveEdits, leftOutGroups, manner),
    ...sections(
      waiting,
      groups.filter(({ treatment }) => !isLeftOut(treatment)),
      manner,
      group => `${changedBy(group).toUpperCase()} (nothing of it is written: its change is blocked)`,
    ),
  ]
}

/** Again after the run: a line for each object, and how to go on. */
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
        became: { text: 'left out' },
        because: escapeText(parts.join('; ')),
        ...(edit.source && { source: edit.source }),
        lines: remedyLines(edit),
      },
    ]
  })
}

/** The counts in the last line of a plan, without zeros. */
export function liveEditParts(liveEdits: readonly LiveEdit[]): string[] {
  const { held = 0, conflict = 0, behind = 0 } = countsOfLiveEdits(liveEdits)
  return [
    ...(conflict > 0 ? [`${conflict} in conflict`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(behind > 0 ? [`${behind} behind`] : []),
  ]
}

/** Fields with the same treatment, separated by what has set the live value. */
interface Group {
  readonly treatment: Treatment
  readonly by?: SettingRun['command']
}

/** In the order of a plan. */
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
      return `${changedBy(group).toUpperCase()} (lost with this plan: it sets what is declared)`
    case 'merged':
      return 'CHANGED ON BOTH SIDES (this plan sends both together)'
    case 'conflict':
      return group.by === undefined
        ? 'CONFLICT (changed in the product and in the repository; not sent)'
        : `CONFLICT (${changedBy(group)}, and changed in the repository; not sent)`
    case 'held':
      return `HELD (${changedBy(group)}; not sent)`
    case 'behind':
      return 'BEHIND (declared so by another commit; not sent)'
  }
}

function shortWords(group: Group): string {
  switch (group.treatment) {
    case 'reverted':
      return `taken back, ${changedBy(group)}`
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
  // An object in several groups shows its remedy once, in its last group.
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
