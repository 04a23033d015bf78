import { byAddress } from '../../core/change.ts'
import type { LiveEdit, LiveEditField, Treatment } from '../../core/live-edits/live-edit.ts'
import { countsOfLiveEdits } from '../../core/live-edits/live-edit-counts.ts'
import { durationText } from '../../model/text/duration-text.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { nameOf } from '../object-names.ts'
import { timeLine } from './place-words.ts'
import { aLine, type Item, type Line, type Manner, type Section, type SectionKind } from './report.ts'

/**
 * What was changed in the product, as a plan tells it. What is about to be lost comes first in a plan, what stays as it
 * is after what is blocked.
 *
 * | treatment  | stands                                   |
 * |------------|------------------------------------------|
 * | `reverted` | before the changes: it is going to be lost |
 * | `merged`   | before the changes                       |
 * | `conflict` | after what is blocked                    |
 * | `held`     | after what is blocked                    |
 * | `behind`   | after what is blocked                    |
 */
export function sentLiveEditSections({ liveEdits, changes }: Edited, manner: Manner): Section[] {
  const changed = new Set(changes.map(({ address }) => address))
  return sections(
    liveEdits.filter(({ address }) => changed.has(address)),
    ['reverted', 'merged'],
    manner,
  )
}

/** What a plan says of live edits and of what it sends. */
interface Edited {
  readonly liveEdits: readonly LiveEdit[]
  readonly changes: readonly { readonly address: string }[]
}

/** All of them, as `drift` tells them. */
export function liveEditSections(liveEdits: readonly LiveEdit[], manner: Manner): Section[] {
  return sections(liveEdits, order, manner)
}

/** Those of which nothing is sent, and those of objects whose change is blocked: nothing is lost of them yet. */
export function leftOutLiveEditSections({ liveEdits, changes }: Edited, manner: Manner): Section[] {
  const changed = new Set(changes.map(({ address }) => address))
  const waiting = liveEdits.filter(({ address }) => !changed.has(address))
  return [
    ...sections(liveEdits, ['conflict', 'held', 'behind'], manner),
    ...sections(waiting, ['reverted', 'merged'], manner, {
      ...titles,
      reverted: waitingTitle,
      merged: waitingTitle,
    }),
  ]
}

/** Once more beside what was done: a line for each object, and how to go on. */
export function leftOutLiveEdits(liveEdits: readonly LiveEdit[]): Item[] {
  const leftOut: readonly Treatment[] = ['conflict', 'held', 'behind']
  return [...liveEdits].sort(byAddress).flatMap(edit => {
    const parts = leftOut.flatMap(treatment => {
      const names = fieldsOf(edit, treatment).map(({ field }) => field)
      return names.length === 0 ? [] : [`${listed(names)} ${shortWords[treatment]}`]
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

/** The counts of the last line of a plan; nothing of what there is none. */
export function liveEditParts(liveEdits: readonly LiveEdit[]): string[] {
  const { held = 0, conflict = 0, behind = 0 } = countsOfLiveEdits(liveEdits)
  return [
    ...(conflict > 0 ? [`${conflict} in conflict`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(behind > 0 ? [`${behind} behind`] : []),
  ]
}

const titles: Readonly<Record<Treatment, string>> = {
  reverted: 'CHANGED IN THE PRODUCT (lost with this plan: it sets what is declared)',
  merged: 'CHANGED ON BOTH SIDES (this plan sends both together)',
  conflict: 'CONFLICT (changed in the product and in the repository; not sent)',
  held: 'HELD (changed in the product; not sent)',
  behind: 'BEHIND (declared so by another commit; not sent)',
}

const sectionKinds: Readonly<Record<Treatment, SectionKind>> = {
  reverted: 'lost',
  merged: 'lost',
  conflict: 'conflict',
  held: 'held',
  behind: 'held',
}

const waitingTitle = 'CHANGED IN THE PRODUCT (nothing of it is written: its change is blocked)'

const shortWords: Readonly<Record<Treatment, string>> = {
  reverted: 'taken back, changed in the product',
  merged: 'merged, changed in the product',
  conflict: 'changed in the repository, and in the product',
  held: 'held, changed in the product',
  behind: 'behind, declared by another commit',
}

function sections(
  liveEdits: readonly LiveEdit[],
  treatments: readonly Treatment[],
  manner: Manner,
  titlesOf = titles,
): Section[] {
  const sorted = [...liveEdits].sort(byAddress)
  return treatments.flatMap(treatment => {
    const told = sorted.filter(edit => fieldsOf(edit, treatment).length > 0)
    if (told.length === 0) return []
    const items = told.map(edit => itemOf(edit, treatment, manner))
    return [{ is: sectionKinds[treatment], title: titlesOf[treatment], items }]
  })
}

function itemOf(edit: LiveEdit, treatment: Treatment, { now }: Manner): Item {
  const { address, source } = edit
  // An object with several kinds of them says what to do about it once, where it is told last.
  const isLast = lastTreatment(edit) === treatment
  return {
    address,
    sign: { text: '=', tone: 'caution' },
    name: nameOf(edit),
    ...(source && { source }),
    lines: [
      ...fieldsOf(edit, treatment).flatMap(field => [
        aLine('detail', escapeText(`${field.field}: ${wordsFor(field)}${whoText(field, now)}`)),
        ...field.summary.map(line => aLine('detail', escapeText(line), { depth: 1 })),
      ]),
      ...(isLast ? remedyLines(edit) : []),
    ],
  }
}

/** What an undo or a disable has set was not changed by a click. */
function wordsFor({ treatment, evidence }: LiveEditField): string {
  return treatment === 'held' && evidence === 'run'
    ? 'held, put so by a run on record,'
    : shortWords[treatment]
}

/** ` by ada@example.com 3 days ago (2026-11-21 02:00:00 UTC) ("pager"), held for 2 days (since 2026-11-22 03:00:00 UTC)`. */
function whoText({ author, heldSince, commit }: LiveEditField, now: number | undefined): string {
  const { name, at, reason } = author ?? {}
  const by = name === undefined ? '' : ` by ${name}`
  const when = at === undefined ? '' : agoText(at, now)
  const why = reason === undefined ? '' : ` (${JSON.stringify(reason)})`
  const since = heldSince === undefined ? '' : `, held ${forText(heldSince, now)}`
  const of = commit === undefined ? '' : ` (${commit.slice(0, 12)})`
  return `${of}${by}${when}${why}${since}`
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

function fieldsOf({ fields }: LiveEdit, treatment: Treatment): readonly LiveEditField[] {
  return fields.filter(field => field.treatment === treatment)
}

/** In the order in which a plan tells them. */
const order: readonly Treatment[] = ['reverted', 'merged', 'conflict', 'held', 'behind']

function lastTreatment(edit: LiveEdit): Treatment | undefined {
  return order.filter(treatment => fieldsOf(edit, treatment).length > 0).at(-1)
}

function listed(names: readonly string[]): string {
  return names.join(', ')
}
