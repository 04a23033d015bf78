import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { quoted } from '../write/hcl-value.ts'

/** An instance of a resource that Terraform manages, as its state has it. */
export interface StateResource {
  /** `module.shop["eu"].posthog_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly type: string
  readonly name: string
  readonly attributes: JsonObject
  /** Set for one that an apply has replaced and not yet destroyed. */
  readonly isDeposed?: true
  /** Of one that a configuration declares, which has no ids. */
  readonly configured?: Configured
}

/** What a configuration says of a resource beside the values of its attributes. */
export interface Configured {
  /** By attribute, what it names in place of an id: a flag by its key, a role by its name. */
  readonly names: Readonly<Record<string, string>>
  /** By attribute, why its value is not known. */
  readonly unknown: Readonly<Record<string, string>>
}

/** The resources of a state, by the file of Terraform or by what `terraform show -json` says; or why it is neither. */
export function readState(text: string): readonly StateResource[] | { readonly problem: string } {
  const json = readJsonIfAny(text)
  if (!isJsonObject(json)) return { problem: 'it is no JSON object' }
  if (isJsonArray(json.resources) && json.version !== undefined) {
    if (json.version !== 4) return { problem: `its version is ${jsonText(json.version)}, and Vexil reads 4` }
    return json.resources.flatMap(each => (isJsonObject(each) ? instancesOf(each) : []))
  }
  const values = valuesOf(json)
  if (values) return isJsonObject(values.root_module) ? resourcesBelow(values.root_module) : []
  // An empty state has no values at all.
  if (typeof json.format_version === 'string' && json.planned_values === undefined) return []
  return { problem: 'it is neither a state file nor what `terraform show -json` prints' }
}

/** An address without the keys of instances, as a configuration has it. */
export function configured(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
}

function jsonText(version: Json | undefined): string {
  return JSON.stringify(version)
}

/** What is in the state by now, also where it is told of a plan. */
function valuesOf({ values, prior_state: prior }: JsonObject): JsonObject | undefined {
  if (isJsonObject(values)) return values
  return isJsonObject(prior) && isJsonObject(prior.values) ? prior.values : undefined
}

function instancesOf({ mode, module, type, name, instances }: JsonObject): StateResource[] {
  if (mode !== 'managed' || typeof type !== 'string' || typeof name !== 'string') return []
  const prefix = typeof module === 'string' ? `${module}.` : ''
  return listOf(instances).map(({ index_key: key = null, attributes, deposed }) => ({
    address: `${prefix}${type}.${name}${keyText(key)}`,
    type,
    name,
    attributes: isJsonObject(attributes) ? attributes : {},
    ...(deposed === undefined ? {} : { isDeposed: true }),
  }))
}

function keyText(key: Json): string {
  if (key === null) return ''
  return `[${typeof key === 'string' ? quoted(key) : jsonText(key)}]`
}

function resourcesBelow({ resources, child_modules: modules }: JsonObject): StateResource[] {
  const own = listOf(resources).flatMap(({ mode, address, type, name, values, deposed_key: deposed }) =>
    mode === 'managed' && typeof address === 'string' && typeof type === 'string' && typeof name === 'string'
      ? [
          {
            ...{ address, type, name, attributes: isJsonObject(values) ? values : {} },
            ...(deposed === undefined ? {} : { isDeposed: true as const }),
          },
        ]
      : [],
  )
  return [...own, ...listOf(modules).flatMap(resourcesBelow)]
}

function listOf(json: Json | undefined): readonly JsonObject[] {
  return isJsonArray(json) ? json.filter(isJsonObject) : []
}
