import { proxyVariables, variables } from '../../model/connection/variables.ts'

/** The attributes of the provider's block that the environment stands in for, and the setting of each. */
export const attributeSettings = {
  base_url: 'baseUrl',
  api_key: 'apiKey',
  project_id: 'project',
  organization_id: 'organization',
  profile: 'profile',
  parallelism: 'parallelism',
} as const satisfies Readonly<Record<string, keyof typeof variables>>

export type AttributeWithVariables = keyof typeof attributeSettings

/** Ends the description of an attribute with the variables that stand in for it. */
export function orVariables(attribute: AttributeWithVariables): string {
  const names = variables[attributeSettings[attribute]]
  return `Or the environment variable ${names.join(' or ')}.`
}

/** Every environment variable that the provider reads for itself, as a table in Markdown. */
export function variableTable(): readonly string[] {
  const settings = Object.entries(attributeSettings).map(
    ([attribute, setting]) => [coded(variables[setting]), `\`${attribute}\``] as const,
  )
  const { https, all, except } = proxyVariables
  const rows = [
    ...settings,
    [coded([https, all]), 'nothing: the proxy on the way to an `https` address, also in small letters'],
    [coded([except]), 'nothing: the hosts that are reached without it, also in small letters'],
    [
      coded(['TF_LOG_PROVIDER', 'TF_LOG']),
      'nothing: how much of what it does the provider writes to the log; with `DEBUG` a line for each request',
    ],
  ] as const
  return [
    '| Environment variable, the first that is set and not empty | Stands in for |',
    '|---|---|',
    ...rows.map(([names, meaning]) => `| ${names} | ${meaning} |`),
  ]
}

function coded(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ')
}
