import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import type { SchemaFiles } from './check-policy.ts'
import {
  type PlannedPolicies,
  type PlannedPolicyName,
  plannedPolicies,
  plannedPolicy,
  plannedPolicyNames,
} from './planned-policies.ts'
import {
  type Level,
  levelOf,
  levelSpellings,
  type MemberTypes,
  type PatternText,
  type Policy,
  type PolicyRule,
  ruleMembers,
  type SettingRow,
} from './policy.ts'
import {
  type DeclaredPolicyName,
  declaredPolicies,
  declaredPolicyNames,
  policyCode,
  policyRow,
} from './policy-table.ts'

/** A policy in the settings: on declarations, or on plans. */
export type SettingName = DeclaredPolicyName | PlannedPolicyName

export const settingNames: readonly SettingName[] = [...declaredPolicyNames, ...plannedPolicyNames]

/** The description of a policy, with a general type. */
export function settingRow(name: SettingName): SettingRow {
  return { ...declaredPolicies, ...plannedPolicies }[name]
}

const rowsByCode = new Map<string, SettingRow>([
  ...declaredPolicyNames.map(name => [policyCode(policyRow(name).rule), policyRow(name)] as const),
  ...plannedPolicyNames.map(name => [name, settingRow(name)] as const),
])

/** The policy for a problem code or for a blocking rule; undefined if there is none. */
export function policyBehind(code: string): SettingRow | undefined {
  return rowsByCode.get(code)
}

/** The spellings of levels in the settings. */
export const levels: readonly string[] = [...Object.keys(levelSpellings), 'off']

type GivenLevel = Level | 'off'

/** The settings of one policy: its level (if set), its exceptions and its options. */
export interface GivenPolicy {
  readonly level?: GivenLevel
  readonly except?: readonly string[]
  readonly options: JsonObject
}

export interface NamedPolicy {
  readonly name: DeclaredPolicyName
  readonly policy: Policy
  /** The schemas that the policy may refer to. */
  readonly schemas?: SchemaFiles
}

/**
 * Parses one entry of `policies`.
 *
 * | written                     | sets                        |
 * |-----------------------------|-----------------------------|
 * | `warning`                   | only the level              |
 * | `25`, `staging`, `[a, b]`   | the main option             |
 * | `{ level, except, at_most }` | each                       |
 */
export function parsePolicy(name: SettingName, value: Json): GivenPolicy {
  const { alone } = settingRow(name)
  const itself = parseLevel(value)
  if (itself !== undefined) return { level: itself, options: {} }
  if (!isJsonObject(value)) return { options: alone === undefined ? {} : { [alone]: value } }
  const { level: given, except, ...options } = value
  const level = parseLevel(given)
  return {
    ...(level === undefined ? {} : { level }),
    ...(isJsonArray(except) ? { except: except.map(String) } : {}),
    options,
  }
}

/**
 * Merges the settings of an environment for a policy with the shared settings, option by option. If the
 * shared settings turn a policy off, any setting except `off` turns it on.
 */
export function layPolicy(
  shared: GivenPolicy | undefined,
  own: GivenPolicy | undefined,
): GivenPolicy | undefined {
  if (!shared || !own) return own ?? shared
  const level = own.level ?? (shared.level === 'off' ? undefined : shared.level)
  const except = own.except ?? shared.except
  return {
    ...(level === undefined ? {} : { level }),
    ...(except === undefined ? {} : { except }),
    options: { ...shared.options, ...own.options },
  }
}

/** The required options that an enabled policy lacks. */
export function missingOptions(name: SettingName, { level, options }: GivenPolicy): string[] {
  if (level === 'off') return []
  return Object.entries(settingRow(name).options).flatMap(([option, { required }]) =>
    required && options[option] === undefined ? [option] : [],
  )
}

/** The policies in two merged layers of settings. Values that do not match the schema are skipped. */
export function policiesIn(
  shared: JsonObject,
  own: JsonObject,
  schemas: SchemaFiles = new Map(),
): readonly NamedPolicy[] {
  return declaredPolicyNames.flatMap(name => {
    const given = heldIn(shared, own, name)
    if (!given) return []
    const { level, except, options } = given
    const policy = { ...policyRow(name).toRule(options), level, except }
    return [{ name, policy, ...(policy.policy === 'OwnSchemas' ? { schemas } : {}) }]
  })
}

/** The policies on plans in two merged layers of settings; undefined if there are none. */
export function plannedIn(shared: JsonObject, own: JsonObject): PlannedPolicies | undefined {
  const found = plannedPolicyNames.flatMap(name => {
    const given = heldIn(shared, own, name)
    if (!given) return []
    const { options, ...others } = given
    return [plannedPolicy(name, options, { ...others, remedy: plannedPolicies[name].remedy })]
  })
  return found.length === 0 ? undefined : Object.assign({}, ...found)
}

function heldIn(shared: JsonObject, own: JsonObject, name: SettingName) {
  const given = layPolicy(policyOf(shared, name), policyOf(own, name))
  if (!given || given.level === 'off' || missingOptions(name, given).length > 0) return undefined
  const { level = 'error', except = [], options } = given
  return { level, except, options }
}

function policyOf(layer: JsonObject, name: SettingName): GivenPolicy | undefined {
  const value = layer[name]
  return value === undefined || value === null ? undefined : parsePolicy(name, value)
}

function parseLevel(value: Json | undefined): GivenLevel | undefined {
  return value === 'off' ? value : levelOf(value)
}

/**
 * The policies of an app in a synthesized stack. They are in the place for comments: `{ "//": { "vexil": {
 * "policies": ... } } }`, which Terraform ignores. The reader of the stack checks its objects against them.
 */
export interface WrittenPolicies {
  /** The path of the stack in its app. */
  readonly stack: string
  readonly policies: readonly HeldPolicy[]
}

/** A policy that an app may declare. Schema files work only in settings. */
export type AppPolicy = Exclude<Policy, { readonly policy: 'OwnSchemas' }>

/** A policy without its exceptions and its level. */
export type AppRule = Extract<PolicyRule, { readonly policy: AppPolicy['policy'] }>

/** A policy with the path of the construct that it applies to; empty for the whole app. */
export type HeldPolicy = AppPolicy & { readonly scope: string }

/** The message for policies that only a plan can check. */
export const decidedByPlan = 'is decided when Vexil plans the stack, not by Terraform'

export function writePolicies({ stack, policies }: WrittenPolicies): object {
  return { version, stack, policies }
}

/**
 * Reads the policies of a stack. Throws a RangeError with the reason if they are invalid or have another
 * version.
 */
export function readPolicies(written: Json): WrittenPolicies {
  const { version: given = null, stack = null, policies = null } = membersOf(written, 'the policies')
  if (given !== version) {
    throw new RangeError(
      `they have version ${JSON.stringify(given)}, but only version ${version} is supported`,
    )
  }
  return {
    stack: text(stack, 'stack'),
    policies: elements(policies, 'policies').map((policy, index) => readPolicy(policy, `policies[${index}]`)),
  }
}

/** Whether a policy applies at this path. An object without a path belongs only to the stack. */
export function isHeldAt({ scope }: HeldPolicy, path: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

const version = 1

function readPolicy(json: Json, place: string): HeldPolicy {
  const members = membersOf(json, place)
  const name = text(members.policy, `${place}.policy`)
  if (!isAppPolicy(name))
    throw new RangeError(`${place}.policy is ${JSON.stringify(name)}, which is not a policy`)
  const entries = Object.entries<string>(ruleMembers[name]).flatMap(([member, type]) => {
    const json = members[member]
    if (json === undefined && type.endsWith('?')) return []
    const read = readers[type.replace('?', '') as keyof MemberTypes]
    return [[member, read(json, `${place}.${member}`)] as const]
  })
  return {
    // It has the members of that rule.
    ...({ policy: name, ...Object.fromEntries(entries) } as AppRule),
    scope: text(members.scope, `${place}.scope`),
    except: texts(members.except, `${place}.except`),
    level: members.level === 'warning' ? 'warning' : 'error',
  }
}

function isAppPolicy(name: string): name is AppRule['policy'] {
  return Object.hasOwn(ruleMembers, name) && name !== 'OwnSchemas'
}

type Read<Value> = (json: Json | undefined, place: string) => Value

const readers: { readonly [Type in keyof MemberTypes]: Read<MemberTypes[Type]> } = {
  text,
  texts,
  number,
  truth: json => json === true,
  pattern: readPattern,
  patterns: (json, place) => each(json, place, readPattern),
  files: (json, place) => each(json, place, text),
  ceiling: (json, place) => (typeof json === 'number' ? json : each(json, place, number)),
}

function readPattern(json: Json | undefined, place: string): PatternText {
  const members = membersOf(json, place)
  const [source, flags] = [text(members.source, `${place}.source`), text(members.flags, `${place}.flags`)]
  try {
    new RegExp(source, flags)
  } catch {
    throw new RangeError(`${place} is not a regular expression`)
  }
  return { source, flags }
}

function number(json: Json | undefined, place: string): number {
  if (typeof json !== 'number') throw new RangeError(`${place} is not a number`)
  return json
}

function each<Value>(
  json: Json | undefined,
  place: string,
  read: (member: Json, place: string) => Value,
): Record<string, Value> {
  const members = Object.entries(membersOf(json, place))
  return Object.fromEntries(members.map(([name, member]) => [name, read(member, `${place}.${name}`)]))
}

function membersOf(json: Json | undefined, place: string): JsonObject {
  if (!isJsonObject(json)) throw new RangeError(`${place} is not an object`)
  return json
}

function elements(json: Json | undefined, place: string): readonly Json[] {
  if (json === undefined || !isJsonArray(json)) throw new RangeError(`${place} is not a list`)
  return json
}

function texts(json: Json | undefined, place: string): readonly string[] {
  return elements(json, place).map((element, index) => text(element, `${place}[${index}]`))
}

function text(json: Json | undefined, place: string): string {
  if (typeof json !== 'string') throw new RangeError(`${place} is not a string`)
  return json
}
