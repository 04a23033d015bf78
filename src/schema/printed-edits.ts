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
  environment: described(textOrNull, 'null: the repository has no environments.'),
  written: oneOf(
    ['environment', 'shared', 'nothing', 'removed'],
    'Where the value is declared now. environment: in one environment. shared: for all environments. nothing: it was already declared, so nothing was written. removed: the declaration was removed.',
  ),
})

const ramped = {
  address: text,
  environment: textOrNull,
  condition: described(text, 'The name of the condition, or its number (from 1).'),
  before: decimal,
  after: decimal,
  to: decimal,
  steps_left: described(count, 'How many more steps are needed to stay within the limits.'),
}

const rampedCondition = object(ramped, 'For `ramp`: the rollout step, in percent.')

const environment = textOrNull

const standing = object({
  environment,
  declared: oneOf(['on', 'off', 'absent']),
  value: described(
    nullable(flagValue),
    'The value that everybody gets; null: people get different values, or the value is unknown.',
  ),
  off_since: timeOrNull,
})

const hold = object({
  kind: oneOf(holdKinds),
  environment: described(environment, 'null: in all environments.'),
  'source?': source,
  what: text,
  remedy: text,
  allowed: described(truth, 'Whether a user allowed the removal despite this block.'),
  now: described(truth, 'Whether it blocks the next step.'),
})

/** The members that `vexil retire --json` prints in addition to the changed files. */
const retirement = object(
  {
    address: text,
    step: oneOf(retireSteps, 'The next step.'),
    steps: list(object({ step: oneOf(retireSteps), state: oneOf(stepStates) })),
    environments: list(standing),
    holds: list(hold),
    unchecked: list(object({ environment, what: text, reason: text }), 'What could not be checked.'),
  },
  "For `retire`: the progress of the flag's removal.",
)

const reason = object({
  reason: oneOf(
    ['everyone', 'nobody', 'gone', 'expired', 'uncalled', 'unreferenced'],
    'everyone: all people get one value. nobody: no one gets the flag. gone: it is declared absent and is already deleted. expired: past `expires`. uncalled: no code asked for it. unreferenced: no code contains its key.',
  ),
  'value?': described(flagValue, 'The value that everyone gets: true, or the key of a variant.'),
  'since?': object({
    at: time,
    days: described(integer, 'The age in whole days.'),
    at_least: described(truth, 'Whether the state may be older than that.'),
    from: oneOf(
      ['commit', 'run', 'trail', 'service', 'declaration'],
      'The source of the date. `name` is the commit or the run.',
    ),
    'name?': text,
  }),
})

const live = object(
  {
    there: truth,
    value: described(
      nullable(flagValue),
      'The value that everyone gets; null if people may get different values.',
    ),
    differs: described(truth, 'Whether the live flag differs from its declaration.'),
    last_called_at: described(
      timeOrNull,
      'When code last asked for the flag; null if the service does not report it.',
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
    'everywhere: every environment that declares the flag has a reason. partly: only some have.',
  ),
  reasons: described(reasons, 'The reasons that hold in every environment.'),
  environments: list(
    object({
      environment: described(textOrNull, 'null: the repository has no environments.'),
      declared: oneOf(['present', 'absent']),
      reasons,
      'live?': live,
    }),
  ),
  next: described(textOrNull, 'The next step; null for a flag that is only partly stale.'),
})

/** The output of commands that change declarations. */
export const edit = {
  dry_run: described(truth, 'Whether the command only showed the changes and wrote nothing.'),
  files: list(
    object({
      path: text,
      diff: described(
        text,
        'A diff as by `diff -u`. If it contains hidden values, each line is `(sensitive)`.',
      ),
      'removed?': described(yes, 'The file is removed because it is empty now.'),
    }),
  ),
  objects: list(editedObject),
  'ramp?': rampedCondition,
  'retire?': retirement,
  'live_edits?': list(liveEditSchema, 'For `pull`: live edits that are declared now.'),
  'left_out?': list(
    object({ address: text, reason: text }),
    'For `pull`: live edits that a file cannot express.',
  ),
  notes: texts,
  errors: list(faultSchema),
}

/** The output of `vexil retire` without a flag. */
export const staleFlags = {
  days: described(ordinal, 'After how many days a flag counts as stale.'),
  environments: list(textOrNull, 'The checked environments.'),
  flags: list(flag),
  looked_at: described(integer, 'How many flags were checked.'),
  permanent: described(integer, 'How many flags were skipped because they are permanent.'),
  searched: described(nullable(integer), 'With --in: how many code files were searched.'),
  notes: described(texts, 'What is unknown, and why.'),
  errors: list(faultSchema),
}

const place = {
  path: described(text, 'The path, relative to the folder of the command.'),
  line: ordinal,
  column: described(ordinal, 'The column in UTF-16 code units.'),
}

const codeReference = object({
  ...place,
  kind: oneOf(
    ['call', 'typed', 'string'],
    'call: an SDK call with the key. typed: a name that `vexil keys` generated. string: a string that equals the key.',
  ),
  'call?': described(text, 'The called function, such as isFeatureEnabled.'),
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
  meant: described(textOrNull, 'The declared key that is most similar.'),
})

/** The output of `vexil refs`. */
export const references = {
  flags: list(namedFlag, 'With --unused: only flags without a reference. With only --undeclared: empty.'),
  undeclared: list(
    undeclared,
    'With --undeclared: calls for a key that is not declared, or is declared absent.',
  ),
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
  files: described(texts, 'Names of source files that differ.'),
  before: described(anyObject, 'The differing fields in the first environment. Missing fields are absent.'),
  after: described(anyObject, 'The same fields in the other environment.'),
  summary: described(texts, 'The difference as text.'),
})

const comparedObject = object({
  address: text,
  kind,
  verdict: oneOf(['equal', 'differs', 'only'], 'only: some environments have the object and others do not.'),
  environments: mapOf(
    object({
      state: oneOf(
        ['present', 'absent', 'skipped', 'missing'],
        'absent: declared to be deleted. skipped: not managed in that environment.',
      ),
      summary: described(text, 'For a flag: whether it is on, and its highest rollout percentage.'),
    }),
    'What each environment has, by name.',
  ),
  differences: list(difference),
})

export const comparison = {
  of: oneOf(['declared', 'live'], 'Whether declarations or live objects were compared.'),
  environments: list(
    object({
      name: text,
      'place?': described(text, 'With --live: the address and project of the environment.'),
    }),
    'The environments in the order of the command line.',
  ),
  objects: list(comparedObject, 'All objects by address, including equal objects.'),
  summary: object({
    equal: count,
    differs: count,
    only: mapOf(count, 'By environment: how many of its objects are missing in another environment.'),
  }),
  errors: list(faultSchema),
}

export const exported = {
  objects: list(
    object({
      'environment?': described(
        text,
        'The environment of the live object, if several environments are exported.',
      ),
      kind,
      identity: text,
      id: text,
      fields: described(anyObject, 'The live values of the managed fields, without the identity.'),
      'grants?': list(
        object({ id: text, 'name?': text }),
        'The roles with a grant on it. Absent if the service has no roles or they were not read.',
      ),
      'files?': mapOf(text, 'Source files by name.'),
    }),
  ),
}

export const call = {
  operation: described(text, 'For example, feature_flag.read.'),
  status: described(integer, 'The HTTP status. 200 for a list that was read completely.'),
  body: described(
    anything,
    'The answer. With --all: every row. null: the answer has no body, or its body is not JSON.',
  ),
  'text?': described(text, 'The text of an answer that is not JSON.'),
}

/** The output of `vexil call` without a name. */
export const operations = {
  operations: list(
    object({
      operation: text,
      method: text,
      path: text,
      required: described(texts, 'Path arguments that no setting provides.'),
      optional: described(texts, 'Query arguments.'),
      takes_body: truth,
      doc: text,
    }),
  ),
}

export const sandbox = {
  base_url: text,
  api_key: text,
  organization: text,
  project: integer,
  project_token: described(text, 'The project token, which SDKs send.'),
  roles: list(object({ id: text, name: text })),
  'page?': described(text, 'The address of the page for people; absent without one.'),
}

const takes: Schema<readonly (string | boolean)[] | 'number'> = {
  description: 'The values that the quirk accepts.',
  oneOf: [{ const: 'number' }, { type: 'array', items: { type: ['string', 'boolean'] } }],
}

const profileValues: Schema<Readonly<Record<Profile, string | number | boolean>>> = {
  type: 'object',
  description: 'The value of the quirk in each profile.',
  required: [...profiles],
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

/** The output of `vexil sandbox quirks`. */
export const quirks = {
  quirks: list(
    object({
      name: text,
      doc: text,
      takes,
      profiles: profileValues,
      sources: described(texts, 'Sections of pages in docs.'),
      certainty: oneOf(
        ['high', 'medium', 'low'],
        'How certain it is that the newest service behaves like this.',
      ),
    }),
  ),
}

export const unlock = {
  removed: described(
    nullable(object({ lock: text, 'owner?': described(text, 'The owner of the lock; absent if unknown.') })),
    'The removed lock. null: there was no lock.',
  ),
}

/** The output of `vexil envs`. It never contains a key. */
export const environmentList = {
  names: described(texts, 'The names by themselves, for the matrix of a pipeline.'),
  environments: list(
    object({ name: text, 'base_url?': text, 'project?': text, 'organization?': text, 'profile?': text }),
  ),
}

/** The output of a command for several environments. */
export const environments = {
  command: text,
  asked: described(text, 'The selection: the values of --env and --shard.'),
  environments: list(
    object({
      name: text,
      exit_code: integer,
      'result?': described(
        { type: ['object', 'array'] },
        'The usual document for this environment, or why it failed; for `apply` a list of its lines.',
      ),
    }),
    'In the order of vexil.yaml.',
  ),
  errors: list(faultSchema, 'Why environments failed. Each message begins with the environment.'),
}

/** The output of `vexil terraform install`. */
export const installation = {
  provider: described(text, "The provider's name in configurations."),
  version: text,
  platform: described(text, "The platform in Terraform's spelling, such as linux_amd64."),
  checksum: described(text, { pattern: '^h1:', description: 'The checksum in .terraform.lock.hcl.' }),
  directory: described(text, 'The plugin folder.'),
  folders: list(
    object({
      source: described(text, "The provider's address, including the registry."),
      path: text,
      state: oneOf(
        ['wrote', 'kept', 'replaced'],
        'kept: the same file existed. replaced: another file of the same version existed.',
      ),
    }),
  ),
  next: described(text, 'The next command to run.'),
}

export const init = {
  directory: text,
  files: list(
    object({
      path: text,
      state: oneOf(['wrote', 'kept'], 'kept: the file already existed and was not changed.'),
    }),
  ),
  next: described(text, 'The next command to run.'),
}
