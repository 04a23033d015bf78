import { declarableKinds } from '../kinds/index.ts'
import { type Profile, profiles } from '../model/connection.ts'
import { holdKinds, retireSteps, stepStates } from '../model/removal.ts'
import {
  anyObject,
  anything,
  count,
  decimal,
  described,
  flagValue,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  ordinal,
  type Schema,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  truth,
  yes,
} from './json-schema.ts'
import { faultSchema, liveEditSchema, source } from './plan-schema.ts'

const editedObject = object({
  address: text,
  environment: described(textOrNull, 'null: the repository has none.'),
  written: oneOf(
    ['environment', 'shared', 'nothing', 'removed'],
    'Where it is declared now: for the environment, or for all; nothing: it was declared already; removed: it is not declared any more.',
  ),
})

const ramped = {
  address: text,
  environment: textOrNull,
  condition: described(text, 'Its name, or its number, from 1.'),
  before: decimal,
  after: decimal,
  to: decimal,
  steps_left: described(count, 'How many more steps the limits ask for.'),
}

const rampedCondition = object(ramped, 'The step of a rollout, in percent: of `ramp`.')

const environment = textOrNull

const standing = object({
  environment,
  declared: oneOf(['on', 'off', 'absent']),
  value: described(nullable(flagValue), 'What everybody gets; null: not the same, or not known.'),
  off_since: timeOrNull,
})

const hold = object({
  kind: oneOf(holdKinds),
  environment: described(environment, 'null: in all of them.'),
  'source?': source,
  what: text,
  remedy: text,
  allowed: described(truth, 'Whether somebody has allowed to go on all the same.'),
  now: described(truth, 'Whether it holds the next step.'),
})

/** The output of `vexil retire --json` beside the files. */
const retirement = object(
  {
    address: text,
    step: oneOf(retireSteps, 'The next one.'),
    steps: list(object({ step: oneOf(retireSteps), state: oneOf(stepStates) })),
    environments: list(standing),
    holds: list(hold),
    unchecked: list(object({ environment, what: text, reason: text }), 'What nobody could look for.'),
  },
  'Of `retire`: how far the removal of the flag is.',
)

const reason = object({
  reason: oneOf(
    ['everyone', 'nobody', 'gone', 'expired', 'uncalled', 'unreferenced'],
    'everyone: all people get one value. nobody: no one gets anything. gone: declared absent, and it is. expired: past `expires`. uncalled: nobody asked for it. unreferenced: no code names it.',
  ),
  'value?': described(flagValue, 'What everyone gets: true, or the key of a variant.'),
  'since?': object({
    at: time,
    days: described(integer, 'Whole days up to now.'),
    at_least: described(truth, 'Whether it may have been so before.'),
    from: oneOf(
      ['commit', 'run', 'trail', 'service', 'declaration'],
      'What shows it; `name` is that of the commit or of the run.',
    ),
    'name?': text,
  }),
})

const live = object(
  {
    there: truth,
    value: described(nullable(flagValue), 'What everyone gets; null where people may get different values.'),
    differs: described(truth, 'Whether it is live otherwise than it is declared.'),
    last_called_at: described(
      timeOrNull,
      'When somebody asked for it last; null if the service does not report it.',
    ),
  },
  'With --activity: the live flag.',
)

const reasons = list(reason)

const flag = object({
  key: text,
  address: text,
  owners: texts,
  source,
  stale: oneOf(
    ['everywhere', 'partly'],
    'Whether there is a reason in each environment in which it is declared.',
  ),
  reasons: described(reasons, 'Those that hold in every environment.'),
  environments: list(
    object({
      environment: described(textOrNull, 'null: the repository has none.'),
      declared: oneOf(['present', 'absent']),
      reasons,
      'live?': live,
    }),
  ),
  next: described(textOrNull, 'What to do next; null of a flag that is stale partly.'),
})

/** Commands that change declarations. */
export const edit = {
  dry_run: described(truth, 'Whether nothing was written.'),
  files: list(
    object({
      path: text,
      diff: described(text, 'As `diff -u` writes it; where something is hidden, each line is `(sensitive)`.'),
      'removed?': described(yes, 'The file goes, since nothing is left in it.'),
    }),
  ),
  objects: list(editedObject),
  'ramp?': rampedCondition,
  'retire?': retirement,
  'live_edits?': list(liveEditSchema, 'Of `pull`: what was changed in the product and is declared so now.'),
  'left_out?': list(object({ address: text, reason: text }), 'Of `pull`: what no edit of a file can say.'),
  notes: texts,
  errors: list(faultSchema),
}

/** `vexil retire` without a flag. */
export const staleFlags = {
  days: described(ordinal, 'From so many days on a flag is stale.'),
  environments: list(textOrNull, 'Those that were looked at.'),
  flags: list(flag),
  looked_at: described(integer, 'How many flags were looked at.'),
  permanent: described(integer, 'How many flags were left out since they are here to stay.'),
  searched: described(nullable(integer), 'How many files of code were searched, with --in.'),
  notes: described(texts, 'What is not known, and why.'),
  errors: list(faultSchema),
}

const place = {
  path: described(text, 'As seen from where the command runs.'),
  line: ordinal,
  column: described(ordinal, 'In UTF-16 code units.'),
}

const codeReference = object({
  ...place,
  kind: oneOf(
    ['call', 'typed', 'string'],
    'A call of an SDK with the key; a name that `vexil keys` made; a text of its own that is the key.',
  ),
  'call?': described(text, 'What is called, as in isFeatureEnabled.'),
})

const namedFlag = object({
  key: text,
  declared: oneOf(['present', 'absent']),
  references: list(codeReference),
})

const undeclared = object({
  key: text,
  ...place,
  call: text,
  declared: oneOf(['absent', 'nowhere']),
  meant: described(textOrNull, 'The declared key that was most likely meant.'),
})

/** `vexil refs`. */
export const references = {
  flags: list(namedFlag, 'With --unused, those without a reference; with --undeclared alone, none.'),
  undeclared: list(undeclared, 'With --undeclared: calls for a key that is declared nowhere, or absent.'),
  searched: described(integer, 'How many files were searched.'),
  unsearched: list(object({ path: text, why: oneOf(['binary', 'too_large', 'link', 'unreadable']) })),
  notes: texts,
  errors: list(faultSchema),
}

const kind = oneOf(declarableKinds.map(({ name }) => name))

const difference = object({
  from: described(text, 'The first environment that has the object.'),
  to: text,
  fields: texts,
  files: described(texts, 'Names of source files.'),
  before: described(anyObject, 'These fields in the one; fields that it does not have are left out.'),
  after: described(anyObject, 'The same in the other.'),
  summary: described(texts, 'In plain words.'),
})

const comparedObject = object({
  address: text,
  kind,
  verdict: oneOf(['equal', 'differs', 'only'], 'only: some of the environments have it, and others do not.'),
  environments: mapOf(
    object({
      state: oneOf(
        ['present', 'absent', 'skipped', 'missing'],
        'absent: declared to be deleted; skipped: left alone there.',
      ),
      summary: described(text, 'Of a flag whether it is on, and for how many at the most.'),
    }),
    'By name, what each has.',
  ),
  differences: list(difference),
})

/** `vexil compare`. */
export const comparison = {
  of: oneOf(['declared', 'live'], 'What was compared.'),
  environments: list(
    object({ name: text, 'place?': described(text, 'Where it is live, with --live.') }),
    'As they were named.',
  ),
  objects: list(comparedObject, 'By address, also those that are equal.'),
  summary: object({
    equal: count,
    differs: count,
    only: mapOf(count, 'By environment: how many it has that not all of them have.'),
  }),
  errors: list(faultSchema),
}

/** `vexil export`. */
export const exported = {
  objects: list(
    object({
      'environment?': described(text, 'Where it is live, where several environments are exported.'),
      kind,
      identity: text,
      id: text,
      fields: described(anyObject, 'The managed fields as they were read, without the identity.'),
      'grants?': list(
        object({ id: text, 'name?': text }),
        'The roles that hold a grant on it; left out where the service has none or nobody asked.',
      ),
      'files?': mapOf(text, 'Source files, by name.'),
    }),
  ),
}

/** `vexil call`. */
export const call = {
  operation: described(text, 'As in feature_flag.read.'),
  status: described(integer, 'Of HTTP; of a list that was followed to its end, 200.'),
  body: described(
    anything,
    'The answer as it came; with --all, every row. null: it has no body, or no JSON.',
  ),
  'text?': described(text, 'An answer that is no JSON.'),
}

/** `vexil call` without a name. */
export const operations = {
  operations: list(
    object({
      operation: text,
      method: text,
      path: text,
      required: described(texts, 'Arguments of the path that no setting has.'),
      optional: described(texts, 'Arguments of the query.'),
      takes_body: truth,
      doc: text,
    }),
  ),
}

/** `vexil sandbox`. */
export const sandbox = {
  base_url: text,
  api_key: text,
  organization: text,
  project: integer,
  project_token: described(text, 'What SDKs send.'),
  roles: list(object({ id: text, name: text })),
}

const takes: Schema<readonly (string | boolean)[] | 'number'> = {
  description: 'The values that it takes.',
  oneOf: [{ const: 'number' }, { type: 'array', items: { type: ['string', 'boolean'] } }],
}

const profileValues: Schema<Readonly<Record<Profile, string | number | boolean>>> = {
  type: 'object',
  description: 'What each profile does.',
  required: [...profiles],
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

/** `vexil sandbox quirks`. */
export const quirks = {
  quirks: list(
    object({
      name: text,
      doc: text,
      takes,
      profiles: profileValues,
      sources: described(texts, 'Sections of the pages in docs.'),
      certainty: oneOf(['high', 'medium', 'low'], 'How sure it is that the newest profile does so.'),
    }),
  ),
}

/** `vexil unlock`. */
export const unlock = {
  removed: described(
    nullable(
      object({ lock: text, 'owner?': described(text, 'Whose it was; absent where it is not known.') }),
    ),
    'The lock that was removed. null: none was held.',
  ),
}

/** `vexil terraform install`. */
export const installation = {
  provider: described(text, 'As configurations name it.'),
  version: text,
  platform: described(text, 'As Terraform writes it, such as linux_amd64.'),
  checksum: described(text, { pattern: '^h1:', description: 'What .terraform.lock.hcl has of it.' }),
  directory: described(text, 'The plugin folder.'),
  folders: list(
    object({
      source: described(text, 'The address with its registry.'),
      path: text,
      state: oneOf(
        ['wrote', 'kept', 'replaced'],
        'kept: the same was there; replaced: another of the same version was.',
      ),
    }),
  ),
  next: described(text, 'What to run next.'),
}

/** `vexil init`. */
export const init = {
  directory: text,
  files: list(
    object({
      path: text,
      state: oneOf(['wrote', 'kept'], 'kept: it was there, and is as it was.'),
    }),
  ),
  next: described(text, 'What to run next.'),
}
