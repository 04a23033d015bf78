import { parallelismRange, profileSettings } from '../model/connection.ts'
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

/** The address of the schema of the settings file, for editors. */
const settingsSchemaId = `${schemaBase}/settings.schema.json`

/** For `base_url`, in every configuration. */
export const baseUrlDescription =
  'The address at which the service begins, without the `/api` of its interface or the path of a page.'

/** The schema of `vexil.yaml`. */
export function settingsSchema(): JsonObject {
  return {
    $schema: dialect,
    $id: settingsSchemaId,
    title: 'Vexil settings',
    description: 'Where a repository of declarations is applied to, and what its plans may do.',
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    properties: {
      version: { type: 'integer', enum: [1], description: 'The version of the format.' },
      environments: mapOf(environment, 'The places that declarations are applied to, by name.'),
      ...shared,
      files: list(
        name,
        'Globs of the declaration files; every YAML file below this one when left out. One that begins with `!` leaves files out.',
      ),
      runs: closed(
        {
          ref: {
            type: 'string',
            pattern: '^refs/vexil/[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
            title: 'a ref below refs/vexil',
            examples: ['refs/vexil/runs'],
            description:
              'The ref of git that has them, such as `refs/vexil/runs`. No branch, so nobody checks it out.',
          },
          remote: {
            type: 'string',
            pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
            title: 'the name of a remote',
            examples: ['origin'],
            description:
              'The name of the remote that has the ref; the one of the current branch when left out, else `origin`.',
          },
        },
        'Where records of runs are shared: fetched before each plan, pushed after each run. They stay in `.vexil/runs` when left out.',
        ['ref'],
      ),
      defaults: list(
        closed(
          {
            files: described(name, 'The files that it is for, as a path or glob relative to this file.'),
            ...defaultMembers(),
          },
          {},
          ['files'],
        ),
        'What declarations of some files say where they do not say it themselves. Of several entries for a file, the last one that has a member is for it.',
      ),
    },
  }
}

/** Settings for the whole repository, which an environment may override. */
const shared: JsonObject = {
  roles: mapOf({ type: 'string', format: 'uuid' }, 'The UUIDs of roles, by the names that declarations use.'),
  cohorts: mapOf(ordinal, 'The numbers of cohorts, by the names that declarations use.'),
  group_types: mapOf(
    { type: 'integer', minimum: groupTypes.from, maximum: groupTypes.to },
    'The numbers of the types of groups, by the names that declarations use.',
  ),
  sdks: {
    type: 'object',
    additionalProperties: name,
    examples: [{ 'posthog-go': '1.5.2', 'posthog-python': '>=7.79' }],
    description:
      'The SDKs that evaluate flags by themselves, each with its version or a range of versions; without it, the newest of each is reckoned with, and with `{}` none. What was run: docs/services.md.',
  },
  ownership: closed(
    {
      tag: described(
        name,
        'The ownership tag: put on every object that is managed here. Each repository has one of its own: with a shared one, `prune` deletes what another repository declares.',
      ),
      prune: word(
        pruneModes,
        'Whether objects that nobody declares are deleted: never, those with the ownership tag, or all.',
      ),
    },
    'What happens to objects that nobody declares.',
  ),
  limits: closed(
    {
      delete: described(count, 'The most objects that one plan may prune.'),
      rollout_step: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'The largest widening of a condition in one plan, in percentage points.',
      },
    },
    'How far one plan may go.',
  ),
  allow: list(word(guardRules), 'Rules that block nothing here: `--allow RULE` for every run.'),
  policies: policySettings(),
  live_edits: liveEditSettings(),
  redact: {
    type: 'array',
    items: word(redactedPartNames()),
    uniqueItems: true,
    description:
      'What no plan, report, log or record shows: `payloads` of variants, `descriptions` of objects, conditions and variants, `values` that conditions compare with.',
  },
  risk: riskSettings(),
  live_tags: described(
    truth,
    'Whether `owner` and `expires` of declarations are kept in the service too, as tags. With false, only here. True when left out.',
  ),
  parallelism: {
    type: 'integer',
    minimum: parallelismRange.from,
    maximum: parallelismRange.to,
    description: 'How many requests are open at once.',
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
    'Which service answers: the interface as documented, or the public service of early 2024 or of 2026. With `auto`, the default, its first answers decide.',
  ),
  api_key_env: described(name, 'The environment variable that holds the key for this environment.'),
  ...shared,
})

/** The level of each risk rule; or levels from a number of points on, if it depends on the widening. */
function riskSettings(): JsonObject {
  const level: JsonObject = word(risks)
  const points: JsonObject = { type: 'number', minimum: 0, maximum: 100 }
  const steps = Object.fromEntries(
    risks.map(risk => [risk, described(points, `The level for more than so many points.`)]),
  )
  const ruleOf = (rule: (typeof riskRuleNames)[number]): JsonObject => {
    const description = `What it means that ${riskRules[rule].doc}.`
    if (!hasSteps(rule)) return described(level, description)
    return {
      type: ['string', 'object'],
      // The members of the other form are beside it; a text has none.
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
    'How risky a change is, by the names of rules: `low`, `medium`, `high` or `critical`. The highest level of all rules that apply counts.',
  )
}
