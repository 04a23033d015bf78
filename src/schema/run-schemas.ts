import { notifiedStates } from '../model/connection.ts'
import type { JsonObject } from '../model/text/json.ts'
import {
  count,
  described,
  integer,
  list,
  type Members,
  mapOf,
  object,
  oneOf,
  optional,
  ordinal,
  reference,
  text,
  textOrNull,
  texts,
  time,
  truth,
} from './json-schema.ts'
import {
  changeSchemas,
  faultMembers,
  faultSchema,
  headOf,
  liveEditSchema,
  targetSchema,
} from './plan-schema.ts'

const changeRequest = described(
  text,
  'The id of the change request that a person must approve in the service.',
)

/** Where the run's declarations came from, and who started it. */
const originMembers = {
  command: oneOf(['apply', 'undo', 'claim', 'unclaim', 'disable', 'enable'], 'The command of the run.'),
  'environment?': text,
  target: targetSchema,
  'commit?': described(text, "The full name of the declarations' commit; absent without git."),
  'dirty?': described(truth, 'Whether the working folder differed from that commit.'),
  'who?': object(
    { name: text, from: text },
    'Who started the run, and the source of that name: a variable of the pipeline, `git` or `system`.',
  ),
  'reason?': described(text, 'The reason that the user gave, on one line. A disable has a reason.'),
  started_at: time,
  'undoes?': described(text, 'The run that this run undoes.'),
}

/** Facts about a run before it begins. They are in its record and in the first line of its journal. */
const headMembers = {
  format_version: described(text, 'Always "1.0". Readers refuse other versions.'),
  run: described(text, 'The name of the run. The journal has the same name.'),
  ...originMembers,
  'after?': described(texts, 'The newest known runs of the target at planning time. This run follows them.'),
  'plan_digest?': text,
  'blocked?': list(object({ address: text, rule: text }), 'Changes that the plan blocked.'),
  'not_targeted?': described(texts, 'Declared addresses that --target or --owner excluded.'),
  'held?': list(
    object({ address: text, fields: texts }),
    'Declared fields that were not written because their live values differ; `exists` means the object itself.',
  ),
  'allowed?': described(texts, 'Run-wide rules that were allowed: `older_commit`.'),
  unchanged: described(count, 'How many objects needed no change.'),
  'declared?': described(
    text,
    'The file in `declared`, next to the record, with a digest of each declared field. Objects in that file that the run neither changed, blocked nor excluded were unchanged.',
  ),
}

/** The schema of the record of a run. It contains enough to undo the run's actions. */
export function runSchema(): JsonObject {
  return {
    ...headOf('run', 'What one run did to each object, and the earlier content of the object.'),
    ...object({
      ...headMembers,
      'finished_at?': time,
      complete: described(truth, 'Whether the run reached its end without being stopped.'),
      entries: list(
        object({
          outcome: oneOf(['done', 'already', 'failed', 'pending', 'stale', 'skipped']),
          'id?': described(text, 'The id of the object, including an object that the run created.'),
          'change_request?': changeRequest,
          'not_kept?': described(texts, 'Fields that the service did not store.'),
          'maybe_written?': described(
            truth,
            'Requests were sent, and it is unknown whether they took effect.',
          ),
          change: reference('change'),
        }),
      ),
    }),
    $defs: changeSchemas(),
  }
}

/** The schema of one line of a journal, or of `apply --json`. */
export function journalSchema(): JsonObject {
  return {
    ...headOf(
      'journal',
      'One event of a run. The first line of a journal describes the run. A `change_attempt` is written before its request is sent.',
      'Vexil journal line',
    ),
    ...object({
      type: oneOf([
        'run',
        'change_start',
        'change_attempt',
        'change_done',
        'change_failed',
        'change_pending',
        'change_stale',
        'change_skipped',
        'summary',
      ]),
      ...optional({
        at: time,
        address: text,
        action: text,
        request: described(text, 'Method and path of the request that will be sent, or that was refused.'),
        endpoint: described(text, 'The name of that request in the interface.'),
        id: text,
        already: {
          type: ['boolean', 'integer'],
          description:
            'An earlier run or another person had already made the change. In the summary: how often that happened.',
        },
        not_kept: described(texts, 'Fields that the service did not store.'),
        changed_beside: described(texts, 'Fields that another person changed just before the write.'),
        change_request: changeRequest,
        elapsed_ms: integer,
        error: text,
        status: integer,
        code: textOrNull,
        attr: textOrNull,
        retry_after_ms: described(integer, 'How long the service asked to wait.'),
        reason: text,
        refused: described(truth, 'The service refused the request; it wrote nothing.'),
        ...summaryMembers,
      }),
    }),
    if: object({ type: { const: 'run' } }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: reference('run'),
    $defs: {
      ...changeSchemas(),
      run: object({ ...headMembers, changes: list(reference('change')) }),
    },
  }
}

/** The content of the last line of `apply --json`, which has the type `summary`. */
const summaryMembers = {
  done: count,
  failed: count,
  pending: described(count, 'How many changes wait for approval; absent if none do.'),
  stale: count,
  skipped: count,
  errors: list(faultSchema, 'Why changes failed, one entry per change.'),
  blocked: list(
    object({
      address: text,
      'action?': text,
      rule: text,
      'reason?': text,
      'remedy?': described(text, 'How to get the change done.'),
    }),
    'Changes that the plan blocked. The first line of a journal contains only address and rule.',
  ),
  live_edits: list(
    liveEditSchema,
    'Fields of declared objects that were changed in the product, as in the plan.',
  ),
  run: described(text, 'The name of the run; `vexil undo` accepts it.'),
  record: described(text, "The file with the run's record."),
}

const outcomes = [
  'done',
  'already',
  'failed',
  'pending',
  'stale',
  'skipped',
  'not_known',
  'blocked',
  'held',
  'not_targeted',
  'unchanged',
]

const counts = Object.fromEntries(
  outcomes.map(outcome => [['pending', 'held'].includes(outcome) ? `${outcome}?` : outcome, count]),
)

export function historySchema(): JsonObject {
  return object(
    {
      format_version: text,
      runs: list(
        object({
          run: described(text, 'The name of the run; `vexil undo` accepts it.'),
          state: oneOf(
            ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'],
            'complete: it ran to its end. stopped: somebody stopped it, and its record was written. cut_off: only its journal exists, so it was killed or still runs on another machine. under_way: only its journal exists, and its process is running here.',
          ),
          path: described(text, 'The record of the run or, if none exists, its journal.'),
          ...optional(originMembers),
          'reason?': described(
            text,
            'For an unreadable run: why it cannot be read. For other runs: the reason that the user gave.',
          ),
          'finished_at?': time,
          'counts?': described(
            object(counts),
            'How many objects had each outcome. not_known: a request was sent and its result is unknown. pending: a person must approve the change first. held: a field keeps its live value, whatever happened to the others. The last two are absent if zero.',
          ),
          'held?': list(
            object({ address: text, fields: texts }),
            'Fields that keep their live values; `exists` means the object.',
          ),
          'objects?': mapOf(
            oneOf(outcomes),
            'Only for a run that was requested by name: the outcome of each object, by address.',
          ),
        }),
      ),
      'states?': list(
        object({
          environment: text,
          state: oneOf(notifiedStates),
          begun_at: time,
          'ended_at?': time,
          objects: count,
          'reason?': text,
          'commit?': text,
        }),
        'Only with --all: when environments drifted, had a conflict or failed, as `vexil reconcile` saw it. Those that last come first.',
      ),
    },
    headOf('history', 'The recorded runs, newest first.'),
  )
}

const milliseconds = { type: 'number', minimum: 0 }

/** What a line of `--log-format json` has in addition to its time, level and message. */
export const logMembers = {
  code: described(text, 'The stable code of a problem or a failure, as in errors.'),
  hint: described(text, 'How to fix the problem.'),
  file: described(text, 'The affected file, relative to the folder of the command.'),
  line: ordinal,
  column: ordinal,
  address: faultMembers['address?'],
  environment: text,
  status: described(integer, 'The HTTP status of an answer.'),
  request: faultMembers['request?'],
  from: described(text, '`app`, if the app of a stack printed the line.'),
  method: described(text, 'With VEXIL_DEBUG: the method of a request.'),
  path: text,
  query: described(texts, 'The names of the query parameters, without their values.'),
  duration_ms: described(milliseconds, 'How long the request took, including its answer.'),
  bytes: described(count, "The size of the answer's body before decompression."),
  attempt: described(ordinal, 'The number of the attempt (from 1).'),
  retry_in_ms: described(milliseconds, 'The wait until the next attempt; absent if there is none.'),
  request_id: described(text, "The service's id for the request, if it sends one."),
  error: described(text, 'Why there is no usable answer.'),
} as const satisfies Readonly<Record<string, unknown>>

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The members of a message to the webhook of `notify`. */
export const notificationMembers = {
  format_version: described(text, 'Always "1.0".'),
  environment: text,
  state: oneOf(
    notifiedStates,
    'drift: live objects differ from the declarations. conflict: both sides were changed. failed: the environment cannot be reconciled.',
  ),
  is: oneOf(['begun', 'ended'], 'Whether the state has begun or ended.'),
  at: described(time, 'When this was noticed, in UTC.'),
  objects: described(count, 'How many objects have this state. 0 at its end.'),
  'reason?': described(text, 'Why the environment has this state.'),
  'commit?': described(text, "The full name of the declarations' commit."),
  place: described(text, 'The service, and the project or organization.'),
}

/** The schema of a message to the webhook of `notify`, in the format `json`. */
export function notificationSchema(): JsonObject {
  return object(
    notificationMembers,
    headOf('notification', 'A change of the state of an environment, as it is sent to a webhook.'),
  )
}

/** The schema of one line of standard error. */
export function logSchema(): JsonObject {
  return object(
    {
      time: described(time, 'The time in UTC.'),
      level: oneOf(logLevels),
      message: { type: 'string', minLength: 1, description: 'The message for people.' },
      ...optional(logMembers as Members),
    },
    { ...headOf('log', 'One line of standard error with --log-format json.'), additionalProperties: false },
  )
}
