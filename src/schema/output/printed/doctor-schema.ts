import { kinds } from '../../../kinds/index.ts'
import { profiles } from '../../../model/connection/profile.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { faultSchema } from '../failure-schema.ts'
import { profileProofSchema } from '../plan-schema.ts'
import { text } from '../text-schema.ts'

const count: JsonObject = { type: 'integer', minimum: 0 }
const reason: JsonObject = { ...text, description: 'Why not, or why it is not known.' }
const aProfile: JsonObject = { enum: [...profiles] }

/** The schema of what `vexil doctor --json` prints. */
export function doctorSchema(): JsonObject {
  return documentSchema('doctor', {
    ...{ title: 'Vexil doctor', description: 'What each check of the surroundings came to.' },
    required: ['format_version', 'exit_code', 'checks', 'errors'],
    properties: {
      ...documentHead,
      checks: { type: 'array', items: check },
      service,
      kinds: { type: 'array', description: 'What the service offers to this key.', items: offered },
      permissions: {
        type: 'array',
        description: 'What the key may do, operation by operation, found out without writing.',
        items: permission,
      },
      clock: {
        type: 'object',
        required: ['ahead_ms', 'tolerance_ms'],
        properties: {
          ahead_ms: {
            type: 'integer',
            description: 'How far the clock of the service is ahead of this one.',
          },
          tolerance_ms: { ...count, description: 'What is taken for the same.' },
        },
      },
      limits,
      requests: { ...count, description: 'How many requests were sent.' },
      errors: { type: 'array', description: 'What would stop a plan.', items: faultSchema },
    },
  })
}

const check: JsonObject = {
  type: 'object',
  required: ['name', 'verdict', 'summary'],
  properties: {
    name: text,
    verdict: {
      enum: ['ok', 'note', 'failed', 'not_checked'],
      description: 'note: it stops no plan. not_checked: nothing is known of it, and the summary says why.',
    },
    summary: text,
    value: { ...text, description: 'The value of a setting; never that of the key.' },
    source: { ...text, description: 'Where the setting is from.' },
  },
}

const service: JsonObject = {
  type: 'object',
  description: 'Which service it is; absent, as what follows, where nobody could be asked.',
  required: ['profile', 'known', 'signs', 'possible', 'facts'],
  properties: {
    profile: { ...aProfile, description: 'What it is taken for.' },
    known: profileProofSchema,
    signs: {
      type: 'array',
      description: 'What has shown it: members that only some services have.',
      items: {
        type: 'object',
        required: ['request', 'kind', 'member', 'behaviour', 'is'],
        properties: { request: text, kind: text, member: text, behaviour: text, is: text },
      },
    },
    possible: { type: 'array', description: 'The services that the answers leave.', items: aProfile },
    facts: {
      type: 'object',
      description: 'What this build knows of the services.',
      required: ['title', 'version'],
      properties: {
        title: text,
        newest_source: { type: 'string', format: 'date', description: 'The day of the newest source.' },
        version: { ...text, description: 'The same in builds that know the same.' },
      },
    },
  },
}

const offered: JsonObject = {
  type: 'object',
  required: ['kind', 'offered'],
  properties: {
    kind: { enum: Object.keys(kinds) },
    offered: {
      enum: ['yes', 'read_only', 'refused', 'no', 'not_known'],
      description: 'refused: the service has them, but not for this key. no: it has none.',
    },
    route: { ...text, description: 'The path of the list, where services have it at one of two.' },
    reason,
  },
}

const permission: JsonObject = {
  type: 'object',
  required: ['operation', 'purpose', 'may'],
  properties: {
    operation: { ...text, description: 'As in feature_flag.update.' },
    purpose: text,
    may: { enum: ['yes', 'no', 'not_known'], description: 'A failure of the service is never taken for no.' },
    scope: { ...text, description: 'What a key with scopes needs; absent where no scope lets one in.' },
    reason,
    lacks_scope: { const: true, description: 'The service says that this scope is what is missing.' },
  },
}

const limits: JsonObject = {
  type: 'object',
  required: ['known', 'told', 'throttled'],
  properties: {
    known: {
      type: 'array',
      description: 'The limits that are known of the service.',
      items: {
        type: 'object',
        required: ['of', 'each', 'per_minute'],
        properties: { of: text, each: { enum: ['key', 'project'] }, per_minute: count, per_hour: count },
      },
    },
    told: {
      type: 'object',
      description: 'What headers of the answers say of it.',
      properties: { limit: count, remaining: count },
    },
    throttled: { type: 'boolean', description: 'Whether the service has asked for fewer requests.' },
  },
}
