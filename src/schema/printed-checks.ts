import { declarableKinds, kinds } from '../kinds/index.ts'
import { profiles } from '../model/connection.ts'
import { evaluationReasons } from '../targeting/index.ts'
import {
  anyObject,
  anything,
  count,
  decimal,
  described,
  flagValue,
  integer,
  list,
  nullable,
  type ObjectOf,
  object,
  oneOf,
  optional,
  ordinal,
  text,
  textOrNull,
  texts,
  truth,
  typedAs,
  yes,
} from './json-schema.ts'
import { faultMembers, faultSchema, profileProofSchema, source } from './plan-schema.ts'

const condition = object({ number: ordinal, summary: text })

/** The members of the result of one flag for one person. */
export const answer = {
  value: described(nullable(flagValue), 'false, true or the key of the variant; null if undecided.'),
  variant: described(textOrNull, 'The key of the variant.'),
  payload: described(anything, 'The payload that code receives; null: no payload.'),
  reason: oneOf(evaluationReasons),
  condition: described(nullable(condition), 'The matching condition, or the closest one.'),
  undecided: described(textOrNull, 'Why the value is undecided.'),
}

const others = list(
  object({ by: text, 'value?': flagValue, 'undecided?': text }),
  'Engines that give another result.',
)

const problem = object({
  ...faultMembers,
  severity: oneOf(['error', 'warning']),
  'conditional?': described(
    yes,
    'A warning that becomes an error in a plan, unless the live object already has the same problem.',
  ),
})

const shownObject = object({
  address: text,
  kind: oneOf(declarableKinds.map(({ name }) => name)),
  section: described(text, 'The section of the file that declares the object as `name`.'),
  name: text,
  'environment?': text,
  source,
  value: described(anyObject, 'The declared value, with the overrides of the environment.'),
  leaves: list(
    object({
      pointer: described(
        text,
        'A JSON pointer into the value. Values of an audience are below the place that names the audience.',
      ),
      value: { description: 'A value from an environment variable is shown as its reference.' },
      source,
      by: oneOf(['declaration', 'override', 'default', 'audience']),
      'audience?': described(text, 'The audience that contains the value.'),
    }),
    'Each single value and its position.',
  ),
})

const reason = described(text, 'Why not, or why it is unknown.')
const aProfile = oneOf(profiles)

export const validation = {
  files: described(texts, 'The files that were read.'),
  problems: list(problem),
  errors: list(faultSchema, 'The problems that are errors.'),
  'objects?': list(shownObject, 'With --show: the declared objects for one environment.'),
}

const check = object({
  name: text,
  verdict: oneOf(
    ['ok', 'note', 'failed', 'not_checked'],
    'note: does not stop a plan. not_checked: the result is unknown; the summary has the reason.',
  ),
  summary: text,
  'value?': described(text, 'The value of a setting, but never the key.'),
  'source?': described(text, 'Where the setting comes from.'),
})

const service = object(
  {
    profile: described(aProfile, 'The API profile that Vexil uses.'),
    known: profileProofSchema,
    signs: list(
      object({ request: text, kind: text, member: text, behaviour: text, is: text }),
      'The evidence: members that only some services have.',
    ),
    possible: list(aProfile, 'The profiles that fit the answers.'),
    facts: object(
      {
        title: text,
        'newest_source?': described(text, { format: 'date', description: 'The date of the newest source.' }),
        version: described(text, 'A version that builds with the same facts share.'),
      },
      'The facts about the services in this build.',
    ),
  },
  'The recognized service. This member and the next ones are absent if no service could be reached.',
)

const offered = object({
  kind: oneOf(Object.keys(kinds)),
  offered: oneOf(
    ['yes', 'read_only', 'refused', 'no', 'not_known'],
    'refused: the service has such objects, but this key may not read them. no: the service has none.',
  ),
  'route?': described(text, 'The path of the list, if services have it at different paths.'),
  'reason?': reason,
})

const permission = object({
  operation: described(text, 'For example, feature_flag.update.'),
  purpose: text,
  may: oneOf(['yes', 'no', 'not_known'], 'A failure of the service never counts as no.'),
  'scope?': described(text, 'The scope that a scoped key needs; absent if no scope is enough.'),
  'reason?': reason,
  'lacks_scope?': described(yes, 'The service reports that the key lacks this scope.'),
})

const limits = object({
  known: list(
    object({ of: text, each: oneOf(['key', 'project']), per_minute: count, 'per_hour?': count }),
    'The known rate limits of the service.',
  ),
  told: object({ 'limit?': count, 'remaining?': count }, 'The limits that headers of the answers report.'),
  throttled: described(truth, 'Whether the service limited the request rate.'),
})

const environment = described(textOrNull, 'null: the repository has no environments.')

export const doctor = {
  checks: list(check),
  'service?': service,
  'kinds?': list(offered, 'The kinds of objects that the service offers to this key.'),
  'permissions?': list(permission, 'What the key may do, by operation. The check writes nothing.'),
  'clock?': object({
    ahead_ms: described(integer, "How far the service's clock is ahead of the local clock."),
    tolerance_ms: described(count, 'The largest difference that counts as equal.'),
  }),
  'limits?': limits,
  'requests?': described(count, 'How many requests were sent.'),
  errors: list(faultSchema, 'Problems that would stop a plan.'),
}

const shares = object({
  total: count,
  reached: count,
})

export const tests = {
  tests: list(
    object({
      address: text,
      environment,
      person: described(textOrNull, 'The name or distinct id of the person; null for an anonymous person.'),
      verdict: oneOf(['passed', 'failed', 'undecided', 'differs']),
      expected: object({
        value: flagValue,
        'payload?': described(anything, 'null: no payload. Absent if the test does not check it.'),
        'because?': object(
          {
            'condition?': ordinal,
            'reason?': oneOf(evaluationReasons),
          },
          'The number of the condition (from 1), or the reason. Absent if the test does not check it.',
        ),
      }),
      got: object({ ...answer, by: described(text, 'The engine that gives the value.'), others }),
      source: nullable(source),
    }),
    'One entry for each test and environment.',
  ),
  'coverage?': object(
    {
      percent: described(decimal, { minimum: 0, maximum: 100 }),
      conditions: shares,
      variants: shares,
      missed: list(
        object({
          address: text,
          environment,
          tests: described(count, 'How many tests the flag has.'),
          conditions: list(condition),
          variants: texts,
        }),
        'Flags whose tests do not reach all conditions and variants.',
      ),
    },
    'With --coverage: how many conditions and variants the tests reach.',
  ),
  'matrix?': object(
    {
      sdks: described(texts, 'The SDKs and their versions.'),
      rows: list(
        object({
          ...{ address: text, environment, person: text, service: text },
          sdks: described(texts, 'The result of each SDK. `asks`: the SDK asks the service.'),
          differs: truth,
        }),
      ),
      notes: list(object({ address: text, lines: texts })),
    },
    'With --sdk: the results of the service and of each SDK, and why they differ.',
  ),
  errors: list(faultSchema, 'Failed tests, and coverage below the limit.'),
}

type Answer = ObjectOf<typeof answer>

/** The result of the live flag. A missing flag has no value. */
type Live = ({ readonly is: 'same' | 'differs' | 'not_known' } & Answer) | { readonly is: 'missing' }

const live = typedAs<Live>(
  object(
    { is: oneOf(['same', 'differs', 'not_known', 'missing']), ...optional(answer) },
    'With --live: the result of the live flag.',
  ),
)

const evaluatedFlag = object({
  flag: text,
  verdict: oneOf(
    ['decided', 'differs', 'undecided'],
    'differs: engines give different values. undecided: the value depends on unknown facts.',
  ),
  ...answer,
  by: described(text, 'The engine that gives the value.'),
  others,
  'live?': live,
})

export const evaluation = {
  flags: list(evaluatedFlag),
  errors: list(faultSchema),
}
