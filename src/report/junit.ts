import { escapeText } from '../model/text/escape-text.ts'
import type { Document } from './document.ts'
import type { Format, View } from './format.ts'
import { itemWords, lineWords, pathOf } from './lines/items/item-words.ts'
import { resultOf } from './lines/items/result.ts'
import type { Item, Report, Result, Section, SectionKind } from './lines/report.ts'
import { reportOf } from './lines/report-of.ts'

/**
 * JUnit's XML, which every pipeline shows as test results: a test case for each object, or for each test of a flag. What keeps it from being as
 * declared has failed: a rule that blocks it, drift, a change that failed. What waits or is held is skipped.
 */
export const junit: Format = {
  render: (document, view) => [{ text: `${suitesOf(document, view).join('\n')}\n` }],
}

interface Case {
  readonly name: string
  readonly classname: string
  readonly results: readonly { readonly section: Section; readonly item: Item; readonly result: Result }[]
}

function suitesOf(document: Document, view: View): string[] {
  // Every object by itself, also those that are as declared.
  const whole = document.is === 'plan' ? { ...withoutSaved(document), showsUnchanged: true } : document
  const report = reportOf(whole, { isVerbose: true })
  const cases = report ? casesOf(report) : []
  const name = attribute(`vexil ${document.is === 'run' ? document.command : document.is}`)
  const about = attribute(report?.headline?.about ?? '')
  const counts = countsOf(cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${name} ${counts}>`,
    `  <testsuite name=${about} ${counts}>`,
    ...cases.flatMap(each => caseLines(each, view)),
    '  </testsuite>',
    '</testsuites>',
  ]
}

/** To read `saved` takes as long as to make the plan. */
function withoutSaved(document: Extract<Document, { is: 'plan' }>): Extract<Document, { is: 'plan' }> {
  const { is, plan, meta, deed, note, warnings, next, errors } = document
  return {
    is,
    plan,
    meta,
    saved: {},
    ...(deed === undefined ? {} : { deed }),
    ...(note === undefined ? {} : { note }),
    ...(warnings === undefined ? {} : { warnings }),
    ...(next === undefined ? {} : { next }),
    ...(errors === undefined ? {} : { errors }),
  }
}

/** An object that stands in several sections is one case. */
function casesOf({ is, sections }: Report): Case[] {
  const byKey = new Map<string, Case>()
  // What tests do not reach is no test.
  for (const [at, section] of sections.filter(({ is }) => is !== 'coverage').entries())
    for (const [index, item] of section.items.entries()) {
      const { address, rule } = item
      const isObject = address !== undefined && !areCases.has(section.is)
      const key = isObject ? address : `${at} ${index}`
      const before = byKey.get(key)
      const results = [...(before?.results ?? []), { section, item, result: resultOf(section, item) }]
      const ofFlag = section.is === 'problems' ? undefined : address
      const classname = isObject ? (address.split('.')[0] ?? '') : (ofFlag ?? rule ?? is)
      byKey.set(key, { name: before?.name ?? item.name, classname, results })
    }
  return [...byKey.values()]
}

/** Sections of which each item is a case, also where several are about one object. */
const areCases: ReadonlySet<SectionKind> = new Set(['problems', 'tests', 'passed_tests'])

function resultIn({ results }: Case): Result {
  const all = results.map(({ result }) => result)
  return all.includes('failed') ? 'failed' : all.includes('skipped') ? 'skipped' : 'passed'
}

function countsOf(cases: readonly Case[]): string {
  const of = (wanted: Result) => cases.filter(each => resultIn(each) === wanted).length
  return `tests="${cases.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped')}"`
}

function caseLines(each: Case, { folder }: View): string[] {
  const { name, classname, results } = each
  const place = placeOf(each, folder)
  const head = `<testcase name=${attribute(name)} classname=${attribute(classname)}${place}`
  const result = resultIn(each)
  const why = results.find(one => one.result === result)
  const out = results.filter(one => one !== why || result === 'passed').flatMap(({ item }) => itemText(item))
  return [
    `    ${head}>`,
    ...(why && result === 'failed'
      ? [
          `      <failure type=${attribute(why.item.rule ?? why.section.is)} message=${attribute(messageOf(why.item))}>${escaped(itemText(why.item).join('\n'))}</failure>`,
        ]
      : []),
    ...(why && result === 'skipped' ? [`      <skipped message=${attribute(messageOf(why.item))}/>`] : []),
    ...(out.length > 0 ? [`      <system-out>${escaped(out.join('\n'))}</system-out>`] : []),
    '    </testcase>',
  ]
}

/** On one line: why, as far as the item says it. */
function messageOf(item: Item): string {
  const [first] = item.lines
  return [
    itemWords(item),
    ...(item.remark === undefined ? [] : [item.remark]),
    ...(first ? [lineWords(first)] : []),
  ].join(': ')
}

function itemText(item: Item): string[] {
  const remark = item.remark === undefined ? '' : ` (${item.remark})`
  return [`${itemWords(item)}${remark}`, ...item.lines.map(lineWords)]
}

function placeOf({ results }: Case, folder: string | undefined): string {
  const [place] = results.flatMap(({ item }) => {
    const path = pathOf(item, folder)
    return path === undefined ? [] : [{ path, line: item.source?.line }]
  })
  if (!place) return ''
  const line = place.line === undefined ? '' : ` line="${place.line}"`
  return ` file=${attribute(escapeText(place.path))}${line}`
}

function attribute(text: string): string {
  return `"${escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`
}

function escaped(text: string): string {
  // XML has no way to say these two.
  const sayable = text.replace(/[\ufffe\uffff]/g, '\ufffd')
  return sayable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
