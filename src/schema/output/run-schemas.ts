import type { JsonObject } from '../../model/json/json.ts'
import { dialect, type Members, object, optional, schemaBase } from '../json-schema.ts'
import { count, faultMembers, faultSchema, text, texts, time } from './document.ts'
import { changeSchemas, liveEditSchema, targetSchema } from './plan-schema.ts'

const changeRequest: JsonObject = {
  ...text,
  description: 'The id of the request in the service that somebody has to approve first.',
}

/** The origin of a run's declarations, and the person who started it. */
const originMembers = {
  command: { enum: ['apply', 'undo', 'claim', 'unclaim', 'disable', 'enable'], description: 'What was run.' },
  'environment?': text,
  target: targetSchema,
  'commit?': {
    ...text,
    description: 'The whole name of the commit that the declarations were read at; left out without git.',
  },
  'dirty?': { type: 'boolean', description: 'Whether the folder held anything else than that commit.' },
  'who?': object(
    { name: text, from: text },
    { description: 'Who started it, and what says so: a variable of the pipeline, `git` or `system`.' },
  ),
  'reason?': {
    ...text,
    description: 'Why, in the words of whoever started it: one line. A disable has one.',
  },
  started_at: time,
  'undoes?': { ...text, description: 'The run that this one undoes.' },
}

/** The facts about a run before it begins: in its record, and in the first line of its journal. */
const headMembers = {
  format_version: { ...text, description: 'Always "1.0"; any other is refused.' },
  run: { ...text, description: 'The name of the run; its journal has the same.' },
  ...originMembers,
  'after?': {
    ...texts,
    description: 'The newest runs of the target that it knew of when it was planned: it comes after them.',
  },
  'plan_digest?': text,
  'blocked?': {
    type: 'array',
    description: 'What the plan left out.',
    items: object({ address: text, rule: text }),
  },
  'not_targeted?': {
    ...texts,
    description: 'Addresses that are declared and were left out by --target or --owner.',
  },
  'held?': {
    type: 'array',
    description:
      'Declared fields that were not written because they are otherwise in the product; `exists` stands for the object itself.',
    items: object({ address: text, fields: texts }),
  },
  'allowed?': { ...texts, description: 'Rules about the run as a whole that were allowed: `older_commit`.' },
  unchanged: { ...count, description: 'How many objects were as declared.' },
  'declared?': {
    ...text,
    description:
      'The file in `declared`, beside the record, that has a digest of each declared field. What is in it and neither changed, blocked nor left out was unchanged.',
  },
}

/** The schema of the record of a run: its actions, enough to undo them. */
export function runSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/run.schema.json`,
    title: 'Vexil run',
    description: 'What one run did to each object, with what stood there before.',
    ...object({
      ...headMembers,
      'finished_at?': time,
      complete: { type: 'boolean', description: 'Whether it went through to its end: it was not stopped.' },
      entries: {
        type: 'array',
        items: object({
          outcome: { enum: ['done', 'already', 'failed', 'pending', 'stale', 'skipped'] },
          'id?': { ...text, description: 'The id of the object, also of one that the run created.' },
          'change_request?': changeRequest,
          'not_kept?': { ...texts, description: 'Fields that the service did not keep.' },
          'maybe_written?': {
            type: 'boolean',
            description: 'Requests left, and nobody knows whether they took effect.',
          },
          change: { $ref: '#/$defs/change' },
        }),
      },
    }),
    $defs: changeSchemas(),
  }
}

/** The schema of one line of a journal, and of one line of `apply --json`. */
export function journalSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/journal.schema.json`,
    title: 'Vexil journal line',
    description:
      'One event of a run. The first line of a journal is the run itself; a `change_attempt` is written before its request leaves.',
    ...object({
      type: {
        enum: [
          'run',
          'change_start',
          'change_attempt',
          'change_done',
          'change_failed',
          'change_pending',
          'change_stale',
          'change_skipped',
          'summary',
        ],
      },
      ...optional({
        at: time,
        address: text,
        action: text,
        request: {
          ...text,
          description: 'Method and path of the request that is about to leave, or that was refused.',
        },
        endpoint: { ...text, description: 'What that request is called in the interface.' },
        id: text,
        already: {
          type: ['boolean', 'integer'],
          description:
            'An earlier run, or somebody else, had done it; in the summary, how often that was so.',
        },
        not_kept: { ...texts, description: 'Fields that the service did not keep.' },
        changed_beside: {
          ...texts,
          description: 'Other fields, which somebody else has changed just before the write.',
        },
        change_request: changeRequest,
        elapsed_ms: { type: 'integer' },
        error: text,
        status: { type: 'integer' },
        code: { type: ['string', 'null'] },
        attr: { type: ['string', 'null'] },
        retry_after_ms: { type: 'integer', description: 'How long the service asked to be left alone.' },
        reason: text,
        refused: { type: 'boolean', description: 'The service refused what was sent: nothing was written.' },
        ...summaryMembers,
      }),
    }),
    if: object({ type: { const: 'run' } }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: '#/$defs/run' },
    $defs: {
      ...changeSchemas(),
      run: object({ ...headMembers, changes: { type: 'array', items: { $ref: '#/$defs/change' } } }),
    },
  }
}

/** The content of the last line of `apply --json`, whose type is `summary`. */
const summaryMembers = {
  done: count,
  failed: count,
  pending: { ...count, description: 'How many wait for approval; left out where none does.' },
  stale: count,
  skipped: count,
  errors: {
    type: 'array',
    description: 'Why changes were not carried out, one member for each.',
    items: faultSchema,
  },
  blocked: {
    type: 'array',
    description: 'What the plan left out. The first line of a journal has the address and the rule alone.',
    items: object({
      address: text,
      'action?': text,
      rule: text,
      'reason?': text,
      'remedy?': { ...text, description: 'What to do so that it is done.' },
    }),
  },
  live_edits: {
    type: 'array',
    description: 'What was changed in the product of declared objects, as the plan has it.',
    items: liveEditSchema,
  },
  run: { ...text, description: 'The name of the run, which `vexil undo` takes.' },
  record: { ...text, description: 'The file that the run is on record in.' },
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
      runs: {
        type: 'array',
        items: object({
          run: { ...text, description: 'The name of the run, which `vexil undo` takes.' },
          state: {
            enum: ['complete', 'stopped', 'cut_off', 'under_way', 'unreadable'],
            description:
              'complete: it went through to its end. stopped: it was told to stop and left a record. cut_off: it left a journal alone, so it was killed or is still under way elsewhere. under_way: it has a journal alone, and its process runs.',
          },
          path: { ...text, description: 'Its record or, where there is none, its journal.' },
          ...optional(originMembers),
          'reason?': {
            ...text,
            description:
              'Of a run that cannot be read, why not; otherwise why it was started, in the words of whoever did.',
          },
          'finished_at?': time,
          'counts?': {
            ...object(counts),
            description:
              'How many objects came out of it which way. not_known: a request left and nobody knows what came of it. pending: somebody has to approve it first. held: a field was left as it is in the product, whatever became of the others. The last two are left out where there are none.',
          },
          'held?': {
            type: 'array',
            description: 'Fields that were left as they are in the product; `exists` stands for the object.',
            items: object({ address: text, fields: { type: 'array', items: text } }),
          },
          'objects?': {
            type: 'object',
            description: 'How each object came out of it, by address; of a run that was asked for by name.',
            additionalProperties: { enum: outcomes },
          },
        }),
      },
    },
    {
      $schema: dialect,
      $id: `${schemaBase}/history.schema.json`,
      title: 'Vexil history',
      description: 'The runs that are on record, the newest first.',
    },
  )
}

const position: JsonObject = { type: 'integer', minimum: 1 }
const milliseconds: JsonObject = { type: 'number', minimum: 0 }

/** The members of a line of standard error beside its time, level and message, with `--log-format json`. */
export const logMembers = {
  code: { ...text, description: 'The stable name of a problem or a failure, as in errors.' },
  hint: { ...text, description: 'What to do about it.' },
  file: { ...text, description: 'The file that it is about, as seen from where the command runs.' },
  line: position,
  column: position,
  address: faultMembers['address?'],
  environment: text,
  status: { type: 'integer', description: 'The status of an answer.' },
  request: faultMembers['request?'],
  from: { ...text, description: '`app`, where the app of a stack said it.' },
  method: { ...text, description: 'Of a request, with VEXIL_DEBUG.' },
  path: text,
  query: { type: 'array', items: text, description: 'The names of the parameters, without their values.' },
  duration_ms: { ...milliseconds, description: 'How long the request took, with its answer.' },
  bytes: { type: 'integer', minimum: 0, description: 'How long the body of the answer was, as it came.' },
  attempt: { ...position, description: 'Which sending of the same request it was.' },
  retry_in_ms: { ...milliseconds, description: 'When it is sent again; absent where it is not.' },
  request_id: { ...text, description: 'How the service names the request, where it does.' },
  error: { ...text, description: 'Why there is no answer, or none that can be used.' },
} as const satisfies Readonly<Record<string, unknown>>

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The schema of one line of standard error. */
export function logSchema(): JsonObject {
  return object(
    {
      time: { type: 'string', format: 'date-time', description: 'In UTC.' },
      level: { enum: [...logLevels] },
      message: { type: 'string', minLength: 1, description: 'What standard error says to people.' },
      // The members of problems are JSON as well.
      ...optional(logMembers as Members),
    },
    {
      $schema: dialect,
      $id: `${schemaBase}/log.schema.json`,
      title: 'Vexil log',
      description: 'One line of standard error with --log-format json.',
      additionalProperties: false,
    },
  )
}
