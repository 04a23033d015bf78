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

/** The members of one person's result for a flag. */
export const answer = {
  value: described(nullable(flagValue), 'false, true or the key of the variant; null where it is undecided.'),
  variant: described(textOrNull, 'The key of the variant.'),
  payload: described(anything, 'What code receives beside it; null: none.'),
  reason: oneOf(evaluationReasons),
  condition: described(nullable(condition), 'The condition that matched or came nearest.'),
  undecided: described(textOrNull, 'Why the value is not known.'),
}

/** Engines that evaluate a flag differently. */
const others = list(
  object({ by: text, 'value?': flagValue, 'undecided?': text }),
  'Those who do not say the same.',
)

const problem = object({
  ...faultMembers,
  severity: oneOf(['error', 'warning']),
  'conditional?': described(
    yes,
    'A warning that a plan turns into an error, unless the live object is like this already.',
  ),
})

const shownObject = object({
  address: text,
  kind: oneOf(declarableKinds.map(({ name }) => name)),
  section: described(text, 'The section of the file, in which it goes by `name`.'),
  name: text,
  'environment?': text,
  source,
  value: described(anyObject, 'As it is written, with the overrides of the environment.'),
  leaves: list(
    object({
      pointer: described(
        text,
        'A JSON pointer into the value; the values of an audience are below the place of its name.',
      ),
      value: { description: 'What comes out of the environment is shown as its reference.' },
      source,
      by: oneOf(['declaration', 'override', 'default', 'audience']),
      'audience?': described(text, 'The audience that it comes from.'),
    }),
    'Each single value, with its place.',
  ),
})

const reason = described(text, 'Why not, or why it is not known.')
const aProfile = oneOf(profiles)

export const validation = {
  files: described(texts, 'The files that were read.'),
  problems: list(problem),
  errors: list(faultSchema, 'Those that are errors.'),
  'objects?': list(shownObject, 'With --show: objects as they are declared for one environment.'),
}

const check = object({
  name: text,
  verdict: oneOf(
    ['ok', 'note', 'failed', 'not_checked'],
    'note: it stops no plan. not_checked: nothing is known of it; the summary has the reason.',
  ),
  summary: text,
  'value?': described(text, 'The value of a setting; never that of the key.'),
  'source?': described(text, 'Where the setting is from.'),
})

const service = object(
  {
    profile: described(aProfile, 'What it is taken for.'),
    known: profileProofSchema,
    signs: list(
      object({ request: text, kind: text, member: text, behaviour: text, is: text }),
      'What has shown it: members that only some services have.',
    ),
    possible: list(aProfile, 'The services that the answers leave.'),
    facts: object(
      {
        title: text,
        'newest_source?': described(text, { format: 'date', description: 'The day of the newest source.' }),
        version: described(text, 'The same in builds that know the same.'),
      },
      'What this build knows of the services.',
    ),
  },
  'Which service it is; absent, as what follows, where nobody could be asked.',
)

const offered = object({
  kind: oneOf(Object.keys(kinds)),
  offered: oneOf(
    ['yes', 'read_only', 'refused', 'no', 'not_known'],
    'refused: the service has them, but not for this key. no: it has none.',
  ),
  'route?': described(text, 'The path of the list, where services have it at one of two.'),
  'reason?': reason,
})

const permission = object({
  operation: described(text, 'As in feature_flag.update.'),
  purpose: text,
  may: oneOf(['yes', 'no', 'not_known'], 'A failure of the service is never taken for no.'),
  'scope?': described(text, 'What a key with scopes needs; absent where no scope lets one in.'),
  'reason?': reason,
  'lacks_scope?': described(yes, 'The service reports that this scope is missing.'),
})

const limits = object({
  known: list(
    object({ of: text, each: oneOf(['key', 'project']), per_minute: count, 'per_hour?': count }),
    'The limits that are known of the service.',
  ),
  told: object({ 'limit?': count, 'remaining?': count }, 'What headers of the answers say of it.'),
  throttled: described(truth, 'Whether the service has asked for fewer requests.'),
})

const environment = described(textOrNull, 'null: the repository has none.')

export const doctor = {
  checks: list(check),
  'service?': service,
  'kinds?': list(offered, 'What the service offers to this key.'),
  'permissions?': list(permission, 'What the key may do, operation by operation, found out without writing.'),
  'clock?': object({
    ahead_ms: described(integer, 'How far the clock of the service is ahead of this one.'),
    tolerance_ms: described(count, 'What is taken for the same.'),
  }),
  'limits?': limits,
  'requests?': described(count, 'How many requests were sent.'),
  errors: list(faultSchema, 'What would stop a plan.'),
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
      person: described(textOrNull, 'The name of a person, or a distinct id; null for nobody in particular.'),
      verdict: oneOf(['passed', 'failed', 'undecided', 'differs']),
      expected: object({
        value: flagValue,
        'payload?': described(anything, 'null: none. Left out where it does not matter.'),
        'because?': object(
          {
            'condition?': ordinal,
            'reason?': oneOf(evaluationReasons),
          },
          'The condition, from 1, or the reason. Left out where it does not matter.',
        ),
      }),
      got: object({ ...answer, by: described(text, 'Who gives the value.'), others }),
      source: nullable(source),
    }),
    'Each once for every environment that it is run in.',
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
          tests: described(count, 'How many it has.'),
          conditions: list(condition),
          variants: texts,
        }),
        'The flags of which something is not reached.',
      ),
    },
    'With --coverage: how much of conditions and variants tests reach.',
  ),
  'matrix?': object(
    {
      sdks: described(texts, 'With their versions.'),
      rows: list(
        object({
          ...{ address: text, environment, person: text, service: text },
          sdks: described(texts, '`asks`: it asks the service.'),
          differs: truth,
        }),
      ),
      notes: list(object({ address: text, lines: texts })),
    },
    'With --sdk: what the service and each SDK answer, and why they differ.',
  ),
  errors: list(faultSchema, 'The tests that did not pass, and coverage that is too low.'),
}

type Answer = ObjectOf<typeof answer>

/** What the live flag gives: without an answer if it is missing. */
type Live = ({ readonly is: 'same' | 'differs' | 'not_known' } & Answer) | { readonly is: 'missing' }

const live = typedAs<Live>(
  object(
    { is: oneOf(['same', 'differs', 'not_known', 'missing']), ...optional(answer) },
    'What the live flag gives, with --live.',
  ),
)

const evaluatedFlag = object({
  flag: text,
  verdict: oneOf(
    ['decided', 'differs', 'undecided'],
    'differs: those who evaluate give different values. undecided: it depends on what is not known here.',
  ),
  ...answer,
  by: described(text, 'Who gives the value.'),
  others,
  'live?': live,
})

export const evaluation = {
  flags: list(evaluatedFlag),
  errors: list(faultSchema),
}
