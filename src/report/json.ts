import { comparisonCounts } from '../core/comparison.ts'
import { liveEditToJson } from '../core/record/change-json.ts'
import { historyDocument } from '../core/record/history.ts'
import type {
  ComparisonDocument,
  Document,
  EditDocument,
  EnvironmentsDocument,
  Fault,
  RunDocument,
  RunEvent,
} from './document.ts'
import { escapeJson, type Following, type Format, jsonText, wholeRun } from './format.ts'
import { faultIn, problemIn } from './line-text.ts'
import { countEvents } from './lines/run-report.ts'

/** For programs: one JSON value for a document. For a run: a line for each event and a summary line. */
export const json: Format = {
  render: document => [{ text: `${written(document)}\n` }],
  follow: () => following,
}

type Named<Is extends Document['is']> = Extract<Document, { is: Is }>

/** Documents whose named members are printed unchanged. Their `errors` are always empty. */
const asTheyAre = {
  export: ['objects'],
  evaluation: ['flags', 'errors'],
  references: ['flags', 'undeclared', 'searched', 'unsearched', 'notes', 'errors'],
  stale_flags: ['days', 'environments', 'flags', 'looked_at', 'permanent', 'searched', 'notes', 'errors'],
  quirks: ['quirks'],
  init: ['directory', 'files', 'next'],
  unlock: ['removed'],
  installation: ['provider', 'version', 'platform', 'checksum', 'directory', 'folders', 'next'],
  call: ['operation', 'status', 'body', 'text'],
  operations: ['operations'],
  environment_list: ['names', 'environments'],
} as const satisfies { readonly [Is in Document['is']]?: readonly (keyof Named<Is> | 'errors')[] }

function written(document: Document): string {
  switch (document.is) {
    case 'plan': {
      const { saved, errors } = document
      return jsonText({ ...saved, ...(errors === undefined ? {} : { errors }) }, 2)
    }
    case 'drift':
      return jsonText(document.saved, 2)
    case 'saved_plan':
      return escapeJson(withoutLineEnd(document.text))
    case 'run':
      return withoutLineEnd(wholeRun(following, document))
    case 'environments':
      return environmentsText(document)
    case 'history':
      return jsonText(historyDocument(document.runs, document.outcomes, document.states), 2)
    case 'sandbox': {
      const { base_url, api_key, organization, project, project_token, roles, page } = document
      return jsonText({ base_url, api_key, organization, project, project_token, roles, page })
    }
    case 'failure':
      // On one line, because other lines may come before it.
      return jsonText({ ...headOf(document), errors: document.errors })
    default:
      return jsonText({ ...headOf(document), ...membersOf(document) }, 2)
  }
}

function membersOf(
  document: Exclude<
    Document,
    { is: 'plan' | 'drift' | 'saved_plan' | 'run' | 'history' | 'sandbox' | 'failure' | 'environments' }
  >,
) {
  switch (document.is) {
    case 'validation': {
      const { files, shown: objects } = document
      const problems = document.problems.map(({ problem }) => problemIn(problem))
      const errors = problems.filter(({ severity }) => severity === 'error').map(faultIn)
      return { files, problems, errors, objects }
    }
    case 'edit':
      return editMembers(document)
    case 'tests': {
      const { tests, problems, coverage, matrix } = document
      return { tests, coverage, matrix, errors: problems.map(({ problem }) => faultIn(problem)) }
    }
    case 'comparison':
      return comparisonMembers(document)
    case 'doctor': {
      const { is: _, exitCode: _code, ...members } = document
      const failed = document.checks.filter(({ verdict }) => verdict === 'failed')
      const errors = failed.map(({ name, summary }) => ({ code: 'failed', message: `${name}: ${summary}` }))
      return { format_version: '1.1', ...members, errors }
    }
    default: {
      const members = { errors: [], ...document }
      return Object.fromEntries(asTheyAre[document.is].map(name => [name, Reflect.get(members, name)]))
    }
  }
}

/** The documents are not parsed again: each is a text below its environment. */
function environmentsText(document: EnvironmentsDocument): string {
  const { command, asked, environments } = document
  const errors = environments.flatMap(({ name, document: result }) =>
    result?.is === 'failure'
      ? result.errors.map(each => ({ ...each, message: `${name}: ${each.message}` }))
      : [],
  )
  const texts = environments.map(({ name, exitCode, document: result }) => {
    const head = jsonText({ name, exit_code: exitCode })
    if (!result) return head
    const lines = written(result)
    const value = result.is === 'run' ? `[${lines.replaceAll('\n', ',\n')}]` : lines
    return `${head.slice(0, -1)},"result":${value}}`
  })
  const whole = jsonText({ ...headOf(document), command, asked, environments: [], errors }, 2)
  return whole.replace('"environments": []', () => `"environments": [\n${texts.join(',\n')}\n]`)
}

function editMembers({ isDryRun, files, objects, ramp, pull, retire, notes }: EditDocument) {
  const pulled = pull && { live_edits: pull.liveEdits.map(liveEditToJson), left_out: pull.leftOut }
  return { dry_run: isDryRun, files, objects, ramp, ...pulled, retire, notes, errors: [] }
}

function comparisonMembers({ comparison, isLive, places }: ComparisonDocument) {
  return {
    of: isLive ? 'live' : 'declared',
    environments: comparison.environments.map(name => ({ name, place: places[name] })),
    objects: comparison.rows,
    summary: comparisonCounts(comparison),
    errors: [],
  }
}

/** The first members of every document with `errors`. */
function headOf(document: Document) {
  return { format_version: '1.0', exit_code: 'exitCode' in document ? document.exitCode : 0 }
}

function withoutLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

const following: Following = {
  event: ({ line }) => `${jsonText(line)}\n`,
  end: run => `${summaryOf(run)}\n`,
}

/** The last line of a run. */
function summaryOf({ events, blocked, liveEdits, kept }: RunDocument): string {
  const errors = events.flatMap(faultOf)
  const { pending, ...counts } = countEvents(events)
  const refused = blocked.map(({ address, action, rule, reason, remedy }) => ({
    ...{ address, action, rule, reason, remedy },
  }))
  return jsonText({
    type: 'summary',
    ...counts,
    ...(pending > 0 ? { pending } : {}),
    ...(errors.length === 0 ? {} : { errors }),
    ...(refused.length === 0 ? {} : { blocked: refused }),
    ...(liveEdits.length === 0 ? {} : { live_edits: liveEdits.map(liveEditToJson) }),
    ...(kept === undefined ? {} : { run: kept.run, record: kept.path }),
  })
}

/** Why a change was not applied. */
function faultOf(event: RunEvent): Fault[] {
  const { address } = event
  switch (event.type) {
    case 'change_failed':
      return [{ ...event.failure.fault, address }]
    case 'change_pending':
      return [{ code: 'pending', message: `change request ${event.changeRequest}: ${event.reason}`, address }]
    case 'change_stale':
      return [{ code: 'stale', message: event.reason, address }]
    case 'change_skipped':
      return [{ code: 'skipped', message: event.reason, address }]
    case 'change_start':
    case 'change_attempt':
    case 'change_done':
      return []
  }
}
