import type { LeftOut } from '../../core/change.ts'
import type { Document } from '../document.ts'
import { type Format, textOf } from '../format.ts'
import type { Item, Report, Section, SectionKind } from '../lines/report.ts'
import { reportOf } from '../lines/report-of.ts'
import { text } from '../text/text.ts'
import { type Details, detailsOf, type SideHeads, type TwoSided } from './details.ts'
import { changedIn, factsOf } from './facts.ts'
import { plainTitle } from './header.ts'
import { type Markup, html as markup } from './markup.ts'
import { pageMarkup } from './page.ts'
import { reportMarkup } from './report-markup.ts'
import type { ShownItem, ShownSection, Sides } from './shown.ts'

/** So many changes have their two sides in the page; of more, the page keeps them as data and shows them when asked. */
const mostWhole = 400

/**
 * One file for people who review: it asks for nothing else, and may not. All words are in the page, so it is read and
 * searched without scripts; these fold, filter and move about. Every object stands by itself, but for new grants of a flag
 * that changes as well.
 */
export const html: Format = {
  render: document => [{ text: htmlOf(document) }],
}

function htmlOf(document: Document): string {
  const report = reportOf(document, {
    isVerbose: document.is !== 'tests',
    isForReview: true,
    foldsGrants: true,
  })
  if (!report) return pageMarkup({ title: titleOf(document.is), body: plainMarkup(document), kept: [] }).text
  const { sections, kept } = shownSections(document, report)
  return pageMarkup({
    title: plainTitle(report, titleOf(document.is)),
    body: reportMarkup(report, sections, titleOf(document.is)),
    kept,
  }).text
}

function shownSections(document: Document, report: Report) {
  const facts = factsOf(document, report)
  const { leftOut, groupTypes } = changedIn(document)
  const many = [...facts.values()].filter(({ change }) => change).length + leftOut.length
  const kept: Details[] = []
  const told = new Set<string>()
  const shown = new Set<LeftOut>()
  let count = 0
  const sections = report.sections.map(
    (section): ShownSection => ({ section, items: section.items.map(item => shownItem(section, item)) }),
  )
  return { sections, kept }

  function shownItem({ is, columns = [] }: Section, item: Item): ShownItem {
    const { address = '' } = item
    const known = facts.get(address)
    // What is told of its live edits or beside it is told elsewhere.
    const isChange = known?.change !== undefined && changeSections.includes(is) && !told.has(address)
    if (isChange) told.add(address)
    count += 1
    return {
      item,
      id: `object-${count}`,
      facts: known,
      isChange,
      sides: isChange ? sidesOf(known?.change) : sidesLeftOut(is, address),
      columns,
    }
  }

  function sidesLeftOut(is: SectionKind, address: string): Sides {
    const ways = leftOutIn[is] ?? []
    const found = leftOut.find(each => each.address === address && ways.includes(each.is) && !shown.has(each))
    if (!found) return { are: 'none' }
    shown.add(found)
    return sidesOf(found, found.is === 'blocked' ? 'before_after' : 'live_declared')
  }

  function sidesOf(change: TwoSided | undefined, heads: SideHeads = 'before_after'): Sides {
    const details = change && detailsOf(change, heads, groupTypes)
    if (!details) return { are: 'none' }
    return many <= mostWhole
      ? { are: 'here', heads, details }
      : { are: 'kept', heads, at: kept.push(details) - 1 }
  }
}

/** What is told in a section of what a plan leaves out; a run tells all of it together. */
const leftOutIn: Readonly<Partial<Record<SectionKind, readonly LeftOut['is'][]>>> = {
  blocked: ['blocked', 'conflict', 'held', 'behind'],
  conflict: ['conflict'],
  held: ['held', 'behind'],
}

/** Where changes are told. */
const changeSections: readonly SectionKind[] = ['changes', 'events', 'drift']

/** What tells of no objects is shown as a terminal shows it. */
function plainMarkup(document: Document): Markup {
  return markup`<main id="report"><h1>${titleOf(document.is)}</h1><pre tabindex="0">${textOf(text.render(document, {}))}</pre></main>`
}

function titleOf(is: string): string {
  const words = is.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
