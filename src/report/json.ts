import { liveEditToJson } from '../core/record/change-json.ts'
import { historyDocument } from '../core/record/history.ts'
import {
  type Document,
  type EditDocument,
  type Fault,
  type RunDocument,
  type RunEvent,
  retireMembers,
} from './document.ts'
import { escapeJson, type Following, type Format, jsonText, wholeRun } from './format.ts'
import { countsOf } from './lines/run-event-item.ts'
import { comparisonMembers, doctorMembers, staleMembers } from './members.ts'
import { faultIn, problemIn } from './text/problem-text.ts'

/** For programs: one JSON value for a document; for a run, a line for each event and one for all. */
export const json: Format = {
  render: document => [{ text: `${written(document)}\n` }],
  follow: () => following,
}

/** The published schema of what is written of each document; of a run, of each line. */
export const schemas: Readonly<Record<Document['is'], string>> = {
  plan: 'plan',
  saved_plan: 'plan',
  drift: 'plan',
  run: 'journal',
  validation: 'validation',
  export: 'export',
  edit: 'edit',
  evaluation: 'evaluation',
  tests: 'tests',
  comparison: 'comparison',
  references: 'references',
  stale_flags: 'stale-flags',
  history: 'history',
  doctor: 'doctor',
  sandbox: 'sandbox',
  quirks: 'quirks',
  init: 'init',
  unlock: 'unlock',
  installation: 'installation',
  call: 'call',
  operations: 'operations',
  failure: 'errors',
}

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
    case 'validation': {
      const { exitCode, files, shown } = document
      const problems = document.problems.map(({ problem }) => problemIn(problem))
      const errors = problems.filter(({ severity }) => severity === 'error').map(faultIn)
      const objects = shown === undefined ? {} : { objects: shown }
      return jsonText({ ...headOf(exitCode), files, problems, errors, ...objects }, 2)
    }
    case 'export':
      return jsonText({ ...headOf(document.exitCode), objects: document.objects }, 2)
    case 'edit': {
      const { exitCode, isDryRun, files, objects, notes, ramp, pull, retire } = document
      const { stepsLeft, ...ramped } = ramp ?? {}
      const step = ramp === undefined ? {} : { ramp: { ...ramped, steps_left: stepsLeft } }
      const retired = retire === undefined ? {} : { retire: retireMembers(retire) }
      const members = {
        dry_run: isDryRun,
        files,
        objects,
        ...step,
        ...pullMembers(pull),
        ...retired,
        notes,
        errors: [],
      }
      return jsonText({ ...headOf(exitCode), ...members }, 2)
    }
    case 'evaluation':
      return jsonText({ ...headOf(0), flags: document.flags, errors: [] }, 2)
    case 'tests': {
      const { exitCode, tests, problems, coverage } = document
      const errors = problems.map(({ problem }) => faultIn(problem))
      return jsonText({ ...headOf(exitCode), tests, ...(coverage ? { coverage } : {}), errors }, 2)
    }
    case 'comparison':
      return jsonText({ ...headOf(document.exitCode), ...comparisonMembers(document), errors: [] }, 2)
    case 'references': {
      const { exitCode, flags, undeclared, searched, unsearched, notes } = document
      const members = { flags, undeclared, searched, unsearched, notes, errors: [] }
      return jsonText({ ...headOf(exitCode), ...members }, 2)
    }
    case 'stale_flags':
      return jsonText({ ...headOf(document.exitCode), ...staleMembers(document), errors: [] }, 2)
    case 'history':
      return jsonText(historyDocument(document.runs, document.outcomes), 2)
    case 'doctor':
      return jsonText({ ...headOf(document.exitCode), ...doctorMembers(document) }, 2)
    case 'sandbox': {
      const { url, apiKey, organization, project, projectToken, roles } = document
      return jsonText({
        base_url: url,
        api_key: apiKey,
        organization,
        project,
        project_token: projectToken,
        roles,
      })
    }
    case 'quirks':
      return jsonText({ ...headOf(0), quirks: document.quirks }, 2)
    case 'init': {
      const { directory, files, next } = document
      return jsonText({ ...headOf(0), directory, files, next }, 2)
    }
    case 'unlock':
      return jsonText({ ...headOf(0), removed: document.removed ?? null }, 2)
    case 'installation': {
      const { provider, version, platform, checksum, directory, folders, next } = document
      const shown = { provider, version, platform, checksum, directory, folders, next }
      return jsonText({ ...headOf(0), ...shown }, 2)
    }
    case 'call': {
      const { operation, status, body, text } = document
      const plain = body === null && text !== '' ? { text } : {}
      return jsonText({ ...headOf(0), operation, status, body, ...plain }, 2)
    }
    case 'operations': {
      const operations = document.operations.map(({ takesBody, ...shown }) => ({
        ...shown,
        takes_body: takesBody,
      }))
      return jsonText({ ...headOf(0), operations }, 2)
    }
    case 'failure':
      // One line, since a stream of lines may come before it.
      return jsonText({ ...headOf(document.exitCode), errors: document.errors })
  }
}

function pullMembers(pull: EditDocument['pull']) {
  if (pull === undefined) return {}
  return { live_edits: pull.liveEdits.map(liveEditToJson), left_out: pull.leftOut }
}

/** The first members of every document with `errors`. */
function headOf(exitCode: number) {
  return { format_version: '1.0', exit_code: exitCode }
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
  const { pending, ...counts } = countsOf(events)
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

/** Why a change was not carried out. */
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
