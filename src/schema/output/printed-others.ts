import { declarableKinds } from '../../kinds/index.ts'
import { type Profile, profiles } from '../../model/connection.ts'
import {
  anyObject,
  anything,
  count,
  described,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  type Schema,
  text,
  texts,
  truth,
} from '../shape.ts'
import { faultSchema } from './document.ts'

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
