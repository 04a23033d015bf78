import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { SchemaFiles } from './check-own-schema.ts'
import {
  type PlannedPolicies,
  type PlannedPolicyName,
  plannedPolicies,
  plannedPolicy,
  plannedPolicyNames,
} from './planned-policies.ts'
import { type Level, levelOf, levelSpellings, type Policy } from './policy.ts'
import {
  type DeclaredPolicyName,
  declaredPolicies,
  declaredPolicyNames,
  policyCode,
  policyRow,
} from './policy-table.ts'
import type { SettingRow } from './setting-row.ts'

/** A policy as the settings name it: on what is declared, or on what a plan may do. */
export type SettingName = DeclaredPolicyName | PlannedPolicyName

export const settingNames: readonly SettingName[] = [...declaredPolicyNames, ...plannedPolicyNames]

/** The description of a policy, for whoever treats all of them alike. */
export function settingRow(name: SettingName): SettingRow {
  return { ...declaredPolicies, ...plannedPolicies }[name]
}

const rowsByCode = new Map<string, SettingRow>([
  ...declaredPolicyNames.map(name => [policyCode(policyRow(name).rule), policyRow(name)] as const),
  ...plannedPolicyNames.map(name => [name, settingRow(name)] as const),
])

/** The policy that a problem with this code, or a block by this rule, is about; undefined where it is about none. */
export function policyBehind(code: string): SettingRow | undefined {
  return rowsByCode.get(code)
}

/** How much a policy matters, as the settings may write it. */
export const levels: readonly string[] = [...Object.keys(levelSpellings), 'off']

type SaidLevel = Level | 'off'

/** What settings say of one policy: its level where they say one, what it leaves alone, and its options. */
export interface SaidPolicy {
  readonly level?: SaidLevel
  readonly except?: readonly string[]
  readonly options: JsonObject
}

/** A policy of the settings, by its name. */
export interface NamedPolicy {
  readonly name: DeclaredPolicyName
  readonly policy: Policy
  /** The schemas that it may name. */
  readonly schemas?: SchemaFiles
}

/**
 * What one entry of `policies` says.
 *
 * | written                     | says                        |
 * |-----------------------------|-----------------------------|
 * | `warning`                   | the level alone             |
 * | `25`, `staging`, `[a, b]`   | the option that stands alone |
 * | `{ level, except, at_most }` | each                       |
 */
export function saidPolicy(name: SettingName, value: Json): SaidPolicy {
  const { alone } = settingRow(name)
  const itself = saidLevel(value)
  if (itself !== undefined) return { level: itself, options: {} }
  if (!isJsonObject(value)) return { options: alone === undefined ? {} : { [alone]: value } }
  const { level: said, except, ...options } = value
  const level = saidLevel(said)
  return {
    ...(level === undefined ? {} : { level }),
    ...(isJsonArray(except) ? { except: except.map(String) } : {}),
    options,
  }
}

/**
 * What an environment says of a policy, laid over what holds for all, option by option. Who says anything but `off` of a
 * policy that is off means that it is on.
 */
export function layPolicy(
  shared: SaidPolicy | undefined,
  own: SaidPolicy | undefined,
): SaidPolicy | undefined {
  if (!shared || !own) return own ?? shared
  const level = own.level ?? (shared.level === 'off' ? undefined : shared.level)
  const except = own.except ?? shared.except
  return {
    ...(level === undefined ? {} : { level }),
    ...(except === undefined ? {} : { except }),
    options: { ...shared.options, ...own.options },
  }
}

/** Options of a policy that is on, and that nobody has said. */
export function missingOptions(name: SettingName, { level, options }: SaidPolicy): string[] {
  if (level === 'off') return []
  return Object.entries(settingRow(name).options).flatMap(([option, { required }]) =>
    required && options[option] === undefined ? [option] : [],
  )
}

/** The policies that hold where one layer of settings is laid over another; what does not fit the schema is left out. */
export function policiesIn(
  shared: JsonObject,
  own: JsonObject,
  schemas: SchemaFiles = new Map(),
): readonly NamedPolicy[] {
  return declaredPolicyNames.flatMap(name => {
    const said = heldIn(shared, own, name)
    if (!said) return []
    const { level, except, options } = said
    const policy = { ...policyRow(name).toRule(options), level, except }
    return [{ name, policy, ...(policy.policy === 'OwnSchemas' ? { schemas } : {}) }]
  })
}

/** The same of those that only a plan can decide; undefined where there are none. */
export function plannedIn(shared: JsonObject, own: JsonObject): PlannedPolicies | undefined {
  const found = plannedPolicyNames.flatMap(name => {
    const said = heldIn(shared, own, name)
    if (!said) return []
    const { options, ...others } = said
    return [plannedPolicy(name, options, others)]
  })
  return found.length === 0 ? undefined : Object.assign({}, ...found)
}

function heldIn(shared: JsonObject, own: JsonObject, name: SettingName) {
  const said = layPolicy(saidIn(shared, name), saidIn(own, name))
  if (!said || said.level === 'off' || missingOptions(name, said).length > 0) return undefined
  const { level = 'error', except = [], options } = said
  return { level, except, options }
}

function saidIn(layer: JsonObject, name: SettingName): SaidPolicy | undefined {
  const value = layer[name]
  return value === undefined || value === null ? undefined : saidPolicy(name, value)
}

function saidLevel(value: Json | undefined): SaidLevel | undefined {
  return value === 'off' ? value : levelOf(value)
}
