import type { Risk } from '../core/change.ts'
import type { PlanMeta } from '../core/record/plan-file.ts'
import type { ShownLeaf, ShownObject } from '../model/problem.ts'
import { canonicalText, isJsonArray, isJsonObject, type Json } from '../model/text/json.ts'
import { pointerOf, segmentsOf } from '../model/text/pointer.ts'
import { escapeText, shellWord } from '../model/text/printable.ts'
import { columnsOf, padColumns } from '../model/text/text-layout.ts'
import type {
  CallDocument,
  Check,
  Document,
  EnvironmentsDocument,
  ExportDocument,
  InstallationDocument,
  OperationsDocument,
  PlanDocument,
  ReferencesDocument,
  RunDocument,
  RunHead,
  SandboxDocument,
  ShownPlan,
  ShownQuirk,
  Verdict,
} from './document.ts'
import { editPieces, staleText } from './edit-text.ts'
import {
  type Following,
  type Format,
  joinPieces,
  jsonText,
  type Piece,
  type View,
  wholeRun,
} from './format.ts'
import { counted, createStyle, placeOf, problemCounts, problemsText, type Style } from './line-text.ts'
import { evaluationText, testsText, withWarnings } from './lines/checks-report.ts'
import { atCommit, madeText, placeLine } from './lines/place-words.ts'
import { driftReport, type PlanManner, planReport, shownPlan } from './lines/plan-report.ts'
import type { Headline, Item, Line, Report, Section, Toned } from './lines/report.ts'
import { comparisonReport, environmentsTable, historyReport } from './lines/report-of.ts'
import { followItems, runEnd } from './lines/run-report.ts'

/** For people: plain text for a terminal. */
export const text: Format = {
  render: (document, view) => piecesOf(document, styleOf(view), view),
  follow: (head, view) => followInText(head, { style: styleOf(view), isVerbose: view.isVerbose }),
}

function styleOf({ isColourful = false }: View): Style {
  return createStyle(isColourful)
}

function piecesOf(document: Document, style: Style, view: View): readonly Piece[] {
  const { isVerbose, isQuiet } = view
  switch (document.is) {
    case 'plan': {
      // Only these members, because reading `saved` takes as long as making the plan.
      const { plan, meta, deed, showsUnchanged, note, warnings } = document
      const next = isQuiet ? undefined : document.next
      const noted = note === undefined ? '' : `${escapeText(note)}\n`
      const listed = view.isReport ? warnings : []
      const planned = planText(plan, { meta, deed, next, showsUnchanged, style, isVerbose, warnings: listed })
      return [{ text: `${planned}${noted}` }]
    }
    case 'saved_plan': {
      const { plan, isBrief } = document
      const next = isQuiet ? undefined : document.next
      if (isBrief) return [{ text: planOriginText(plan.meta, style) }]
      return [{ text: planText(shownPlan(plan), { meta: plan.meta, style, next, isVerbose }) }]
    }
    case 'drift':
      return [{ text: reportText(driftReport(document, { isVerbose }), style) }]
    case 'run':
      return [{ text: wholeRun(followInText(document, { style, isVerbose }), document) }]
    case 'validation': {
      const { files, problems, shown = [] } = document
      const found = problemCounts(problems.map(({ problem }) => problem))
      const verdict = problems.length === 0 ? 'no problems' : found
      return [
        beside(problemsText(problems)),
        ...shown.map(one => ({ text: `${shownText(one, style)}\n` })),
        { text: `${counted(files.length, 'file')} checked: ${verdict}\n` },
      ]
    }
    case 'export':
      return exportPieces(document)
    case 'edit':
      return editPieces(isQuiet ? { ...document, next: undefined } : document, style)
    case 'evaluation':
      return [{ text: evaluationText(document.flags, style) }]
    case 'tests':
      return [beside(problemsText(document.problems)), { text: testsText(document, style) }]
    case 'comparison':
      return [{ text: reportText(comparisonReport(document), style) }]
    case 'references':
      return [...notePieces(document.notes), { text: referencesText(document, style) }]
    case 'stale_flags':
      return [...notePieces(document.notes), { text: staleText(document, style) }]
    case 'history':
      return [{ text: historyText(historyReport(document), style) }]
    case 'doctor':
      return [{ text: doctorText(document.checks, style) }]
    case 'sandbox':
      return [{ text: sandboxText(document) }]
    case 'quirks':
      return [{ text: document.quirks.map(quirkText).join('') }]
    case 'init': {
      const files = document.files.map(({ path, state }) => `${state.padEnd(5)} ${escapeText(path)}`)
      const next = isQuiet ? '' : `\nNext: ${escapeText(document.next)}\n`
      return [{ text: `${linesText(files)}${next}` }]
    }
    case 'unlock':
      return document.removed ? [{ text: 'removed\n' }] : [beside('there is no lock here\n')]
    case 'installation':
      return [{ text: installationText(document) }]
    case 'call':
      return [callPiece(document, view)]
    case 'operations':
      return [{ text: operationsText(document) }]
    case 'environments':
      return environmentPieces(document, style, view)
    case 'environment_list': {
      const rows = document.environments.map(each => [each.name, each.project, each.base_url].map(cellText))
      const widths = [0, 1].map(at => Math.max(0, ...rows.map(row => columnsOf(row[at] ?? ''))))
      const lines = rows.map(row =>
        row
          .map((cell, at) => padColumns(cell, widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      return [{ text: linesText(lines.length > 0 ? lines : ['no environments']) }]
    }
    case 'failure': {
      const { problems, line } = document
      return [beside(`${problemsText(problems)}${line === undefined ? '' : `${line}\n`}`)]
    }
  }
}

/** The text of each environment below its name, then a table of all. */
function environmentPieces(document: EnvironmentsDocument, style: Style, view: View): readonly Piece[] {
  const parts = document.environments.flatMap(({ name, document: part }) => {
    const pieces = part ? piecesOf(part, style, view) : []
    const shown = joinPieces(pieces.filter(({ isBeside }) => !isBeside))
    return shown === '' ? [] : [{ text: `${style.bold(`--- ${escapeText(name)}`)}\n${shown}\n` }]
  })
  return [
    beside(problemsText(document.problems)),
    ...parts,
    { text: reportText(environmentsTable(document), style) },
  ]
}

function cellText(value: string | undefined): string {
  return escapeText(value ?? '')
}

function exportPieces({ declarations: { yaml, written, notes } }: ExportDocument): readonly Piece[] {
  const paths = written.map(path => `wrote ${escapeText(path)}`)
  return [{ text: `${yaml ?? ''}${linesText(paths)}` }, beside(linesText(notes.map(escapeText)))]
}

/** JSON is escaped for safe output. Other text is printed unchanged. */
function callPiece({ status, body, text: came = '' }: CallDocument, { isTerminal }: View): Piece {
  if (body !== null) return { text: `${jsonText(body, 2)}\n` }
  if (came === '') return beside(`${status}, no body\n`)
  const shown = isTerminal ? came.replaceAll('\r\n', '\n') : came
  return { text: shown.endsWith('\n') ? shown : `${shown}\n` }
}

function quirkText({ name, doc, takes, profiles }: ShownQuirk): string {
  const values = Object.entries(profiles).map(([profile, value]) => `${profile}: ${value}`)
  const taken = takes === 'number' ? 'N' : takes.join('|')
  return `${name}=${taken}\n    ${doc} (${values.join(', ')})\n`
}

/** Every operation with its arguments, as `vexil call` accepts them. */
function operationsText({ operations }: OperationsDocument): string {
  const lines = operations.map(({ operation, required, optional, takes_body: takesBody, doc }) => {
    const given = [...required.map(name => `${name}=`), ...optional.map(name => `[${name}=]`)]
    return `${[operation, ...given, ...(takesBody ? ['--body'] : [])].join(' ')}\n    ${doc}\n`
  })
  return lines.join('')
}

function notePieces(notes: readonly string[]): readonly Piece[] {
  return notes.length === 0 ? [] : [beside(linesText(notes.map(escapeText)))]
}

function beside(value: string): Piece {
  return { text: value, isBeside: true }
}

function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}

function doctorText(checks: readonly Check[], style: Style): string {
  const signs: Readonly<Record<Verdict, string>> = {
    ok: style.good('ok         '),
    note: style.caution('note       '),
    failed: style.bad('FAILED     '),
    not_checked: style.dim('not checked'),
  }
  const columns = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(
      ({ name, verdict, summary }) => `${signs[verdict]} ${name.padEnd(columns)}  ${escapeText(summary)}\n`,
    )
    .join('')
}

function historyText({ sections }: Report, style: Style): string {
  return sections.flatMap(section => sectionLines(section, style).map(line => `${line}\n`)).join('')
}

function sectionLines({ is, items }: Section, style: Style): string[] {
  if (is === 'runs') return items.flatMap(item => runLines(item, style))
  return items.map(({ became, name, remark }) => {
    const beside = remark === undefined ? '' : `  ${style.dim(remark)}`
    return `    ${(became?.text ?? '').padEnd(14)}${name}${beside}`
  })
}

/** The address of a sandbox, and the variables for a shell. */
function sandboxText(document: SandboxDocument): string {
  const { base_url: url, profile, organization, project, projects, roles, page, flagsOf } = document
  const pageLine = page === undefined ? [] : [`page: ${page}`]
  if (flagsOf !== undefined) {
    return linesText([
      `flags of ${escapeText(flagsOf)} on ${url}`,
      ...pageLine,
      '',
      `host for SDKs: ${url}`,
      `project token: ${document.project_token}`,
      `key for local evaluation: ${document.api_key}`,
    ])
  }
  const lines = [
    `listening on ${url}`,
    ...pageLine,
    '',
    `export VEXIL_BASE_URL=${url}`,
    `export VEXIL_API_KEY=${shellWord(document.api_key)}`,
    `export VEXIL_ORGANIZATION_ID=${organization}`,
    `export VEXIL_PROJECT_ID=${project}`,
    ...(profile === 'documented' ? [] : [`export VEXIL_PROFILE=${profile}`]),
    '',
    `projects: ${projects.join(', ')}`,
    `token of project ${project}, for SDKs: ${document.project_token}`,
    ...roles.map(({ id, name }) => `role ${escapeText(name)}: ${id}`),
    '',
  ]
  return lines.join('\n')
}

/** The column of the positions. A longer line moves its position to the right. */
const widestLine = 56

interface ShownLine {
  readonly text: string
  /** The source of the value in this line. */
  readonly leaf?: Pick<ShownLeaf, 'source' | 'by' | 'audience'>
}

/** An object as YAML, with the position of each value. */
export function shownText(shown: ShownObject, style: Style): string {
  const { section, name, source, environment } = shown
  const byPointer = new Map(shown.leaves.map(leaf => [leaf.pointer, leaf]))
  const lines: ShownLine[] = [
    { text: `${keyText(section)}:` },
    { text: `  ${keyText(name)}:`, leaf: { source, by: 'declaration' } },
    ...valueLines(shown.value, '', '    ', { byPointer, leaves: shown.leaves }),
  ]
  const width = Math.min(widestLine, Math.max(...lines.map(({ text }) => columnsOf(text))))
  return lines
    .map(({ text, leaf }) =>
      leaf ? `${padColumns(text, width)}  ${style.dim(`# ${noteOf(leaf, environment)}`)}\n` : `${text}\n`,
    )
    .join('')
}

interface Leaves {
  readonly byPointer: ReadonlyMap<string, ShownLeaf>
  readonly leaves: readonly ShownLeaf[]
}

function valueLines(value: Json, pointer: string, indent: string, leaves: Leaves): ShownLine[] {
  const entries: (readonly [string, Json, string])[] = isJsonArray(value)
    ? value.map((element, index) => ['-', element, pointer + pointerOf(index)])
    : isJsonObject(value)
      ? Object.entries(value).map(([key, member]) => [`${keyText(key)}:`, member, pointer + pointerOf(key)])
      : []
  return entries.flatMap(([head, member, at]) => {
    const leaf = leaves.byPointer.get(at)
    if (!leaf) return [{ text: `${indent}${head}` }, ...valueLines(member, at, `${indent}  `, leaves)]
    return [
      { text: `${indent}${head} ${scalarText(member)}`, leaf },
      ...sharedLines(at, `${indent}  `, leaves),
    ]
  })
}

/** The members of an audience, below its name: they are not part of the declaration. */
function sharedLines(pointer: string, indent: string, { leaves }: Leaves): ShownLine[] {
  return leaves
    .filter(leaf => leaf.by === 'audience' && leaf.pointer.startsWith(`${pointer}/`))
    .map(leaf => {
      const steps = segmentsOf(leaf.pointer.slice(pointer.length)).map(stepText)
      return { text: `${indent}# ${steps.join(' ')}: ${scalarText(leaf.value)}`, leaf }
    })
}

function noteOf(
  { source, by, audience }: NonNullable<ShownLine['leaf']>,
  environment: string | undefined,
): string {
  switch (by) {
    case 'declaration':
      return placeOf(source)
    case 'override':
      return `${placeOf(source)} (${escapeText(environment ?? '')})`
    case 'default':
      return `${placeOf(source)} (default)`
    case 'audience':
      return `${placeOf(source)} (audience ${escapeText(audience ?? '')})`
  }
}

function keyText(key: string): string {
  return isPlain(key) ? key : quotedText(key)
}

/** The index of an element is not a key. */
function stepText(step: string): string {
  return /^\d+$/.test(step) ? step : keyText(step)
}

function scalarText(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? value : quotedText(value)
  return canonicalText(value)
}

function quotedText(text: string): string {
  return escapeText(JSON.stringify(text))
}

/** Words that some YAML readers take for something else than text. */
const otherWords = /^(?:y|n|yes|no|on|off|true|false|null)$/i

function isPlain(text: string): boolean {
  return /^[A-Za-z_][\w.@/-]*(?: [\w.@/-]+)*$/.test(text) && !otherWords.test(text)
}

/** References to flags, for people. Each reference has line and column, so that editors can open it. */
export function referencesText(document: ReferencesDocument, style: Style): string {
  const { flags, undeclared, shows } = document
  const listed = flags.map(flag => (shows === 'references' ? flagText(flag, style) : unusedText(flag)))
  const unknown = undeclared.map(call => undeclaredText(call, style))
  return `${listed.join('')}${unknown.join('')}${totalText(document)}\n`
}

function flagText(
  { key, declared, references }: ReferencesDocument['flags'][number],
  { bold, dim }: Style,
): string {
  const count = references.length === 0 ? 'no reference' : counted(references.length, 'reference')
  const absent = declared === 'absent' ? ', declared absent' : ''
  const lines = references.map(
    ({ path, line, column, kind, call }) =>
      `    ${escapeText(path)}:${line}:${column}  ${dim(call ?? kind)}\n`,
  )
  return `${bold(escapeText(key))}  ${count}${absent}\n${lines.join('')}`
}

function unusedText({ key }: ReferencesDocument['flags'][number]): string {
  return `${escapeText(key)} is declared but not found in code\n`
}

function undeclaredText(
  { key, path, line, column, call, declared, meant }: ReferencesDocument['undeclared'][number],
  { bold }: Style,
): string {
  const what = declared === 'absent' ? 'is declared absent' : 'is not declared'
  const hint = meant === null ? '' : `; did you mean "${escapeText(meant)}"?`
  return `${bold(`${escapeText(path)}:${line}:${column}`)} ${call} asks for "${escapeText(key)}", which ${what}${hint}\n`
}

function totalText({ flags, undeclared, unused, shows, searched, unsearched }: ReferencesDocument): string {
  const passed = unsearched.filter(({ why }) => why === 'too_large' || why === 'unreadable')
  const rest = unsearched.length - passed.length
  const left = [
    ...passed.map(
      ({ path, why }) => `${escapeText(path)} (${why === 'too_large' ? 'over 2 MiB' : 'unreadable'})`,
    ),
    ...(rest > 0 ? [`${rest} that ${rest === 1 ? 'is binary or a link' : 'are binary or links'}`] : []),
  ]
  const files = `${counted(searched, 'file')} searched${left.length === 0 ? '' : `, not ${left.join(', ')}`}`
  if (shows === 'references') return `${counted(flags.length, 'flag')}, ${unused} of them unused; ${files}`
  const found = flags.length + undeclared.length
  return found === 0 ? `nothing found; ${files}` : `${found} found; ${files}`
}

/** `vexil terraform install`, for people: the installed files, and how to use them. */
export function installationText(document: InstallationDocument): string {
  const { provider, version, platform, directory, folders, next } = document
  const parts = [`installed ${provider} ${version} for ${platform} in ${escapeText(directory)}\n`]
  if (folders.some(({ state }) => state === 'replaced')) parts.push(anew)
  parts.push(document.isFoundByItself ? usage(document) : `${escapeText(next)}\n`)
  return parts.join('\n')
}

const anew = `This replaced another provider of the same version. If a configuration used it, remove .terraform.lock.hcl and run
terraform init again.
`

function usage({ provider, version, next }: InstallationDocument): string {
  return `Require the provider in a configuration, then run ${next}, or tofu init:

terraform {
  required_providers {
    vexil = { source = "${provider}", version = "${version}" }
  }
}
`
}

interface PlanTextOptions extends PlanManner, Pick<PlanDocument, 'warnings'> {
  readonly style: Style
}

export function planText(plan: ShownPlan, { style, warnings, ...manner }: PlanTextOptions): string {
  return reportText(withWarnings(planReport(plan, manner), warnings, manner.isVerbose), style)
}

/** The origin of a saved plan, shown before an apply; empty if the plan has no time. */
export function planOriginText(meta: PlanMeta, style: Style): string {
  const origin = [madeText(meta), atCommit(meta)].filter(words => words !== '').join(' ')
  return origin === '' ? '' : `${style.dim(`saved plan for ${placeLine(meta)} ${origin}`)}\n`
}

/** A run for a terminal, line by line while it proceeds. */
export function followInText(head: RunHead, manner: Pick<PlanTextOptions, 'style' | 'isVerbose'>): Following {
  const { style } = manner
  const following = followItems(head, manner)
  return {
    event: event => itemsText(following.event(event), style),
    end: run => `${itemsText(following.end(), style)}${endText(run, manner)}`,
  }
}

function endText(run: RunDocument, manner: Pick<PlanTextOptions, 'style' | 'isVerbose'>): string {
  const { style } = manner
  const { leftOut, counts, advice, record } = runEnd(run, manner)
  const summary =
    counts.length === 0 ? '' : `\n${countsText(counts, style)}.${advice === '' ? '' : ` ${advice}`}\n`
  const recorded = record === undefined ? '' : `${style.dim(`run: ${record}`)}\n`
  return `${itemsText(leftOut, style)}${summary}${recorded}`
}

function itemsText(items: readonly Item[], style: Style): string {
  return items
    .flatMap(item => itemLines(item, style))
    .map(line => `${line}\n`)
    .join('')
}

/** The column of the positions. A longer name moves its position to the right. */
const nameColumns = 48

/** The largest width of the name column. A longer name moves its cells to the right. */
const widestName = 48

/** A report for a terminal, with an empty line between its parts. */
export function reportText(report: Report, style: Style): string {
  const { headline, reading = [], sections, notes } = report
  const parts = [
    [...(headline ? [headlineText(headline, style)] : []), ...alertLines(report, style)],
    reading.map(style.dim),
    ...sections.map(section => titledLines(section, style)),
    notes,
    endLines(report, style),
  ]
  const shown = parts.filter(lines => lines.length > 0)
  return `${shown.map(lines => lines.join('\n')).join('\n\n')}\n`
}

/** Alerts come first, and again before the question at the end. */
function alertLines({ alerts }: Report, style: Style): string[] {
  return alerts.map(alert => `  ${style.bad(style.bold(`!! ${alert}`))}`)
}

function headlineText({ verdict, risk, about }: Headline, style: Style): string {
  if (risk === undefined) return `${style.bold(verdict)}: ${about}`
  const [word, rest] = [verdict.slice(0, risk.length), verdict.slice(risk.length)]
  return `${style.bold(`${riskText(word, risk, style)}${rest}`)}: ${about}`
}

function endLines(report: Report, style: Style): string[] {
  const { counts, closing, risk, next } = report
  const highest = risk === undefined ? '' : `Highest risk: ${riskText(risk, risk, style)}. `
  return [
    ...(counts.length > 0 ? [countsText(counts, style)] : []),
    ...closing,
    ...(counts.length > 0 ? alertLines(report, style) : []),
    ...(next === undefined ? [] : [`${highest}Next: ${next}`]),
  ]
}

function countsText(counts: readonly Toned[], style: Style): string {
  return counts.map(words => toned(words, style)).join(', ')
}

function titledLines({ title, risk, columns, items }: Section, style: Style): string[] {
  const words = risk === undefined ? title : riskText(title, risk, style)
  const lines = columns ? tableLines(items, columns, style) : items.flatMap(item => itemLines(item, style))
  return [...(title === '' ? [] : [style.bold(words)]), ...lines]
}

/** An item with its lines below it and its position on the right. */
export function itemLines(item: Item, style: Style): string[] {
  const { sign, name, became, because, remark, lines } = item
  const lead = sign === undefined ? '    ' : `  ${toned(sign, style)} `
  const words = [
    name,
    ...(became === undefined ? [] : [` ${toned(became, style)}`]),
    ...(because === undefined ? [] : [`: ${because}`]),
    ...(remark === undefined ? [] : [`  ${style.dim(remark)}`]),
  ].join('')
  // The result of a change is printed when it happens, in lines of any length.
  const place = became === undefined ? placeOf(item.source) : ''
  const head = place === '' ? words : `${padColumns(words, nameColumns)}  ${style.dim(place)}`
  return [`${lead}${head}`, ...detailLines(lines, style, '      ')]
}

export function runLines({ name, remark, lines }: Item, style: Style): string[] {
  const head = remark === undefined ? style.bold(name) : `${style.bold(name)}  ${remark}`
  return [head, ...detailLines(lines, style, '    ')]
}

function detailLines(lines: readonly Line[], style: Style, indent: string): string[] {
  return lines.map((line, index) => {
    const isFirst = lines[index - 1]?.is !== line.is
    const words = `${leadOf(line, isFirst)}${line.words.map(each => toned(each, style)).join('')}`
    return `${indent}${'  '.repeat(line.depth ?? 0)}${isFaint(line) ? style.dim(words) : words}`
  })
}

function leadOf({ is }: Line, isFirst: boolean): string {
  switch (is) {
    case 'would':
      return isFirst ? 'would: ' : '       '
    case 'remedy':
      return isFirst ? 'to go on: ' : '      or: '
    case 'detail':
    case 'why':
    case 'names':
      return ''
  }
}

function isFaint({ is }: Line): boolean {
  return is === 'remedy' || is === 'names'
}

function tableLines(items: readonly Item[], columns: readonly string[], style: Style): string[] {
  const names = items.map(({ sign, name }) => `  ${sign ? toned(sign, style) : ' '} ${name}`)
  const first = Math.min(widestName, Math.max(...names.map(columnsOf)))
  const widths = columns.map((column, index) =>
    Math.max(columnsOf(column), ...items.map(({ cells = [] }) => columnsOf(cells[index] ?? ''))),
  )
  const row = (name: string, cells: readonly string[]) =>
    [padColumns(name, first), ...cells.map((cell, index) => padColumns(cell, widths[index] ?? 0))]
      .join('  ')
      .trimEnd()
  return [
    style.dim(row('', columns)),
    ...items.flatMap(({ cells = [], lines }, index) => [
      row(names[index] ?? '', cells),
      ...detailLines(lines, style, '      '),
    ]),
  ]
}

function toned({ text, tone = 'plain' }: Toned, style: Style): string {
  if (tone === 'plain') return text
  return style[tone === 'faint' ? 'dim' : tone](text)
}

function riskText(text: string, risk: Risk, style: Style): string {
  return style[riskTones[risk]](text)
}

const riskTones = { low: 'good', medium: 'caution', high: 'bad', critical: 'bad' } as const
