import { isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { defaultMember, existsField } from '../../model/live-edit-policy.ts'
import { type RiskSteps, riskRuleNames, riskRules } from '../../model/risk.ts'
import { plannedPolicies } from '../../policies/planned-policies.ts'
import { declaredPolicyNames, policyCode, policyRow } from '../../policies/policy-table.ts'
import { settingNames, settingRow } from '../../policies/written-policies.ts'
import { policyMembers } from '../input/policy-members.ts'
import { settingsSchema } from '../input/settings-schema.ts'
import { code, example, propertiesOf, propertyTable, table } from './reference-table.ts'

/** How to write `vexil.yaml`, and which values can be inserted into any file. */
export function settingsSections(): string[] {
  const settings = propertiesOf(settingsSchema())
  const { environments } = settings
  const environment = isJsonObject(environments) ? environments.additionalProperties : undefined
  const own = without(propertiesOf(environment), Object.keys(settings))
  return [
    '## Settings: `vexil.yaml`',
    '',
    'The folder with this file is the repository: `vexil` runs in it, or is led to it with `-C`. The key is never written',
    'down: it comes from `VEXIL_API_KEY`, or from the variable that `api_key_env` names.',
    '',
    ...propertyTable('Setting', settings),
    ...example('vexil.yaml', settingsExample),
    '### In `environments`',
    '',
    'By its name, each place that the declarations are applied to. `--env NAME` chooses one; it need not be chosen where',
    'there is one only. A flag of the command line wins over an environment variable, and that one over the settings.',
    '',
    ...propertyTable('Setting', own),
    'An environment may also set `roles`, `cohorts`, `group_types`, `ownership`, `limits`, `allow`, `policies`, `live_edits`, `redact`, `risk`, `live_tags` and `parallelism` for itself.',
    '`allow`, `redact`, `live_tags` and `parallelism` replace those of the repository; the others are laid over them, member by member.',
    '',
    '### In `roles`',
    '',
    'Roles are not part of the interface, so their UUIDs are named here once; declarations say `support`. A UUID in place of',
    'a name works everywhere.',
    '',
    '### In `cohorts` and `group_types`',
    '',
    'Cohorts and types of groups have numbers, others in each project. With names for them, one declaration means the same everywhere:',
    '`properties: { cohort: { in: beta_testers } }`, `group_type: company`. A number in place of a name works everywhere. A name that an environment',
    'lacks, in which it is used, is an error. Plans, their reports and `vexil compare` tell a type of groups by its name: `released to groups of type company`.',
    '',
    '### In `ownership`',
    '',
    ...propertyTable('Setting', propertiesOf(settings.ownership)),
    '### In `limits`',
    '',
    ...propertyTable('Setting', propertiesOf(settings.limits)),
    '### In `allow`',
    '',
    'Names of rules. A key that may not read the activity trail, say, can never tell whether a new flag would destroy a',
    'soft-deleted one of the same key: `allow: [trail_unreadable]` settles that once, and each plan still says it.',
    '',
    ...policySections(),
    '### In `live_edits`',
    '',
    'What becomes of what people change in the product: `hold` leaves the field as it is there, until somebody decides; `revert` sets',
    'it to what is declared. Where nobody says otherwise this is `{ default: revert, active: hold, archived: hold, filters: hold, source: hold, exists: hold }`. What is',
    'said in the settings is laid over that, what an environment says over the settings, and what a declaration says over both, member by',
    'member; a word alone, as in `live_edits: revert`, is for every field, also for those that are named below it.',
    '[docs/live-edits.md](../docs/live-edits.md) has the rules.',
    '',
    ...propertyTable(
      'Setting',
      pickMembers(propertiesOf(settings.live_edits), (_, name) => ownLiveEdits.includes(name)),
    ),
    'Any other member is the name of a field.',
    '',
    '### In `risk`',
    '',
    'Each change has a risk. It is the highest level of all rules that apply to it, and a plan says for each change of high or critical risk which those are. A level in place of',
    'the default makes a rule stricter, or milder: `low` takes it out of account. A rule with points gives a level to what widens by more than so many of them; what is said of it',
    'is laid over the default, level by level, and a level alone, as in `widened: high`, is for every widening. What an environment says is laid over the settings, rule by rule.',
    'Nothing is blocked by a risk; [`limits`](#in-limits) do that.',
    '',
    ...riskTable(),
    '### In `runs`',
    '',
    ...propertyTable('Setting', propertiesOf(settings.runs)),
    'See [live edits](../docs/live-edits.md#records-that-are-shared).',
    '',
    '### In `files`',
    '',
    'Paths and globs, relative to `vexil.yaml`. Without `files` every `.yaml` and `.yml` file below it is read, but for hidden',
    'folders and `node_modules`. What is plainly of another tool (Docker Compose, Kubernetes and others) is then left alone with',
    'a warning; any other file without a section of declarations is an error.',
    '',
    '### In `defaults`',
    '',
    'A list, as in `defaults: [{ files: flags/payments/**, owner: payments, tags: [payments], only: [production], protect: true }]`.',
    'What declarations say where they do not say it themselves, by the files that they stand in. A default counts as declared, in every',
    'environment; what the declaration says wins, `null` too. Of several entries for a file, the last one that has a member is for it. `tags` are beside',
    'those of the declaration or, where it has none, beside those that the object has. A kind that does not have a member does not get it.',
    '',
    ...propertyTable('Setting', propertiesOf(itemsOf(settings.defaults))),
    '## Values from the environment',
    '',
    `\`$\{env:NAME}\` in a text, of the settings or of a declaration, stands for the environment variable of that name. One`,
    'that is not set is an error, unless only another environment asks for it. What is filled in is text, and is never shown',
    `in a message. \`$$\{\` stands for \`$\{\` itself; every other \`$\{...}\` stays as it is, and keys are never touched.`,
    '',
    ...example('flags/staff.yaml', environmentExample),
  ]
}

function riskTable(): string[] {
  const rows = riskRuleNames.map(rule => {
    const { doc, level } = riskRules[rule]
    return [code(rule), code(typeof level === 'string' ? level : flowOf(level)), doc]
  })
  return table(['Rule', 'Default', 'Applies where'], rows)
}

function flowOf(steps: RiskSteps): string {
  return `{ ${Object.entries(steps)
    .map(([level, points]) => `${level}: ${points}`)
    .join(', ')} }`
}

function without(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)))
}

const settingsExample = `
version: 1
environments:
  staging:
    base_url: https://flags.example.com
    project: "2"
    organization: 01900000-0000-0000-0000-000000000001
    api_key_env: STAGING_KEY # and not VEXIL_API_KEY
    limits: { rollout_step: 100 }
  production:
    base_url: https://\${env:FLAGS_HOST}
    project: "1"
    organization: 01900000-0000-0000-0000-000000000001
    profile: auto # the first answers tell; "posthog-2026" is the public service, "documented" is the interface as its document has it
    roles: { support: 01900000-0000-0000-0000-0000000000bb }
    cohorts: { beta_testers: 7 }
    risk: { widened: { high: 10 }, turned_off: critical }
    parallelism: 4
roles:
  support: 01900000-0000-0000-0000-0000000000aa
cohorts: { beta_testers: 42 }
group_types: { company: 0, project: 1 }
ownership: { tag: managed-by-vexil, prune: owned }
limits: { delete: 5, rollout_step: 25 }
risk: { widened: { high: 50, critical: 90 }, granted: medium }
allow: [trail_unreadable] # this key may not read the activity trail
policies: { owner: error, max_rollout: { at_most: 50, level: warning }, first_in: staging }
live_edits: { default: revert, active: hold, filters: hold, tags: hold, automation: [ci@example.com] }
parallelism: 8
files: ["flags/**/*.yaml", plugins.yaml, events.yaml, access.yaml]
`

const environmentExample = `
feature_flags:
  staff_tools:
    active: true
    filters:
      groups:
        - properties:
            - { key: email, type: person, operator: icontains, value: "@\${env:STAFF_DOMAIN}" }
      payloads: # sent as \${name} and \${env:NAME}
        "true": { greeting: "Hello \${name}", help: "write $\${env:NAME}" }
`

const ownLiveEdits: readonly string[] = [defaultMember, existsField, 'automation']

function itemsOf(value: Json | undefined): JsonObject {
  const items = isJsonObject(value) ? value.items : undefined
  return isJsonObject(items) ? items : {}
}

/** How to write `policies` in the settings. */
function policySections(): string[] {
  const options = settingNames.flatMap(name =>
    Object.entries(settingRow(name).options).map(([option, { schema, required }]) => [
      `\`${name}\``,
      `\`${option}\`${required ? ', required' : ''}`,
      String(schema.description),
    ]),
  )
  // Members that all of them have.
  const ofAll = Object.entries(policyMembers).map(([member, schema]) => [
    'any',
    `\`${member}\``,
    String(schema.description),
  ])
  return [
    '### In `policies`',
    '',
    'What a team asks of all that is declared. Each policy stands by its name, as a level (`owner: error`), as the option that may stand alone',
    '(`max_rollout: 25`), or as a map: `max_rollout: { at_most: 25, level: warning, except: [kill_*] }`. An `error` ends `validate`, `plan` and `apply`;',
    'a `warning` is told; `off` is for an environment that has a policy of its repository not. What an environment says is laid over what is said for all,',
    'option by option. [docs/policies.md](../docs/policies.md) shows them at work.',
    '',
    ...table(
      ['Policy', 'Asks', 'Alone', 'Found as'],
      settingNames.map(name => {
        const { doc, alone } = settingRow(name)
        const found = declaredPolicyNames.find(each => each === name)
        const rule = found ? policyCode(policyRow(found).rule) : name
        return [`\`${name}\``, doc, alone === undefined ? '' : `\`${alone}\``, code(rule)]
      }),
    ),
    ...table(['Policy', 'Option', 'Meaning'], [...ofAll, ...options]),
    'In `windows` of `frozen`:',
    '',
    ...propertyTable('Member', plannedPolicies.frozen.options.windows.schema.items.properties),
  ]
}
