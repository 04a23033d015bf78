import { escapeText } from '../../model/text/escape-text.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type {
  CallDocument,
  Check,
  Document,
  ExportDocument,
  OperationsDocument,
  SandboxDocument,
  ShownQuirk,
  Verdict,
} from '../document.ts'
import { jsonText } from '../escape-json.ts'
import { type Format, type Piece, type View, wholeRun } from '../format.ts'
import { comparisonReport } from '../lines/comparison-report.ts'
import { driftReport } from '../lines/drift-report.ts'
import { historyReport } from '../lines/history-report.ts'
import { shownPlan } from '../lines/plan-report.ts'
import type { Report, Section } from '../lines/report.ts'
import { counted } from '../object-names.ts'
import { problemCounts, problemsText } from './problem-text.ts'
import { reportText, runLines } from './report-text.ts'
import { createStyle, type Style } from './style.ts'
import { editPieces } from './terminal-edit.ts'
import { evaluationText } from './terminal-evaluation.ts'
import { installationText } from './terminal-installation.ts'
import { planOriginText, planText } from './terminal-plan.ts'
import { referencesText } from './terminal-references.ts'
import { followInText } from './terminal-run.ts'
import { shownText } from './terminal-shown.ts'
import { staleText } from './terminal-stale.ts'
import { testsText } from './terminal-tests.ts'

/** For people: plain words at a terminal. */
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
      // Not the whole document: to read `saved` takes as long as to make the plan.
      const { plan, meta, deed, showsUnchanged, note, warnings } = document
      const next = isQuiet ? undefined : document.next
      const noted = note === undefined ? '' : `${escapeText(note)}\n`
      const listed = view.isReport ? warnings : []
      const told = planText(plan, { meta, deed, next, showsUnchanged, style, isVerbose, warnings: listed })
      return [{ text: `${told}${noted}` }]
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
      return document.removed ? [{ text: 'removed\n' }] : [beside('no lock is held here\n')]
    case 'installation':
      return [{ text: installationText(document) }]
    case 'call':
      return [callPiece(document, view)]
    case 'operations':
      return [{ text: operationsText(document) }]
    case 'failure': {
      const { problems, line } = document
      return [beside(`${problemsText(problems)}${line === undefined ? '' : `${line}\n`}`)]
    }
  }
}

function exportPieces({ declarations: { yaml, written, notes } }: ExportDocument): readonly Piece[] {
  const paths = written.map(path => `wrote ${escapeText(path)}`)
  return [{ text: `${yaml ?? ''}${linesText(paths)}` }, beside(linesText(notes.map(escapeText)))]
}

/** JSON in a form that is safe everywhere, other text as it came. */
function callPiece({ status, body, text: came }: CallDocument, { isTerminal }: View): Piece {
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

/** Every operation with what it takes, as it is written after `vexil call`. */
function operationsText({ operations }: OperationsDocument): string {
  const lines = operations.map(({ operation, required, optional, takesBody, doc }) => {
    const given = [...required.map(name => `${name}=`), ...optional.map(name => `[${name}=]`)]
    return `${[operation, ...given, ...(takesBody ? ['--body'] : [])].join(' ')}\n    ${doc}\n`
  })
  return lines.join('')
}

function notePieces(notes: readonly string[]): readonly Piece[] {
  return notes.length === 0 ? [] : [beside(linesText(notes.map(escapeText)))]
}

function beside(said: string): Piece {
  return { text: said, isBeside: true }
}

function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}

/** One line for each check. */
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

/** Runs and outcomes at a terminal, line after line. */
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

/** Where a stand-in listens, with what a shell needs to use it. */
function sandboxText(document: SandboxDocument): string {
  const { url, profile, apiKey, organization, project, projectToken, projects, roles } = document
  const lines = [
    `listening on ${url}`,
    '',
    `export VEXIL_BASE_URL=${url}`,
    `export VEXIL_API_KEY=${shellWord(apiKey)}`,
    `export VEXIL_ORGANIZATION_ID=${organization}`,
    `export VEXIL_PROJECT_ID=${project}`,
    ...(profile === 'documented' ? [] : [`export VEXIL_PROFILE=${profile}`]),
    '',
    `projects: ${projects.join(', ')}`,
    `token of project ${project}, for SDKs: ${projectToken}`,
    ...roles.map(({ id, name }) => `role ${escapeText(name)}: ${id}`),
    '',
  ]
  return lines.join('\n')
}
