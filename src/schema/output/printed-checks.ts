import { declarableKinds, kinds } from '../../kinds/index.ts'
import { profiles } from '../../model/connection.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { evaluationReasons } from '../../targeting/index.ts'
import { object, optional } from '../json-schema.ts'
import { documentSchema, faultMembers, faultSchema, source, text, textOrNull, texts } from './document.ts'
import { profileProofSchema } from './plan-schema.ts'

/** The members of one person's result for a flag. */
const answer = {
  value: {
    type: ['boolean', 'string', 'null'],
    description: 'false, true or the key of the variant; null where it is undecided.',
  },
  variant: { ...textOrNull, description: 'The key of the variant.' },
  payload: { description: 'What code receives beside it; null: none.' },
  reason: { enum: [...evaluationReasons] },
  condition: {
    type: ['object', 'null'],
    description: 'The condition that matched or came nearest.',
    required: ['number', 'summary'],
    properties: { number: { type: 'integer', minimum: 1 }, summary: text },
  },
  undecided: { ...textOrNull, description: 'Why no value can be told.' },
}

/** Engines that evaluate a flag differently. */
const others: JsonObject = {
  type: 'array',
  description: 'Those who do not say the same.',
  items: object({ by: text, 'value?': { type: ['boolean', 'string'] }, 'undecided?': text }),
}

/** The schema of what `vexil validate --json` prints. */
export function validationSchema(): JsonObject {
  return documentSchema(
    'validation',
    { title: 'Vexil validation', description: 'The problems of every file.' },
    {
      files: { ...texts, description: 'The files that were read.' },
      problems: { type: 'array', items: problem },
      errors: { type: 'array', description: 'Those that are errors.', items: faultSchema },
      'objects?': {
        type: 'array',
        description: 'With --show: objects as they are declared for one environment.',
        items: shownObject,
      },
    },
  )
}

const problem: JsonObject = object({
  ...faultMembers,
  severity: { enum: ['error', 'warning'] },
  'conditional?': {
    const: true,
    description: 'A warning that a plan turns into an error, unless the live object is like this already.',
  },
})

const shownObject: JsonObject = object({
  address: text,
  kind: { enum: declarableKinds.map(({ name }) => name) },
  section: { ...text, description: 'The section of the file, in which it goes by `name`.' },
  name: text,
  'environment?': text,
  source,
  value: { type: 'object', description: 'As it is written, with the overrides of the environment.' },
  leaves: {
    type: 'array',
    description: 'Each single value, and where it stands.',
    items: object({
      pointer: {
        ...text,
        description:
          'A JSON pointer into the value; what an audience says stands below the place of its name.',
      },
      value: { description: 'What comes out of the environment is shown as its reference.' },
      source,
      by: { enum: ['declaration', 'override', 'default', 'audience'] },
      'audience?': { ...text, description: 'The audience that says it.' },
    }),
  },
})

const count: JsonObject = { type: 'integer', minimum: 0 }
const reason: JsonObject = { ...text, description: 'Why not, or why it is not known.' }
const aProfile: JsonObject = { enum: [...profiles] }

/** The schema of what `vexil doctor --json` prints. */
export function doctorSchema(): JsonObject {
  return documentSchema(
    'doctor',
    { title: 'Vexil doctor', description: 'What each check of the surroundings came to.' },
    {
      checks: { type: 'array', items: check },
      'service?': service,
      'kinds?': { type: 'array', description: 'What the service offers to this key.', items: offered },
      'permissions?': {
        type: 'array',
        description: 'What the key may do, operation by operation, found out without writing.',
        items: permission,
      },
      'clock?': object({
        ahead_ms: {
          type: 'integer',
          description: 'How far the clock of the service is ahead of this one.',
        },
        tolerance_ms: { ...count, description: 'What is taken for the same.' },
      }),
      'limits?': limits,
      'requests?': { ...count, description: 'How many requests were sent.' },
      errors: { type: 'array', description: 'What would stop a plan.', items: faultSchema },
    },
  )
}

const check: JsonObject = object({
  name: text,
  verdict: {
    enum: ['ok', 'note', 'failed', 'not_checked'],
    description: 'note: it stops no plan. not_checked: nothing is known of it, and the summary says why.',
  },
  summary: text,
  'value?': { ...text, description: 'The value of a setting; never that of the key.' },
  'source?': { ...text, description: 'Where the setting is from.' },
})

const service: JsonObject = object(
  {
    profile: { ...aProfile, description: 'What it is taken for.' },
    known: profileProofSchema,
    signs: {
      type: 'array',
      description: 'What has shown it: members that only some services have.',
      items: object({ request: text, kind: text, member: text, behaviour: text, is: text }),
    },
    possible: { type: 'array', description: 'The services that the answers leave.', items: aProfile },
    facts: object(
      {
        title: text,
        'newest_source?': { type: 'string', format: 'date', description: 'The day of the newest source.' },
        version: { ...text, description: 'The same in builds that know the same.' },
      },
      { description: 'What this build knows of the services.' },
    ),
  },
  { description: 'Which service it is; absent, as what follows, where nobody could be asked.' },
)

const offered: JsonObject = object({
  kind: { enum: Object.keys(kinds) },
  offered: {
    enum: ['yes', 'read_only', 'refused', 'no', 'not_known'],
    description: 'refused: the service has them, but not for this key. no: it has none.',
  },
  'route?': { ...text, description: 'The path of the list, where services have it at one of two.' },
  'reason?': reason,
})

const permission: JsonObject = object({
  operation: { ...text, description: 'As in feature_flag.update.' },
  purpose: text,
  may: { enum: ['yes', 'no', 'not_known'], description: 'A failure of the service is never taken for no.' },
  'scope?': { ...text, description: 'What a key with scopes needs; absent where no scope lets one in.' },
  'reason?': reason,
  'lacks_scope?': { const: true, description: 'The service says that this scope is what is missing.' },
})

const limits: JsonObject = object({
  known: {
    type: 'array',
    description: 'The limits that are known of the service.',
    items: object({ of: text, each: { enum: ['key', 'project'] }, per_minute: count, 'per_hour?': count }),
  },
  told: object(
    { 'limit?': count, 'remaining?': count },
    { description: 'What headers of the answers say of it.' },
  ),
  throttled: { type: 'boolean', description: 'Whether the service has asked for fewer requests.' },
})

const environment: JsonObject = { type: ['string', 'null'], description: 'null: the repository has none.' }

/** The schema of the output of `vexil test --json`; an answer has the form of `evaluate`. */
export function testsDocumentSchema(): JsonObject {
  return documentSchema(
    'tests',
    { title: 'Vexil tests', description: 'Whether people get what tests say of the declared flags.' },
    {
      tests: {
        type: 'array',
        description: 'Each once for every environment that it is run in.',
        items: object({
          address: text,
          environment,
          person: {
            ...text,
            description: 'The name of a person, or a distinct id, in quotes; or somebody.',
          },
          verdict: { enum: ['passed', 'failed', 'undecided', 'differs'] },
          expected: object({
            value: { type: ['boolean', 'string'] },
            'payload?': { description: 'null: none. Left out where it does not matter.' },
            'because?': object(
              {
                'condition?': { type: 'integer', minimum: 1 },
                'reason?': { enum: [...evaluationReasons] },
              },
              { description: 'The condition, from 1, or the reason. Left out where it does not matter.' },
            ),
          }),
          got: object({ ...answer, by: { ...text, description: 'Who gives the value.' }, others }),
          source: { ...source, type: ['object', 'null'] },
        }),
      },
      'coverage?': object(
        {
          percent: { type: 'number', minimum: 0, maximum: 100 },
          conditions: shares,
          variants: shares,
          missed: {
            type: 'array',
            description: 'The flags of which something is not reached.',
            items: object({
              address: text,
              environment,
              tests: { type: 'integer', minimum: 0, description: 'How many it has.' },
              conditions: {
                type: 'array',
                items: object({ number: { type: 'integer', minimum: 1 }, summary: text }),
              },
              variants: { type: 'array', items: text },
            }),
          },
        },
        { description: 'With --coverage: how much of conditions and variants tests reach.' },
      ),
      'matrix?': object(
        {
          sdks: { type: 'array', items: text, description: 'With their versions.' },
          rows: {
            type: 'array',
            items: object({
              ...{ address: text, environment, person: text, service: text },
              sdks: { type: 'array', items: text, description: '`asks`: it asks the service.' },
              differs: { type: 'boolean' },
            }),
          },
          notes: {
            type: 'array',
            items: object({ address: text, lines: { type: 'array', items: text } }),
          },
        },
        { description: 'With --sdk: what the service and each SDK answer, and why they differ.' },
      ),
      errors: {
        type: 'array',
        description: 'The tests that did not pass, and coverage that is too low.',
        items: faultSchema,
      },
    },
  )
}

const shares: JsonObject = object({
  total: { type: 'integer', minimum: 0 },
  reached: { type: 'integer', minimum: 0 },
})

/** The schema of what `vexil evaluate --json` prints. */
export function evaluationSchema(): JsonObject {
  return documentSchema(
    'evaluation',
    { title: 'Vexil evaluation', description: 'What somebody gets of the declared flags.' },
    {
      flags: { type: 'array', items: evaluatedFlag },
      errors: { type: 'array', items: faultSchema },
    },
  )
}

const evaluatedFlag: JsonObject = object({
  flag: text,
  verdict: {
    enum: ['decided', 'differs', 'undecided'],
    description:
      'differs: those who evaluate give different values. undecided: it depends on what is not known here.',
  },
  ...answer,
  by: { ...text, description: 'Who gives the value.' },
  others,
  'live?': object(
    { is: { enum: ['same', 'differs', 'not_known', 'missing'] }, ...optional(answer) },
    { description: 'What the live flag gives, with --live.' },
  ),
})
