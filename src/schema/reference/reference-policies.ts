import { plannedPolicies } from '../../policies/planned-policies.ts'
import { declaredPolicyNames, policyCode, policyRow } from '../../policies/policy-table.ts'
import { settingNames, settingRow } from '../../policies/said-policies.ts'
import { policyMembers } from '../input/policies-member.ts'
import { code, propertyTable, table } from './reference-table.ts'

/** How to write `policies` in the settings. */
export function policySections(): string[] {
  const options = settingNames.flatMap(name =>
    Object.entries(settingRow(name).options).map(([option, { schema, required }]) => [
      `\`${name}\``,
      `\`${option}\`${required ? ', required' : ''}`,
      String(schema.description),
    ]),
  )
  // Members that each of them has.
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
