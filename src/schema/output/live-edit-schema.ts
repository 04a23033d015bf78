import { declarableKinds } from '../../kinds/index.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { text, texts, time } from './text-schema.ts'

const author: JsonObject = {
  type: 'object',
  description: 'Who changed it in the product, as far as the activity trail or a record tells.',
  properties: {
    name: text,
    at: time,
    reason: { ...text, description: 'Why, where they said so.' },
  },
}

const field: JsonObject = {
  type: 'object',
  required: ['field', 'treatment', 'summary'],
  properties: {
    field: { ...text, description: 'Its name; `exists` where the object itself was deleted or made.' },
    treatment: {
      enum: ['held', 'merged', 'reverted', 'conflict', 'behind'],
      description:
        'held: it stays as it is in the product, and is not sent. merged: both changes are sent. reverted: what is declared is sent. conflict: both sides changed it, and it is not sent. behind: another commit declared what is live, and it is not sent.',
    },
    evidence: {
      enum: ['base', 'trail', 'run', 'off'],
      description:
        'What proves it. base: what was declared when it last converged. trail: the activity trail. run: a run on record. off: it is off, and would be turned on.',
    },
    on_both_sides: {
      const: true,
      description: 'Of one that is reverted: the repository has changed it as well.',
    },
    summary: { ...texts, description: 'What it was changed to, in words.' },
    author,
    set_by: {
      type: 'object',
      required: ['command', 'run'],
      description: 'Where a run on record proves it: which.',
      properties: { command: { enum: ['undo', 'disable'] }, run: text },
    },
    held_since: { ...time, description: 'When the first run that held it ended.' },
    overdue: {
      enum: ['error', 'warning'],
      description: 'Where it is held longer than the policy longest_hold allows: the level of that.',
    },
    commit: { ...text, description: 'Of one that is behind: the commit that declared what is live.' },
  },
}

/** What was changed in the product of one declared object. */
export const liveEditSchema: JsonObject = {
  type: 'object',
  required: ['address', 'kind', 'fields', 'remedies'],
  properties: {
    address: text,
    kind: { enum: declarableKinds.map(({ name }) => name) },
    fields: { type: 'array', items: field },
    remedies: { ...texts, description: 'What to do about it: a command or an edit on each line.' },
    source: { $ref: '#/$defs/source' },
  },
}
