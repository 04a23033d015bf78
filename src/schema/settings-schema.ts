import {
  notificationFormats,
  notifiedStates,
  parallelismRange,
  profileSettings,
  storeExample,
} from '../model/connection.ts'
import { redactedPartNames } from '../model/field.ts'
import { guardRules } from '../model/guard-rules.ts'
import { pruneModes } from '../model/removal.ts'
import { hasSteps, riskRuleNames, riskRules, risks } from '../model/risk.ts'
import type { JsonObject } from '../model/text/json.ts'
import { groupTypes } from '../targeting/filter-parts.ts'
import { defaultMembers, liveEditSettings, policySettings } from './declaration-schema.ts'
import {
  closed,
  count,
  described,
  dialect,
  list,
  mapOf,
  name,
  oneOf,
  ordinal,
  schemaBase,
  text,
  truth,
  word,
} from './json-schema.ts'

/** Characters that no branch, tag or commit has. */
const notInNames = '\\s\\x00-\\x1f\\x7f~^:?*\\[\\\\{'

/** The `$id` of the schema of the settings file. Editors use it. */
const settingsSchemaId = `${schemaBase}/settings.schema.json`

export const baseUrlDescription =
  'The base address of the service, without `/api` and without the path of a page.'

/** The schema of `vexil.yaml`. */
export function settingsSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: settingsSchemaId,
    title: 'Vexil settings',
    description: 'Where declarations are applied, and what plans may do.',
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    properties: {
      version: { type: 'integer', enum: [1], description: 'The version of this format.' },
      environments: mapOf(environment, 'The targets of declarations, by name.'),
      environments_from: described(name, {
        examples: ['environments.csv'],
        description:
          'A file with more environments: YAML or JSON as in `environments`, or CSV with a column `name` and columns named like settings. Its path is relative to this file.',
      }),
      ...shared,
      files: list(
        name,
        'Globs of the declaration files. Default: every YAML file in this folder and below. A glob that starts with `!` excludes files.',
      ),
      runs: closed(
        {
          ref: {
            type: 'string',
            pattern: '^refs/vexil/[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
            title: 'a ref below refs/vexil',
            examples: ['refs/vexil/runs'],
            description:
              'The git ref with the records, such as `refs/vexil/runs`. It is not a branch, so nobody checks it out by accident.',
          },
          remote: {
            type: 'string',
            pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
            title: 'the name of a remote',
            examples: ['origin'],
            description:
              'The name of the remote that has the ref. Default: the remote of the current branch, or `origin`.',
          },
        },
        'Where records of runs are shared: they are fetched before each plan and pushed after each run. Default: only in `.vexil/runs`.',
        ['ref'],
      ),
      store: {
        type: 'string',
        minLength: 1,
        format: 'uri',
        examples: [storeExample],
        description:
          'The PostgreSQL database that all runners share, without a password. The variable `VEXIL_STORE` wins over it.',
      },
      notify: closed(
        {
          url_env: described(name, 'The environment variable with the address. The address is a secret.'),
          on: {
            type: 'array',
            items: word(notifiedStates),
            minItems: 1,
            uniqueItems: true,
            description: 'The states of an environment whose begin and end are sent. Default: all of them.',
          },
          format: word(
            notificationFormats,
            'The form of the message. Default: `slack` for hooks.slack.com, otherwise `json`.',
          ),
        },
        'The webhook to which `vexil reconcile` sends a message when the state of an environment changes.',
        ['url_env'],
      ),
      defaults: list(
        closed(
          {
            files: described(
              name,
              'The files that get these defaults, as a path or glob relative to this file.',
            ),
            ...defaultMembers(),
          },
          {},
          ['files'],
        ),
        'Default members for the declarations in some files. If several entries match a file, the last entry that has a member wins.',
      ),
    },
  }
}

/** Settings for the whole repository, which an environment may override. */
const shared: JsonObject = {
  roles: mapOf({ type: 'string', format: 'uuid' }, 'The UUIDs of roles, by the names that declarations use.'),
  cohorts: mapOf(ordinal, 'The ids of cohorts, by the names that declarations use.'),
  group_types: mapOf(
    { type: 'integer', minimum: groupTypes.from, maximum: groupTypes.to },
    'The numbers of group types, by the names that declarations use.',
  ),
  sdks: {
    type: 'object',
    additionalProperties: name,
    examples: [{ 'posthog-go': '1.5.2', 'posthog-python': '>=7.79' }],
    description:
      'The SDKs that evaluate flags locally, each with a version or version range. Default: the newest version of each SDK. `{}`: no SDK. docs/who-evaluates.md lists the tested versions.',
  },
  ownership: closed(
    {
      tag: described(
        name,
        'The ownership tag of every managed object. Each repository needs its own tag: with a shared tag, `prune` deletes the objects of the other repository.',
      ),
      prune: word(
        pruneModes,
        'Which undeclared objects are deleted: none (never), those with the ownership tag (owned), or all.',
      ),
    },
    'What happens to undeclared objects.',
  ),
  limits: closed(
    {
      delete: described(count, 'The largest number of objects that one plan may prune.'),
      rollout_step: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'The largest widening of one condition in one plan, in percentage points.',
      },
    },
    'The limits of one plan.',
  ),
  allow: list(word(guardRules), 'Rules that never block here, as with `--allow RULE` for every run.'),
  policies: policySettings(),
  live_edits: liveEditSettings(),
  redact: {
    type: 'array',
    items: word(redactedPartNames()),
    uniqueItems: true,
    description:
      'What plans, reports, logs and records hide: `payloads` of variants, `descriptions` of objects, conditions and variants, and `values` in conditions.',
  },
  risk: riskSettings(),
  live_tags: described(
    truth,
    'Whether the service stores `owner` and `expires` too, as tags. With false, they stay in the files. Default: true.',
  ),
  parallelism: {
    type: 'integer',
    minimum: parallelismRange.from,
    maximum: parallelismRange.to,
    description: 'How many requests may be open at the same time.',
  },
  revision: {
    type: 'string',
    // As git has it: https://git-scm.com/docs/git-check-ref-format. Engines such as RE2 know no lookahead.
    pattern: `^[^-.${notInNames}][^.${notInNames}]*(\\.[^.${notInNames}]+)*$`,
    title: 'a branch, tag or commit',
    examples: ['main'],
    description: 'The branch, tag or commit that `vexil reconcile --repo` uses.',
  },
  pace: closed(
    {
      per_minute: described(ordinal, 'The most requests in a minute.'),
      per_hour: described(ordinal, 'The most requests in an hour.'),
    },
    'How many requests all runners together may send with one key. Only a `store` can hold them to it.',
  ),
  api_key_command: {
    type: 'array',
    items: name,
    minItems: 1,
    examples: [['vault', 'kv', 'get', '-field=key', 'secret/vexil/production']],
    description:
      'The program that prints the API key, and its arguments. It runs without a shell, and only if the variable `VEXIL_ALLOW_KEY_COMMAND` is 1.',
  },
}

const environment: JsonObject = closed({
  base_url: {
    type: 'string',
    minLength: 1,
    format: 'uri',
    description: baseUrlDescription,
  },
  project: { type: ['string', 'integer'], description: 'The id of the project.' },
  organization: described(name, 'The id of the organization.'),
  profile: word(
    profileSettings,
    'The API profile of the service: as documented, or the public service of early 2024 or of 2026. With `auto` (default), the first answers decide.',
  ),
  api_key_env: described(name, 'The environment variable with the API key for this environment.'),
  ...shared,
})

/** The level of each risk rule. For rules about widening: a threshold in points for each level. */
function riskSettings(): JsonObject {
  const level: JsonObject = word(risks)
  const points: JsonObject = { type: 'number', minimum: 0, maximum: 100 }
  const steps = Object.fromEntries(
    risks.map(risk => [risk, described(points, `This level applies above so many points.`)]),
  )
  const ruleOf = (rule: (typeof riskRuleNames)[number]): JsonObject => {
    const description = `The level of this rule: ${riskRules[rule].doc}.`
    if (!hasSteps(rule)) return described(level, description)
    return {
      type: ['string', 'object'],
      // The keywords below apply to the other form; strings ignore them.
      if: text,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: oneOf(risks),
      additionalProperties: false,
      properties: steps,
      description,
    }
  }
  return closed(
    Object.fromEntries(riskRuleNames.map(rule => [rule, ruleOf(rule)])),
    'The risk levels of changes, by rule: `low`, `medium`, `high` or `critical`. The highest level of all matching rules counts.',
  )
}
