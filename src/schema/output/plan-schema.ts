import { profileProofs } from '../../model/connection/profile.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { redactedPartNames } from '../../model/safety/redacted-part.ts'
import { dialect, schemaBase } from '../json-schema.ts'
import { action, changeSchemas, digests, kindName } from './change-schema.ts'
import { faultSchema } from './failure-schema.ts'
import { liveEditSchema } from './live-edit-schema.ts'
import { count, text, texts, time } from './text-schema.ts'

/** The schema of a plan document. Members that it does not name are allowed. */
export function planSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: `${schemaBase}/plan.schema.json`,
    title: 'Vexil plan',
    description: 'What an apply will do and what it will not, for one target.',
    type: 'object',
    required: ['format_version', 'digest', 'target', 'changes', 'blocked', 'drift', 'live_edits', 'summary'],
    properties: {
      format_version: { ...text, description: 'Always "1.0"; any other is refused.' },
      digest: { ...text, description: 'sha256 of the canonical text of everything else.' },
      environment: text,
      created_at: { ...time, description: 'When the plan was made.' },
      commit: { ...text, description: 'The commit that the declarations were read at.' },
      dirty: { type: 'boolean', description: 'Whether the folder held anything else than that commit.' },
      target: { ...targetSchema, properties: { ...targetProperties, known: profileProofSchema } },
      requests: {
        ...count,
        description: 'How many requests the plan cost, repeats included.',
      },
      base: {
        ...text,
        description: 'What live edits were measured from, where `--base` said so: `none`, or a commit.',
      },
      measured_from: {
        type: 'object',
        required: ['run', 'at'],
        properties: {
          run: text,
          at: { ...time, description: 'When it ended.' },
          commit: text,
          dirty: { type: 'boolean' },
          earlier: {
            type: 'integer',
            minimum: 1,
            description: 'How many objects were as declared in an earlier run last.',
          },
        },
        description: 'The newest run on record that live edits were measured from; without `base` only.',
      },
      notes: {
        ...texts,
        description: 'What stood in the way of that, and of telling who changed what.',
      },
      allowed: {
        ...texts,
        description: 'Rules about a plan as a whole that its apply may break: `older_commit`.',
      },
      changes: { type: 'array', items: { $ref: '#/$defs/change' } },
      blocked: { type: 'array', items: { $ref: '#/$defs/blocked' } },
      drift: { type: 'array', items: { $ref: '#/$defs/drift' } },
      sides: {
        type: 'object',
        required: ['edited', 'differing', 'undeclared', 'unapplied', 'behind'],
        properties: {
          edited: addressesOf('changed in the product since they were last as declared'),
          differing: addressesOf('not as declared, and nobody can tell which side has changed'),
          undeclared: addressesOf('with the ownership tag, and declared nowhere'),
          unapplied: addressesOf('changed by the repository, and by no apply yet'),
          behind: addressesOf('live as another commit declares them'),
        },
        description: 'Of `drift` alone: which objects differ by whose doing. The first three are drift.',
      },
      reviewed: {
        type: 'object',
        required: ['as_reviewed'],
        properties: {
          as_reviewed: {
            type: 'boolean',
            description: 'Whether every change is in the reviewed plan as well.',
          },
          reason: { ...text, description: 'Why the two could not be compared.' },
          added: addressesOf('changed here alone'),
          changed: addressesOf('changed otherwise there, or that have changed in between'),
          gone: addressesOf('changed there alone'),
        },
        description: 'Of `plan --reviewed` alone: how the plan stands to that one.',
      },
      warnings: {
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
      owners: {
        type: 'object',
        additionalProperties: texts,
        description: 'Who answers for what is told of, by address; what has no owner is left out.',
      },
      ownership_tag: {
        ...text,
        description:
          'The ownership tag of the repository. Words of a change other than a claim do not say that it adds this tag.',
      },
      group_types: {
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'The numbers of types of groups, by the names that the words of changes call them.',
      },
      summary: {
        type: 'object',
        properties: { unchanged: count, already_absent: count, tagged_undeclared: count },
        additionalProperties: { type: ['integer', 'string'] },
      },
      inventory: {
        type: 'object',
        description: 'By kind: rows seen, the count that the service gave, and whether they agree.',
      },
      declared: declaredSchema,
      after: { ...texts, description: 'In a file: the newest runs on record that it was made with.' },
      redacted: {
        type: 'object',
        required: ['parts'],
        properties: {
          parts: { type: 'array', items: { enum: redactedPartNames() } },
          salt: { ...text, description: 'In a file: what its digests were made with.' },
          options: {
            type: 'object',
            properties: { target: texts, owner: texts, allow: texts, base: text, prune: text },
            additionalProperties: false,
            description: 'In a file: the options of the plan, which an apply makes again to have its values.',
          },
        },
        description: 'Of a plan that hides values: which parts of all objects.',
      },
      not_targeted: {
        ...texts,
        description: 'Addresses that are declared and were left out by --target or --owner.',
      },
    },
    $defs: { ...changeSchemas(), blocked, drift, live_edit: liveEditSchema },
  }
}

/** What a plan or a run was asked for. */
const declaredSchema: JsonObject = {
  type: 'object',
  description: 'By address: a short digest of each declared field and file, or that it is to be absent.',
  additionalProperties: {
    type: 'object',
    properties: {
      ensure: { const: 'absent' },
      fields: digests,
      files: digests,
      id: { ...text, description: 'The id by which the object was found.' },
      ignore: { ...texts, description: 'Paths that are left to the service, and are in no digest.' },
    },
  },
}

const targetProperties: JsonObject = {
  base_url: text,
  project_id: text,
  organization_id: text,
  profile: { ...text, description: 'The service that it is taken for.' },
}

/** How it is known which service answers. */
export const profileProofSchema: JsonObject = {
  enum: [...profileProofs],
  description:
    'set: a setting says it. recognized: the answers show it. assumed: they leave several, of which it is the earliest.',
}

/** Where a plan or a run is for. */
export const targetSchema: JsonObject = {
  type: 'object',
  required: ['base_url', 'profile'],
  properties: targetProperties,
}

const blocked: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'action', 'rule', 'reason', 'remedy', 'summary'],
  properties: {
    address: text,
    kind: kindName,
    action,
    rule: text,
    reason: text,
    remedy: text,
    summary: texts,
    source: { $ref: '#/$defs/source' },
  },
}

function addressesOf(which: string): JsonObject {
  return { type: 'array', items: text, description: `Addresses of objects ${which}.` }
}

const drift: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'reason', 'fields', 'summary'],
  properties: {
    address: text,
    kind: kindName,
    reason: { enum: ['changed', 'deleted', 'undeclared'] },
    fields: texts,
    summary: texts,
    source: { $ref: '#/$defs/source' },
  },
}
