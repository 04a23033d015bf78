import { declarableKinds } from '../../kinds/index.ts'
import { profileProofs } from '../../model/connection.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { redactedPartNames } from '../../model/redacted-part.ts'
import { riskRuleNames, risks } from '../../model/risk.ts'
import { dialect, object, schemaBase } from '../json-schema.ts'
import { count, faultSchema, source, text, texts, time } from './document.ts'

/** Short digests, by the names of their subjects. */
const digests: JsonObject = { type: 'object', additionalProperties: text }

/** The references of a change; records of runs hold changes too. */
export function changeSchemas(): JsonObject {
  return { change, source, files }
}

/** The name of a kind that can be declared. */
const kindName: JsonObject = { enum: declarableKinds.map(({ name }) => name) }
/** The action for an object. */
const action: JsonObject = { enum: ['create', 'update', 'claim', 'restore', 'delete'] }

const files: JsonObject = { type: 'object', additionalProperties: { type: ['string', 'null'] } }

const reference: JsonObject = object({ $ref: text, identity: text, 'id?': text })

/** For a declaration, and for a change of its object. */
const sensitive: JsonObject = {
  anyOf: [{ const: true }, { type: 'array', items: text }],
}

const change: JsonObject = object({
  address: text,
  kind: kindName,
  action,
  identity: text,
  'label?': text,
  'id?': text,
  'parent?': reference,
  'names?': {
    type: 'array',
    items: reference,
    description: 'The flags that its conditions name by key: the service is told their ids.',
  },
  'rename_of?': {
    ...reference,
    description: 'A live object, declared nowhere, that looks like the one to create: a rename may be meant.',
  },
  before: { type: 'object', description: 'The fields that change, as they were read.' },
  after: { type: 'object', description: 'The same fields as they will be sent.' },
  'files?': { $ref: '#/$defs/files' },
  'files_before?': { $ref: '#/$defs/files' },
  fingerprint: {
    type: ['string', 'null'],
    description: 'Of the live object that the change was planned on.',
  },
  risk: { enum: [...risks] },
  risk_reasons: {
    type: 'array',
    items: object({
      rule: { ...text, description: `A rule of risk: ${riskRuleNames.join(', ')}.` },
      level: { enum: [...risks] },
      reason: { ...text, description: 'What the rule has found, on one line.' },
    }),
    description:
      'The rules of risk that apply, the highest level first. The risk is the highest of their levels.',
  },
  summary: texts,
  'flipped_tests?': object(
    {
      count: { type: 'integer', minimum: 1 },
      unexpected: {
        ...count,
        description: 'Of these, who do not get what their test expects.',
      },
    },
    {
      description:
        'How many people of the tests of a flag get something else than before; its summary tells of each.',
    },
  ),
  'exposure?': object({
    before: { type: 'number' },
    after: { type: 'number' },
    direction: text,
    step: { type: 'number' },
  }),
  'alert?': {
    ...text,
    description: 'A widening that nobody may overlook, on one line: many more people at once, or everybody.',
  },
  'audiences?': {
    ...texts,
    description: 'The audiences in whose properties the declared flag differs from the live one.',
  },
  allowed: texts,
  depends_on: texts,
  'sensitive?': {
    ...sensitive,
    description: 'What of its values its declaration hides.',
  },
  'hidden?': {
    ...texts,
    description:
      'Fields, and source files as fields, in which `(sensitive DIGEST)` stands for values. The digest is salted: it tells only what is the same within one document.',
  },
  'digests?': { ...digests, description: 'On record: short digests of what is written to hidden fields.' },
  'source?': { $ref: '#/$defs/source' },
})

const author: JsonObject = object(
  {
    'name?': text,
    'at?': time,
    'reason?': { ...text, description: 'Why, where they said so.' },
  },
  { description: 'Who changed it in the product, as far as the activity trail or a record tells.' },
)

const field: JsonObject = object({
  field: { ...text, description: 'Its name; `exists` where the object itself was deleted or made.' },
  treatment: {
    enum: ['held', 'merged', 'reverted', 'conflict', 'behind'],
    description:
      'held: it stays as it is in the product, and is not sent. merged: both changes are sent. reverted: what is declared is sent. conflict: both sides changed it, and it is not sent. behind: another commit declared what is live, and it is not sent.',
  },
  'evidence?': {
    enum: ['base', 'trail', 'run', 'off'],
    description:
      'What proves it. base: what was declared when it last converged. trail: the activity trail. run: a run on record. off: it is off, and would be turned on.',
  },
  'on_both_sides?': {
    const: true,
    description: 'Of one that is reverted: the repository has changed it as well.',
  },
  summary: { ...texts, description: 'What it was changed to, in words.' },
  'author?': author,
  'set_by?': object(
    { command: { enum: ['undo', 'disable'] }, run: text },
    { description: 'Where a run on record proves it: which.' },
  ),
  'held_since?': { ...time, description: 'When the first run that held it ended.' },
  'overdue?': {
    enum: ['error', 'warning'],
    description: 'Where it is held longer than the policy longest_hold allows: the level of that.',
  },
  'commit?': { ...text, description: 'Of one that is behind: the commit that declared what is live.' },
})

/** The changes to one declared object in the product. */
export const liveEditSchema: JsonObject = object({
  address: text,
  kind: { enum: declarableKinds.map(({ name }) => name) },
  fields: { type: 'array', items: field },
  remedies: { ...texts, description: 'What to do about it: a command or an edit on each line.' },
  'source?': { $ref: '#/$defs/source' },
})

/** The schema of a plan document. Members that it does not name are allowed. */
export function planSchema(): JsonObject {
  return object(
    {
      format_version: { ...text, description: 'Always "1.0"; any other is refused.' },
      digest: { ...text, description: 'sha256 of the canonical text of everything else.' },
      'environment?': text,
      'created_at?': { ...time, description: 'When the plan was made.' },
      'commit?': { ...text, description: 'The commit that the declarations were read at.' },
      'dirty?': { type: 'boolean', description: 'Whether the folder held anything else than that commit.' },
      target: { ...targetSchema, properties: { ...targetProperties, known: profileProofSchema } },
      'requests?': {
        ...count,
        description: 'How many requests the plan cost, repeats included.',
      },
      'base?': {
        ...text,
        description: 'What live edits were measured from, where `--base` said so: `none`, or a commit.',
      },
      'measured_from?': object(
        {
          run: text,
          at: { ...time, description: 'When it ended.' },
          'commit?': text,
          'dirty?': { type: 'boolean' },
          'earlier?': {
            type: 'integer',
            minimum: 1,
            description: 'How many objects were as declared in an earlier run last.',
          },
        },
        { description: 'The newest run on record that live edits were measured from; without `base` only.' },
      ),
      'notes?': {
        ...texts,
        description: 'What stood in the way of that, and of telling who changed what.',
      },
      'allowed?': {
        ...texts,
        description: 'Rules about a plan as a whole that its apply may break: `older_commit`.',
      },
      changes: { type: 'array', items: { $ref: '#/$defs/change' } },
      blocked: { type: 'array', items: { $ref: '#/$defs/blocked' } },
      drift: { type: 'array', items: { $ref: '#/$defs/drift' } },
      'sides?': object(
        {
          edited: addressesOf('changed in the product since they were last as declared'),
          differing: addressesOf('not as declared, and nobody can tell which side has changed'),
          undeclared: addressesOf('with the ownership tag, and declared nowhere'),
          unapplied: addressesOf('changed by the repository, and by no apply yet'),
          behind: addressesOf('live as another commit declares them'),
        },
        { description: 'Of `drift` alone: which objects differ by whose doing. The first three are drift.' },
      ),
      'reviewed?': object(
        {
          as_reviewed: {
            type: 'boolean',
            description: 'Whether every change is in the reviewed plan as well.',
          },
          'reason?': { ...text, description: 'Why the two could not be compared.' },
          'added?': addressesOf('changed here alone'),
          'changed?': addressesOf('changed otherwise there, or that have changed in between'),
          'gone?': addressesOf('changed there alone'),
        },
        { description: 'Of `plan --reviewed` alone: how the plan stands to that one.' },
      ),
      'warnings?': {
        type: 'array',
        items: faultSchema,
        description:
          'Of what `plan` prints alone: what `validate` warns of in the declarations of objects that this plan tells of.',
      },
      live_edits: {
        type: 'array',
        items: { $ref: '#/$defs/live_edit' },
        description: 'What was changed in the product of declared objects, and what becomes of it.',
      },
      'owners?': {
        type: 'object',
        additionalProperties: texts,
        description: 'Who answers for what is told of, by address; what has no owner is left out.',
      },
      'ownership_tag?': {
        ...text,
        description:
          'The ownership tag of the repository. Words of a change other than a claim do not say that it adds this tag.',
      },
      'group_types?': {
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'The numbers of types of groups, by the names that the words of changes call them.',
      },
      summary: object(
        { 'unchanged?': count, 'already_absent?': count, 'tagged_undeclared?': count },
        { additionalProperties: { type: ['integer', 'string'] } },
      ),
      'inventory?': {
        type: 'object',
        description: 'By kind: rows seen, the count that the service gave, and whether they agree.',
      },
      'declared?': declaredSchema,
      'after?': { ...texts, description: 'In a file: the newest runs on record that it was made with.' },
      'redacted?': object(
        {
          parts: { type: 'array', items: { enum: redactedPartNames() } },
          'salt?': { ...text, description: 'In a file: what its digests were made with.' },
          'options?': object(
            { 'target?': texts, 'owner?': texts, 'allow?': texts, 'base?': text, 'prune?': text },
            {
              additionalProperties: false,
              description:
                'In a file: the options of the plan, which an apply makes again to have its values.',
            },
          ),
        },
        { description: 'Of a plan that hides values: which parts of all objects.' },
      ),
      'not_targeted?': {
        ...texts,
        description: 'Addresses that are declared and were left out by --target or --owner.',
      },
    },
    {
      $schema: dialect,
      $id: `${schemaBase}/plan.schema.json`,
      title: 'Vexil plan',
      description: 'What an apply will do and what it will not, for one target.',
      $defs: { ...changeSchemas(), blocked, drift, live_edit: liveEditSchema },
    },
  )
}

/** The options of a plan or a run. */
const declaredSchema: JsonObject = {
  type: 'object',
  description: 'By address: a short digest of each declared field and file, or that it is to be absent.',
  additionalProperties: object({
    'ensure?': { const: 'absent' },
    'fields?': digests,
    'files?': digests,
    'id?': { ...text, description: 'The id by which the object was found.' },
    'ignore?': { ...texts, description: 'Paths that are left to the service, and are in no digest.' },
  }),
}

const targetProperties: JsonObject = {
  base_url: text,
  project_id: text,
  organization_id: text,
  profile: { ...text, description: 'The service that it is taken for.' },
}

/** How the service of a plan is known. */
export const profileProofSchema: JsonObject = {
  enum: [...profileProofs],
  description:
    'set: a setting says it. recognized: the answers show it. assumed: they leave several, of which it is the earliest.',
}

/** The target of a plan or a run. */
export const targetSchema: JsonObject = {
  type: 'object',
  required: ['base_url', 'profile'],
  properties: targetProperties,
}

const blocked: JsonObject = object({
  address: text,
  kind: kindName,
  action,
  rule: text,
  reason: text,
  remedy: text,
  summary: texts,
  'source?': { $ref: '#/$defs/source' },
})

function addressesOf(which: string): JsonObject {
  return { type: 'array', items: text, description: `Addresses of objects ${which}.` }
}

const drift: JsonObject = object({
  address: text,
  kind: kindName,
  reason: { enum: ['changed', 'deleted', 'undeclared'] },
  fields: texts,
  summary: texts,
  'source?': { $ref: '#/$defs/source' },
})
