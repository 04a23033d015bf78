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
  'The id of the request in the service that somebody has to approve first.',
)

/** The origin of a run's declarations, and the person who started it. */
const originMembers = {
  command: oneOf(['apply', 'undo', 'claim', 'unclaim', 'disable', 'enable'], 'What was run.'),
  'environment?': text,
  target: targetSchema,
  'commit?': described(
    text,
    'The whole name of the commit that the declarations were read at; left out without git.',
  ),
  'dirty?': described(truth, 'Whether the folder held anything else than that commit.'),
  'who?': object(
    { name: text, from: text },
    'Who started it, and how that is known: a variable of the pipeline, `git` or `system`.',
  ),
  'reason?': described(text, 'Why, in the words of whoever started it: one line. A disable has one.'),
  started_at: time,
  'undoes?': described(text, 'The run that this one undoes.'),
}

/** The facts about a run before it begins: in its record, and in the first line of its journal. */
const headMembers = {
  format_version: described(text, 'Always "1.0"; any other is refused.'),
  run: described(text, 'The name of the run; its journal has the same.'),
  ...originMembers,
  'after?': described(
    texts,
    'The newest runs of the target that it knew of when it was planned: it comes after them.',
  ),
  'plan_digest?': text,
  'blocked?': list(object({ address: text, rule: text }), 'What the plan left out.'),
  'not_targeted?': described(texts, 'Addresses that are declared and were left out by --target or --owner.'),
  'held?': list(
    object({ address: text, fields: texts }),
    'Declared fields that were not written because they differ in the product; `exists` means the object itself.',
  ),
  'allowed?': described(texts, 'Rules about the run as a whole that were allowed: `older_commit`.'),
  unchanged: described(count, 'How many objects were as declared.'),
  'declared?': described(
    text,
    'The file in `declared`, beside the record, that has a digest of each declared field. What is in it and neither changed, blocked nor left out was unchanged.',
  ),
}

/** The schema of the record of a run: its actions, enough to undo them. */
export function runSchema(): JsonObject {
  return {
    ...headOf('run', 'What one run did to each object, with what stood there before.'),
    ...object({
      ...headMembers,
      'finished_at?': time,
      complete: described(truth, 'Whether it went through to its end: it was not stopped.'),
      entries: list(
        object({
          outcome: oneOf(['done', 'already', 'failed', 'pending', 'stale', 'skipped']),
          'id?': described(text, 'The id of the object, also of one that the run created.'),
          'change_request?': changeRequest,
          'not_kept?': described(texts, 'Fields that the service did not keep.'),
          'maybe_written?': described(truth, 'Requests left, and nobody knows whether they took effect.'),
          change: reference('change'),
        }),
      ),
    }),
    $defs: changeSchemas(),
  }
}

/** The schema of one line of a journal, and of one line of `apply --json`. */
export function journalSchema(): JsonObject {
  return {
    ...headOf(
      'journal',
      'One event of a run. The first line of a journal is the run itself; a `change_attempt` is written before its request leaves.',
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
        request: described(
          text,
          'Method and path of the request that is about to leave, or that was refused.',
        ),
        endpoint: described(text, 'What that request is called in the interface.'),
        id: text,
        already: {
          type: ['boolean', 'integer'],
          description:
            'An earlier run, or somebody else, had done it; in the summary, how often that was so.',
        },
        not_kept: described(texts, 'Fields that the service did not keep.'),
        changed_beside: described(
          texts,
          'Other fields, which somebody else has changed just before the write.',
        ),
        change_request: changeRequest,
        elapsed_ms: integer,
        error: text,
        status: integer,
        code: textOrNull,
        attr: textOrNull,
        retry_after_ms: described(integer, 'How long the service asked to be left alone.'),
        reason: text,
        refused: described(truth, 'The service refused what was sent: nothing was written.'),
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

/** The content of the last line of `apply --json`, whose type is `summary`. */
const summaryMembers = {
  done: count,
  failed: count,
  pending: described(count, 'How many wait for approval; left out where none does.'),
  stale: count,
  skipped: count,
  errors: list(faultSchema, 'Why changes were not carried out, one member for each.'),
  blocked: list(
    object({
      address: text,
      'action?': text,
      rule: text,
      'reason?': text,
      'remedy?': described(text, 'What to do so that it is done.'),
    }),
    'What the plan left out. The first line of a journal has the address and the rule alone.',
  ),
  live_edits: list(
    liveEditSchema,
    'What was changed in the product of declared objects, as the plan has it.',
  ),
  run: described(text, 'The name of the run, which `vexil undo` takes.'),
  record: described(text, 'The file that the run is on record in.'),
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

/** The schema of what `vexil history --json` prints. */
export function historySchema(): JsonObject {
  return object(
    {
      format_version: text,
      runs: list(
        object({
          run: described(text, 'The name of the run, which `vexil undo` takes.'),
          state: oneOf(
            ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'],
            'complete: it ran to its end. stopped: somebody stopped it, and it left a record. cut_off: it left a journal alone, so it was killed or is still under way elsewhere. under_way: it has a journal alone, and its process runs.',
          ),
          path: described(text, 'Its record or, where there is none, its journal.'),
          ...optional(originMembers),
          'reason?': described(
            text,
            'Of a run that cannot be read, why not; otherwise why it was started, in the words of whoever did.',
          ),
          'finished_at?': time,
          'counts?': described(
            object(counts),
            'How many objects came out of it which way. not_known: a request left and nobody knows what came of it. pending: it needs approval first. held: a field was left as it is in the product, whatever became of the others. The last two are left out where there are none.',
          ),
          'held?': list(
            object({ address: text, fields: texts }),
            'Fields that were left as they are in the product; `exists` means the object.',
          ),
          'objects?': mapOf(
            oneOf(outcomes),
            'How each object came out of it, by address; of a run that was asked for by name.',
          ),
        }),
      ),
    },
    headOf('history', 'The runs that are on record, the newest first.'),
  )
}

const milliseconds = { type: 'number', minimum: 0 }

/** The members of a line of standard error beside its time, level and message, with `--log-format json`. */
export const logMembers = {
  code: described(text, 'The stable name of a problem or a failure, as in errors.'),
  hint: described(text, 'What to do about it.'),
  file: described(text, 'The file that it is about, as seen from where the command runs.'),
  line: ordinal,
  column: ordinal,
  address: faultMembers['address?'],
  environment: text,
  status: described(integer, 'The status of an answer.'),
  request: faultMembers['request?'],
  from: described(text, '`app`, if the app of a stack printed it.'),
  method: described(text, 'Of a request, with VEXIL_DEBUG.'),
  path: text,
  query: described(texts, 'The names of the parameters, without their values.'),
  duration_ms: described(milliseconds, 'How long the request took, with its answer.'),
  bytes: described(count, 'How long the body of the answer was, as it came.'),
  attempt: described(ordinal, 'Which sending of the same request it was.'),
  retry_in_ms: described(milliseconds, 'When it is sent again; absent where it is not.'),
  request_id: described(text, 'How the service names the request, where it does.'),
  error: described(text, 'Why there is no answer, or none that can be used.'),
} as const satisfies Readonly<Record<string, unknown>>

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The schema of one line of standard error. */
export function logSchema(): JsonObject {
  return object(
    {
      time: described(time, 'In UTC.'),
      level: oneOf(logLevels),
      message: { type: 'string', minLength: 1, description: 'The text on standard error, for people.' },
      // The members of problems are JSON as well.
      ...optional(logMembers as Members),
    },
    { ...headOf('log', 'One line of standard error with --log-format json.'), additionalProperties: false },
  )
}
