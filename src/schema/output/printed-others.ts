import { declarableKinds } from '../../kinds/index.ts'
import { profiles } from '../../model/connection.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { dialect, object, schemaBase } from '../json-schema.ts'
import { documentSchema, faultSchema, text, texts } from './document.ts'

const count: JsonObject = { type: 'integer', minimum: 0 }

/** The schema of what `vexil compare --json` prints. */
export function comparisonSchema(): JsonObject {
  return documentSchema(
    'comparison',
    { title: 'Vexil comparison', description: 'Environments side by side.' },
    {
      of: { enum: ['declared', 'live'], description: 'What was compared.' },
      environments: {
        type: 'array',
        description: 'As they were named.',
        items: object({ name: text, 'place?': { ...text, description: 'Where it is live, with --live.' } }),
      },
      objects: {
        type: 'array',
        description: 'By address, also those that are equal.',
        items: comparedObject,
      },
      summary: object({
        equal: count,
        differs: count,
        only: {
          type: 'object',
          description: 'By environment: how many it has that not all of them have.',
          additionalProperties: count,
        },
      }),
      errors: { type: 'array', items: faultSchema },
    },
  )
}

const difference: JsonObject = object({
  from: { ...text, description: 'The first environment that has the object.' },
  to: text,
  fields: texts,
  files: { ...texts, description: 'Names of source files.' },
  before: {
    type: 'object',
    description: 'These fields in the one; what it says nothing of is left out.',
  },
  after: { type: 'object', description: 'The same in the other.' },
  summary: { ...texts, description: 'In plain words.' },
})

const comparedObject: JsonObject = object({
  address: text,
  kind: { enum: declarableKinds.map(({ name }) => name) },
  verdict: {
    enum: ['equal', 'differs', 'only'],
    description: 'only: some of the environments have it, and others do not.',
  },
  environments: {
    type: 'object',
    description: 'By name, what each has.',
    additionalProperties: object({
      state: {
        enum: ['present', 'absent', 'skipped', 'missing'],
        description: 'absent: declared to be deleted; skipped: left alone there.',
      },
      summary: { ...text, description: 'Of a flag whether it is on, and for how many at the most.' },
    }),
  },
  differences: { type: 'array', items: difference },
})

/** The schema of what `vexil export --json` prints. */
export function exportSchema(): JsonObject {
  return documentSchema(
    'export',
    {
      ...{
        title: 'Vexil export',
        description: 'Live objects with all that a declaration could say of them.',
      },
    },
    { objects: { type: 'array', items: exported } },
  )
}

const exported: JsonObject = object({
  'environment?': { ...text, description: 'Where it is live, where several environments are exported.' },
  kind: { enum: declarableKinds.map(({ name }) => name) },
  identity: text,
  id: text,
  fields: { type: 'object', description: 'The managed fields as they were read, without the identity.' },
  'grants?': {
    type: 'array',
    description: 'The roles that hold a grant on it; left out where the service has none or nobody asked.',
    items: object({ id: text, 'name?': text }),
  },
  'files?': { type: 'object', description: 'Source files, by name.', additionalProperties: text },
})

/** The schema of what `vexil call --json` prints. */
export function callSchema(): JsonObject {
  return documentSchema(
    'call',
    { title: 'Vexil call', description: 'What the service answered to one operation.' },
    {
      operation: { ...text, description: 'As in feature_flag.read.' },
      status: { type: 'integer', description: 'Of HTTP; of a list that was followed to its end, 200.' },
      body: {
        description: 'The answer as it came; with --all, every row. null: it has no body, or no JSON.',
      },
      'text?': { ...text, description: 'An answer that is no JSON.' },
    },
  )
}

/** The schema of what `vexil call --json` prints without a name. */
export function operationsSchema(): JsonObject {
  return documentSchema(
    'operations',
    { title: 'Vexil operations', description: 'What can be called: `vexil call` without a name.' },
    { operations: { type: 'array', items: operation } },
  )
}

const operation: JsonObject = object({
  operation: text,
  method: text,
  path: text,
  required: { ...texts, description: 'Arguments of the path that no setting has.' },
  optional: { ...texts, description: 'Arguments of the query.' },
  takes_body: { type: 'boolean' },
  doc: text,
})

/** The schema of what `vexil sandbox --json` prints. */
export function sandboxSchema(): JsonObject {
  return object(
    {
      base_url: text,
      api_key: text,
      organization: text,
      project: { type: 'integer' },
      project_token: { ...text, description: 'What SDKs send.' },
      roles: {
        type: 'array',
        items: object({ id: text, name: text }),
      },
    },
    {
      $schema: dialect,
      $id: `${schemaBase}/sandbox.schema.json`,
      title: 'Vexil sandbox',
      description: 'Where a stand-in listens and what opens it.',
    },
  )
}

/** The schema of what `vexil sandbox quirks --json` prints. */
export function quirksSchema(): JsonObject {
  return documentSchema(
    'quirks',
    { title: 'Vexil quirks', description: 'Every behaviour that a sandbox can be told.' },
    { quirks: { type: 'array', items: quirk } },
  )
}

const quirk: JsonObject = object({
  name: text,
  doc: text,
  takes: {
    description: 'The values that it takes.',
    oneOf: [{ const: 'number' }, { type: 'array', items: { type: ['string', 'boolean'] } }],
  },
  profiles: {
    type: 'object',
    description: 'What each profile does.',
    required: [...profiles],
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
  sources: { ...texts, description: 'Sections of the pages in docs.' },
  certainty: {
    enum: ['high', 'medium', 'low'],
    description: 'How sure it is that the newest profile does so.',
  },
})

/** The schema of what `vexil terraform install --json` prints. */
export function installationSchema(): JsonObject {
  return documentSchema(
    'installation',
    { title: 'Vexil installation', description: "Where Terraform's provider was put." },
    installation,
  )
}

const installation = {
  provider: { ...text, description: 'As configurations name it.' },
  version: text,
  platform: { ...text, description: 'As Terraform writes it, such as linux_amd64.' },
  checksum: { ...text, pattern: '^h1:', description: 'What .terraform.lock.hcl has of it.' },
  directory: { ...text, description: 'The plugin folder.' },
  folders: {
    type: 'array',
    items: object({
      source: { ...text, description: 'The address with its registry.' },
      path: text,
      state: {
        enum: ['wrote', 'kept', 'replaced'],
        description: 'kept: the same was there; replaced: another of the same version was.',
      },
    }),
  },
  next: { ...text, description: 'What to run next.' },
} satisfies JsonObject

/** The schema of what `vexil init --json` prints. */
export function initSchema(): JsonObject {
  return documentSchema(
    'init',
    { title: 'Vexil init', description: 'What a repository was started with.' },
    {
      directory: text,
      files: { type: 'array', items: startedFile },
      next: { ...text, description: 'What to run next.' },
    },
  )
}

const startedFile: JsonObject = object({
  path: text,
  state: { enum: ['wrote', 'kept'], description: 'kept: it was there, and is as it was.' },
})
