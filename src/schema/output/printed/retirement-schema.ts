import type { JsonObject } from '../../../model/json/json.ts'
import { holdKinds, retireSteps, stepStates } from '../../../model/removal/retire-steps.ts'
import { text } from '../text-schema.ts'

const environment: JsonObject = { type: ['string', 'null'] }

const standing: JsonObject = {
  type: 'object',
  required: ['environment', 'declared', 'value', 'off_since'],
  properties: {
    environment,
    declared: { enum: ['on', 'off', 'absent'] },
    value: {
      type: ['boolean', 'string', 'null'],
      description: 'What everybody gets; null: not the same, or nobody can tell.',
    },
    off_since: { type: ['string', 'null'], format: 'date-time' },
  },
}

const hold: JsonObject = {
  type: 'object',
  required: ['kind', 'environment', 'what', 'remedy', 'allowed', 'now'],
  properties: {
    kind: { enum: [...holdKinds] },
    environment: { ...environment, description: 'null: in all of them.' },
    source: { $ref: '#/$defs/source' },
    what: text,
    remedy: text,
    allowed: { type: 'boolean', description: 'Whether somebody has allowed to go on all the same.' },
    now: { type: 'boolean', description: 'Whether it holds the next step.' },
  },
}

/** What `vexil retire --json` tells beside the files. */
export const retirement: JsonObject = {
  type: 'object',
  description: 'Of `retire`: where the removal of the flag stands.',
  required: ['address', 'step', 'steps', 'environments', 'holds', 'unchecked'],
  properties: {
    address: text,
    step: { enum: [...retireSteps], description: 'The next one.' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'state'],
        properties: { step: { enum: [...retireSteps] }, state: { enum: [...stepStates] } },
      },
    },
    environments: { type: 'array', items: standing },
    holds: { type: 'array', items: hold },
    unchecked: {
      type: 'array',
      description: 'What nobody could look for.',
      items: {
        type: 'object',
        required: ['environment', 'what', 'reason'],
        properties: { environment, what: text, reason: text },
      },
    },
  },
}
