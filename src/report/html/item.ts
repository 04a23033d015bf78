import type { Action, Blocked, Change, Plan, Risk } from '../../core/change.ts'
import { ownersInTags } from '../../core/ownership.ts'
import { declarableKind } from '../../kinds/index.ts'
import type { Source } from '../../model/problem.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Document } from '../document.ts'
import { joinPieces } from '../format.ts'
import { placeOf, signs } from '../line-text.ts'
import {
  declaredByAll,
  type Item,
  type LineKind,
  type Mention,
  type People,
  type Report,
  type Section,
  type SectionKind,
  type Toned,
} from '../lines/report.ts'
import type { Details } from './details.ts'
import { detailsMarkup, html, type Markup, type Part } from './details-markup.ts'
import { type LineWithBars, linesWithBars, type Reach, reachMarkup } from './reach.ts'

/** One object: its change, the reason and the next step; unfolded, its state before and after. */
export function itemMarkup(shown: ShownItem): Markup {
  const { item, id, facts, isChange, sides, sourceUrl } = shown
  const { because, remark, alert, source, path } = item
  const place = source && linkedPlace(source, sourceUrl, path)
  return html`<li class="item" id="${id}"${attributes(facts)} tabindex="-1">
<div class="head">${titleMarkup(item)}${isChange ? changeMarkup(shown) : undefined}${peopleMarkup(facts)}${place && html`<p class="place">${place}</p>`}</div>
${alert === undefined ? undefined : html`<p class="alert"><b>Alert</b> ${alert}</p>`}${part('remark', remark)}${part('because', because)}${linesMarkup(linesWithBars(item.lines, shown.reach), sourceUrl)}${sidesMarkup(sides)}</li>
`
}

/** One object of a comparison: a row of cells, and below it its differences. */
export function rowMarkup({ item, id }: ShownItem): Markup {
  const { cells = [], differing = [], lines } = item
  const marked = cells.map((cell, at) =>
    differing.includes(at)
      ? html`<td class="differs">${cell} <span class="mark" aria-hidden="true">≠</span><span class="unseen">differs</span></td>`
      : html`<td>${cell}</td>`,
  )
  const fold = html`<tr><td colspan="${cells.length + 1}"><details class="both"><summary>Differences</summary>${linesMarkup(lines)}</details></td></tr>`
  return html`<tbody class="item${differing.length === 0 ? ' equal' : ''}" id="${id}" tabindex="-1">
<tr><th scope="row">${titleMarkup(item)}</th>${marked}</tr>${lines.length > 0 ? fold : undefined}</tbody>
`
}

function titleMarkup({ sign, name, became }: Item): Markup {
  const signed =
    sign &&
    html`<span class="sign ${signLooks[sign.text] ?? sign.tone ?? 'plain'}" aria-hidden="true">${sign.text}</span>`
  const end = became && html` <span class="became ${became.tone ?? 'plain'}">${became.text}</span>`
  return html`<h3>${signed}<span>${name}${end}</span></h3>`
}

/** `flags/checkout.yaml:12`, linked if its code host is known. */
function linkedPlace(source: Source, sourceUrl: string | undefined, path = source.file): Part {
  const place = placeOf({ ...source, file: path })
  const url = sourceUrl === undefined ? undefined : placeUrl(source, sourceUrl)
  return url === undefined ? place : html`<a href="${url}">${place}</a>`
}

/** The address of a place on a code host; undefined if it is outside of the folder. */
function placeUrl({ file, line }: Source, sourceUrl: string): string | undefined {
  const names = file.split('/')
  if (names.includes('..') || names.includes('') || /\\|\p{Surrogate}/u.test(file)) return undefined
  const path = names.map(encodeURIComponent).join('/')
  return sourceUrl.replace('{file}', () => path).replace('{line}', String(line))
}

function part(name: 'remark' | 'because', text: string | undefined): Part {
  return text === undefined || text === '' ? undefined : html`<p class="${name}">${text}</p>`
}

/** Attributes with the values for the filters. Search words are searched in the text. */
function attributes(facts: Facts | undefined): Part {
  if (!facts) return undefined
  const { action, risk, owners } = facts
  return [
    action === undefined ? undefined : html` data-action="${action}"`,
    risk === undefined ? undefined : html` data-risk="${risk}"`,
    owners.length === 0 ? undefined : html` data-owner="${JSON.stringify(owners)}"`,
  ]
}

/** A change in one word and its reach; for a run also its result. */
function changeMarkup({ facts, reach, item: { became } }: ShownItem): Part {
  const { action } = facts ?? {}
  return [
    action === undefined || became
      ? undefined
      : html`<span class="action ${actionLooks[action]}">${actionWord(action)}</span>`,
    reachMarkup(reach),
  ]
}

function peopleMarkup(facts: Facts | undefined): Part {
  const { owners = [], askedBy } = facts ?? {}
  return [
    owners.map(owner => html`<span class="chip">owner ${owner}</span>`),
    askedBy === undefined ? undefined : html`<span class="chip">by ${askedBy}</span>`,
  ]
}

/** Groups adjacent lines of the same kind into one list. */
function linesMarkup(lines: readonly LineWithBars[], sourceUrl?: string): Part {
  const runs: LineWithBars[][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.[0]?.is === line.is) last.push(line)
    else runs.push([line])
  }
  return runs.map(run => {
    const [{ is } = { is: 'detail' as const }] = run
    const rows = run.map(line => lineMarkup(line, sourceUrl))
    const lead = is === 'remedy' && run.length > 1 ? 'To go on, one of' : leads[is]
    return html`${lead === undefined ? undefined : html`<p class="lead">${lead}</p>`}<ul class="lines ${is}">${rows}</ul>`
  })
}

function lineMarkup({ words, depth = 0, source, bars }: LineWithBars, sourceUrl?: string): Markup {
  const look = depth > 0 ? 'deep' : bars ? 'of-condition' : codeLook(joinPieces(words))
  const text = [words.map(toned), source && html` <span class="at">${linkedPlace(source, sourceUrl)}</span>`]
  return html`<li${look === undefined ? undefined : html` class="${look}"`}>${bars ? html`<span>${text}</span>${bars}` : text}</li>`
}

/** An indented line is shown as code, so that source lines keep their columns; a changed one in its colour. */
function codeLook(text: string): string | undefined {
  const [, sign] = /^ {2}([-+@]?)/.exec(text) ?? []
  return sign === undefined ? undefined : `code ${codeLooks[sign] ?? ''}`.trim()
}

const codeLooks: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' }

const leads: Readonly<Partial<Record<LineKind, string>>> = { would: 'It would', remedy: 'To go on' }

export function toned({ text, tone = 'plain' }: Toned): Part {
  return tone === 'plain' ? text : html`<span class="${tone}">${text}</span>`
}

function sidesMarkup(sides: Sides): Part {
  if (sides.are === 'none') return undefined
  const summary = html`<summary>Before and after</summary>`
  return sides.are === 'here'
    ? html`<details class="both">${summary}${detailsMarkup(sides.details)}</details>`
    : html`<details class="both" data-kept="${sides.at}">${summary}</details>`
}

/** Where the page stores the two sides of a change. */
export type Sides =
  /** The change has no sides. */
  | { readonly are: 'none' }
  | { readonly are: 'here'; readonly details: Details }
  /** The page stores the sides as data, at this index. */
  | { readonly are: 'kept'; readonly at: number }

export interface ShownSection {
  readonly section: Section
  readonly items: readonly ShownItem[]
}

export interface ShownItem {
  readonly item: Item
  /** The id of the element in the page. */
  readonly id: string
  readonly facts: Facts | undefined
  /** Whether the object is in the section of its change, not shown with another object. */
  readonly isChange: boolean
  readonly sides: Sides
  readonly reach: Reach | undefined
  /** See `Report`. */
  readonly sourceUrl: string | undefined
}

/** The element id of a section, from its index. */
export function sectionId(at: number): string {
  return `part-${at + 1}`
}

/** Finds the element of an object in the page. An object with a change links to its change. */
export class Places {
  readonly #ofItem: ReadonlyMap<Item, string>
  readonly #ofAddress: ReadonlyMap<string, string>

  constructor(sections: readonly ShownSection[]) {
    const all = sections.flatMap(({ items }) => items)
    const changesLast = [
      ...all.filter(({ isChange }) => !isChange).reverse(),
      ...all.filter(({ isChange }) => isChange),
    ]
    this.#ofItem = new Map(all.map(({ item, id }) => [item, id]))
    this.#ofAddress = new Map(
      changesLast.flatMap(({ item: { address }, id }) => (address === undefined ? [] : [[address, id]])),
    )
  }

  ofItem(item: Item): string | undefined {
    return this.#ofItem.get(item)
  }

  of({ addresses }: Mention): string | undefined {
    return addresses.flatMap(address => this.#ofAddress.get(address) ?? [])[0]
  }
}

/** Facts about an object that people can filter by. */
interface Facts {
  readonly action?: Action
  readonly risk?: Risk
  readonly owners: readonly string[]
  readonly askedBy?: string
  readonly change?: Change
}

/** Facts of objects, by address. If one author made all changes, the author is shown elsewhere. */
export function factsOf(document: Document, report: Report): ReadonlyMap<string, Facts> {
  const { people = new Map<string, People>() } = report
  const { changes, blocked } = changedIn(document)
  const forAll = declaredByAll(report)
  return new Map<string, Facts>([
    // Held and drifted objects are not changes, but they have owners too.
    ...[...people.keys()].map(address => [address, peopleAt(address)] as const),
    ...blocked.map(each => [each.address, { action: each.action, ...peopleAt(each.address) }] as const),
    ...changes.map(change => [change.address, factsOfChange(change, peopleAt(change.address))] as const),
  ])

  function peopleAt(address: string): People {
    const { owners, askedBy } = people.get(address) ?? { owners: [] }
    return { owners, ...(askedBy === undefined || askedBy === forAll ? {} : { askedBy }) }
  }
}

interface Changed {
  readonly changes: readonly Change[]
  readonly blocked: readonly Blocked[]
  readonly groupTypes?: Plan['groupTypes'] | undefined
}

export function changedIn(document: Document): Changed {
  switch (document.is) {
    case 'plan':
    case 'saved_plan':
    case 'drift':
      return document.plan
    case 'run':
      return document
    default:
      return { changes: [], blocked: [] }
  }
}

function factsOfChange(change: Change, people: People): Facts {
  const { action, risk, kind, before, after } = change
  const inTags = ownersInTags(declarableKind(kind), { ...before, ...after })
  const owners = people.owners.length > 0 ? people.owners : inTags.map(escapeText)
  return { ...people, action, risk, owners, change }
}

/** The actions in the filter, in display order. */
export const actions: readonly Action[] = ['create', 'update', 'claim', 'restore', 'delete']

const actionLooks: Readonly<Record<Action, string>> = {
  create: 'added',
  update: 'changed',
  claim: 'changed',
  restore: 'added',
  delete: 'removed',
}

const signLooks = Object.fromEntries(actions.map(action => [signs[action], actionLooks[action]]))

export function actionWord(action: Action): string {
  return action === 'update' ? 'change' : action
}

/** The headings of sections without a title. */
const sectionWords: Readonly<Record<SectionKind, string>> = {
  changes: 'Changes',
  lost: 'Changed in the product',
  blocked: 'Blocked',
  conflict: 'Conflict',
  held: 'Held',
  drift: 'Drift',
  not_compared: 'Not compared',
  unchanged: 'Unchanged',
  events: 'Changes',
  comparison: 'Objects',
  runs: 'Runs',
  outcomes: 'Result of each object',
  tests: 'Tests that did not pass',
  passed_tests: 'Tests that passed',
  coverage: 'Not covered by tests',
  problems: 'Problems',
}

/** Splits a title such as `HELD (not sent)` into heading and note: `Held`, `not sent`. */
export function headingOf({ title, is, heads }: Pick<Section, 'title' | 'is' | 'heads'>): {
  readonly heading: string
  readonly note?: string
} {
  const [, name = title, note] = /^(.*?) \((.*)\)$/.exec(title) ?? []
  if (name === '') return { heading: heads ? `${heads[0]}s` : sectionWords[is] }
  const heading = name === name.toUpperCase() ? `${name.slice(0, 1)}${name.slice(1).toLowerCase()}` : name
  return note === undefined ? { heading } : { heading, note }
}
