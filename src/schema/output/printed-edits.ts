import type { JsonObject } from '../../model/json/json.ts'
import { holdKinds, retireSteps, stepStates } from '../../model/removal.ts'
import { object } from '../json-schema.ts'
import { documentSchema, faultSchema, source, text, texts, time } from './document.ts'
import { liveEditSchema } from './plan-schema.ts'

/** The schema of what commands that change declarations print with `--json`. */
export function editSchema(): JsonObject {
  return documentSchema(
    'edit',
    { title: 'Vexil edit', description: 'What was changed in files of declarations.', $defs: { source } },
    {
      dry_run: { type: 'boolean', description: 'Whether nothing was written.' },
      files: {
        type: 'array',
        items: object({
          path: text,
          diff: {
            ...text,
            description: 'As `diff -u` writes it; where something is hidden, each line is `(sensitive)`.',
          },
          'removed?': { const: true, description: 'The file goes, since nothing is left in it.' },
        }),
      },
      objects: { type: 'array', items: editedObject },
      'ramp?': rampedCondition,
      'retire?': retirement,
      'live_edits?': {
        type: 'array',
        items: liveEditSchema,
        description: 'Of `pull`: what was changed in the product and is declared so now.',
      },
      'left_out?': {
        type: 'array',
        items: object({ address: text, reason: text }),
        description: 'Of `pull`: what no edit of a file can say.',
      },
      notes: texts,
      errors: { type: 'array', items: faultSchema },
    },
  )
}

const editedObject: JsonObject = object({
  address: text,
  environment: { type: ['string', 'null'], description: 'null: the repository has none.' },
  written: {
    enum: ['environment', 'shared', 'nothing', 'removed'],
    description:
      'Where it is said now: for the environment, or for all; nothing: it was said already; removed: it is declared no more.',
  },
})

const ramped = {
  address: text,
  environment: { type: ['string', 'null'] },
  condition: { ...text, description: 'Its name, or its number, from 1.' },
  before: { type: 'number' },
  after: { type: 'number' },
  to: { type: 'number' },
  steps_left: { type: 'integer', minimum: 0, description: 'How many more steps the limits ask for.' },
}

const rampedCondition: JsonObject = object(ramped, {
  description: 'The step of a rollout, in percent: of `ramp`.',
})

const environment: JsonObject = { type: ['string', 'null'] }

const standing: JsonObject = object({
  environment,
  declared: { enum: ['on', 'off', 'absent'] },
  value: {
    type: ['boolean', 'string', 'null'],
    description: 'What everybody gets; null: not the same, or nobody can tell.',
  },
  off_since: { type: ['string', 'null'], format: 'date-time' },
})

const hold: JsonObject = object({
  kind: { enum: [...holdKinds] },
  environment: { ...environment, description: 'null: in all of them.' },
  'source?': { $ref: '#/$defs/source' },
  what: text,
  remedy: text,
  allowed: { type: 'boolean', description: 'Whether somebody has allowed to go on all the same.' },
  now: { type: 'boolean', description: 'Whether it holds the next step.' },
})

/** The output of `vexil retire --json` beside the files. */
const retirement: JsonObject = object(
  {
    address: text,
    step: { enum: [...retireSteps], description: 'The next one.' },
    steps: {
      type: 'array',
      items: object({ step: { enum: [...retireSteps] }, state: { enum: [...stepStates] } }),
    },
    environments: { type: 'array', items: standing },
    holds: { type: 'array', items: hold },
    unchecked: {
      type: 'array',
      description: 'What nobody could look for.',
      items: object({ environment, what: text, reason: text }),
    },
  },
  { description: 'Of `retire`: where the removal of the flag stands.' },
)

const reason: JsonObject = object({
  reason: {
    enum: ['everyone', 'nobody', 'gone', 'expired', 'uncalled', 'unreferenced'],
    description:
      'everyone: all people get one value. nobody: no one gets anything. gone: declared absent, and it is. expired: past `expires`. uncalled: nobody asked for it. unreferenced: no code names it.',
  },
  'value?': {
    type: ['boolean', 'string'],
    description: 'What everyone gets: true, or the key of a variant.',
  },
  'since?': object({
    at: time,
    days: { type: 'integer', description: 'Whole days up to now.' },
    at_least: { type: 'boolean', description: 'Whether it may have been so before.' },
    from: {
      enum: ['commit', 'run', 'trail', 'service', 'declaration'],
      description: 'What tells it; `name` is that of the commit or of the run.',
    },
    'name?': text,
  }),
})

const live: JsonObject = object(
  {
    there: { type: 'boolean' },
    value: {
      type: ['boolean', 'string', 'null'],
      description: 'What everyone gets; null where people may get different values.',
    },
    differs: { type: 'boolean', description: 'Whether it is live otherwise than it is declared.' },
    last_called_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When somebody asked for it last; null where the service does not tell.',
    },
  },
  { description: 'With --activity: the live flag.' },
)

const reasons: JsonObject = { type: 'array', items: reason }

const flag: JsonObject = object({
  key: text,
  address: text,
  owners: { type: 'array', items: text },
  source: object({ file: text, line: { type: 'integer' }, column: { type: 'integer' } }),
  stale: {
    enum: ['everywhere', 'partly'],
    description: 'Whether there is a reason in each environment in which it is declared.',
  },
  reasons: { ...reasons, description: 'Those that hold in every environment.' },
  environments: {
    type: 'array',
    items: object({
      environment: { type: ['string', 'null'], description: 'null: the repository has none.' },
      declared: { enum: ['present', 'absent'] },
      reasons,
      'live?': live,
    }),
  },
  next: { type: ['string', 'null'], description: 'What to do next; null of a flag that is stale partly.' },
})

/** The schema of what `vexil retire --json` prints without a flag. */
export function staleSchema(): JsonObject {
  return documentSchema(
    'stale-flags',
    { title: 'Vexil stale flags', description: 'Declared flags that have outlived their use.' },
    { ...stale, errors: { type: 'array', items: faultSchema } },
  )
}

const stale = {
  days: { type: 'integer', minimum: 1, description: 'From so many days on a flag is stale.' },
  environments: {
    type: 'array',
    items: { type: ['string', 'null'] },
    description: 'Those that were looked at.',
  },
  flags: { type: 'array', items: flag },
  looked_at: { type: 'integer', description: 'How many flags were looked at.' },
  permanent: { type: 'integer', description: 'How many flags were left out since they are here to stay.' },
  searched: { type: ['integer', 'null'], description: 'How many files of code were searched, with --in.' },
  notes: { type: 'array', items: text, description: 'What cannot be told, and why.' },
}

const place = {
  path: { ...text, description: 'As seen from where the command runs.' },
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1, description: 'In UTF-16 code units.' },
}

const reference: JsonObject = object({
  ...place,
  kind: {
    enum: ['call', 'typed', 'string'],
    description:
      'A call of an SDK with the key; a name that `vexil keys` made; a text of its own that is the key.',
  },
  'call?': { ...text, description: 'What is called, as in isFeatureEnabled.' },
})

const namedFlag: JsonObject = object({
  key: text,
  declared: { enum: ['present', 'absent'] },
  references: { type: 'array', items: reference },
})

const undeclared: JsonObject = object({
  key: text,
  ...place,
  call: text,
  declared: { enum: ['absent', 'nowhere'] },
  meant: { type: ['string', 'null'], description: 'The declared key that was most likely meant.' },
})

/** The schema of what `vexil refs --json` prints. */
export function referencesSchema(): JsonObject {
  return documentSchema(
    'references',
    { title: 'Vexil references', description: 'Where code names the declared flags.' },
    { ...references, errors: { type: 'array', items: faultSchema } },
  )
}

const references = {
  flags: {
    type: 'array',
    description: 'With --unused, those without a reference; with --undeclared alone, none.',
    items: namedFlag,
  },
  undeclared: {
    type: 'array',
    description: 'With --undeclared: calls for a key that is declared nowhere, or absent.',
    items: undeclared,
  },
  searched: { type: 'integer', description: 'How many files were searched.' },
  unsearched: {
    type: 'array',
    items: object({ path: text, why: { enum: ['binary', 'too_large', 'link', 'unreadable'] } }),
  },
  notes: { type: 'array', items: text },
}
