import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import {
  layPolicy,
  missingOptions,
  type SaidPolicy,
  type SettingName,
  saidPolicy,
  settingNames,
  settingRow,
} from '../../policies/written-policies.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import { unknownEnvironment } from './check-environments.ts'

/** What is wrong with the policies of settings that fit their schema. */
export function checkSaidPolicies(parsed: ParsedYaml, value: JsonObject): Problem[] {
  const environments = isJsonObject(value.environments) ? value.environments : {}
  const layers = [
    { pointer: pointerOf('policies'), said: value.policies },
    ...Object.entries(environments).map(([name, own]) => ({
      pointer: pointerOf('environments', name, 'policies'),
      said: isJsonObject(own) ? own.policies : undefined,
    })),
  ]
  const [shared, ...own] = layers
  if (!shared) return []
  const names = Object.keys(environments)
  return settingNames.flatMap(name => [
    ...layers.flatMap(layer => badOptions(parsed, layer, name, names)),
    ...missing(parsed, name, shared, own),
  ])
}

interface LayerOfPolicies {
  readonly pointer: string
  readonly said: Json | undefined
}

function entryOf({ said }: LayerOfPolicies, name: SettingName): SaidPolicy | undefined {
  const value = isJsonObject(said ?? null) ? (said as JsonObject)[name] : undefined
  return value === undefined || value === null ? undefined : saidPolicy(name, value)
}

/** Where an option stands: by its name in a map, or alone in place of one. */
function optionPointer(
  { pointer }: LayerOfPolicies,
  name: string,
  option: string,
  parsed: ParsedYaml,
): string {
  const entry = pointer + pointerOf(name)
  return isJsonObject(getAt(parsed.value ?? null, entry) ?? null) ? entry + pointerOf(option) : entry
}

function badOptions(
  parsed: ParsedYaml,
  layer: LayerOfPolicies,
  name: SettingName,
  environments: readonly string[],
): Problem[] {
  const { options, needsEnvironments } = settingRow(name)
  const said = entryOf(layer, name)
  if (!said) return []
  return Object.entries(said.options).flatMap(([option, value]) => {
    const source = parsed.locate(optionPointer(layer, name, option, parsed))
    const why = options[option]?.problem?.(value)
    if (why !== undefined)
      return [
        {
          code: 'wrong-value',
          severity: 'error',
          message: `${quote(option)} of ${quote(name)}: ${why}`,
          source,
        },
      ]
    if (!needsEnvironments || option !== 'environment' || environments.includes(String(value))) return []
    return [{ ...unknownEnvironment(String(value), environments), source }]
  })
}

/** Options that a policy needs, and that neither an environment nor what it is laid over says. */
function missing(
  parsed: ParsedYaml,
  name: SettingName,
  shared: LayerOfPolicies,
  own: readonly LayerOfPolicies[],
): Problem[] {
  const base = entryOf(shared, name)
  const lacking = (own.length === 0 ? [shared] : own).flatMap(layer => {
    const mine = layer === shared ? undefined : entryOf(layer, name)
    const laid = layPolicy(base, mine)
    const options = laid ? missingOptions(name, laid) : []
    return options.map(option => ({ option, at: (mine ? layer : shared).pointer + pointerOf(name) }))
  })
  const once = new Map(lacking.map(each => [JSON.stringify(each), each]))
  return [...once.values()].map(({ option, at }) => ({
    code: 'missing-key',
    severity: 'error',
    message: `${quote(option)} of ${quote(name)} is missing`,
    hint: `write ${name}: { ${option}: ... }, or ${name}: off`,
    source: parsed.locate(at, 'key'),
  }))
}
