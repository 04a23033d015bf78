import { numberText } from '../../hcl/json.ts'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, isTargeting, managedFields } from '../../model/kind.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import {
  anything,
  ifThere,
  list,
  map,
  maybe,
  members,
  oneOf,
  type Shape,
  text,
} from '../../model/text/json-shape.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import { quoted } from './hcl-configuration.ts'

/** A managed instance of a resource in a state. */
export interface StateResource {
  /** `module.shop["eu"].posthog_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly type: string
  readonly name: string
  readonly attributes: JsonObject
  /** The configuration of its provider, with alias; in a shown state, only the provider. */
  readonly provider: string
  /** The attributes with values that the state marks as sensitive. */
  readonly sensitive: ReadonlySet<string>
  /** Set for an instance that an apply has replaced but not destroyed yet. */
  readonly isDeposed?: true
}

/** The resources of a state, from Terraform's file or from `terraform show -json`; or why it is neither. */
export function readState(written: string): readonly StateResource[] | { readonly problem: string } {
  const json = readJsonIfAny(written)
  if (!isJsonObject(json)) return { problem: 'it is not a JSON object' }
  if (json.encrypted_data !== undefined)
    return { problem: 'OpenTofu has encrypted it, and `tofu state pull` prints it encrypted' }
  if (json.version !== undefined && json.resources !== undefined) {
    if (json.version !== 4)
      return { problem: `its version is ${jsonText(json.version)}, but Vexil only reads 4` }
    const problem = stateShape(json, '')
    return problem === undefined ? listOf(json.resources).flatMap(instancesOf) : { problem }
  }
  const place = json.planned_values === undefined ? '' : 'prior_state'
  const shown = place === '' ? json : json.prior_state
  const problem = shownShape(shown, place)
  if (isJsonObject(shown) && shown.values !== undefined)
    return problem === undefined
      ? resourcesBelow(membersOf(membersOf(shown.values).root_module))
      : { problem }
  // An empty state has no values.
  if (isJsonObject(shown) && typeof shown.format_version === 'string') return []
  return { problem: 'it is neither a state file nor the output of `terraform show -json`' }
}

/** An address without instance keys, as in a configuration. */
export function configured(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
}

function jsonText(version: Json | undefined): string {
  return JSON.stringify(version)
}

/** The parts of a state file that are read. Terraform 0.11 wrote attributes to another place. */
const stateShape = members({
  resources: list(
    members({
      mode: oneOf('managed', 'data'),
      module: maybe(text),
      type: text,
      name: text,
      provider: maybe(text),
      instances: list(
        members({
          attributes: map(anything),
          index_key: maybe(key),
          deposed: maybe(text),
          sensitive_attributes: maybe(list(list(members({ type: text, value: maybe(anything) })))),
        }),
      ),
    }),
  ),
})

const shownModule: Shape = members({
  resources: ifThere(
    list(
      members({
        mode: oneOf('managed', 'data'),
        address: text,
        type: text,
        name: text,
        values: ifThere(map(anything)),
        provider_name: maybe(text),
        sensitive_values: maybe(map(anything)),
        deposed_key: maybe(text),
      }),
    ),
  ),
  child_modules: ifThere(list((json, at) => shownModule(json, at))),
})

/** The parts of a shown state that are read. */
const shownShape = members({ values: ifThere(members({ root_module: shownModule })) })

/** The key of an instance. */
function key(json: unknown, at: string): string | undefined {
  return isJsonNumber(json) ? undefined : text(json, at)
}

function instancesOf({ mode, module, instances, ...written }: JsonObject): StateResource[] {
  if (mode !== 'managed') return []
  const [type, name] = [textIn(written.type), textIn(written.name)]
  const prefix = typeof module === 'string' ? `${module}.` : ''
  return listOf(instances).map(({ index_key: key = null, attributes, deposed = null, ...instance }) => ({
    address: `${prefix}${type}.${name}${keyText(key)}`,
    ...{ type, name, provider: textIn(written.provider) },
    attributes: membersOf(attributes),
    sensitive: new Set(pathsOf(instance.sensitive_attributes).map(([step]) => textIn(step?.value))),
    ...(deposed === null ? {} : { isDeposed: true }),
  }))
}

function pathsOf(json: Json | undefined): readonly (readonly JsonObject[])[] {
  return isJsonArray(json) ? json.map(listOf) : []
}

function textIn(json: Json | undefined): string {
  return typeof json === 'string' ? json : ''
}

function keyText(key: Json): string {
  if (key === null) return ''
  return `[${typeof key === 'string' ? quoted(key) : jsonText(key)}]`
}

function resourcesBelow({ resources, child_modules: modules }: JsonObject): StateResource[] {
  const managed = listOf(resources).filter(({ mode }) => mode === 'managed')
  const own = managed.map(({ address, type, name, values, deposed_key: deposed = null, ...rest }) => ({
    ...{ address: textIn(address), type: textIn(type), name: textIn(name) },
    attributes: membersOf(values),
    provider: textIn(rest.provider_name),
    sensitive: sensitiveIn(membersOf(rest.sensitive_values)),
    ...(deposed === null ? {} : { isDeposed: true as const }),
  }))
  return [...own, ...listOf(modules).flatMap(resourcesBelow)]
}

/** The attributes that contain a mark; an attribute without marks has an empty object or list. */
function sensitiveIn(marks: JsonObject): ReadonlySet<string> {
  return new Set(Object.keys(marks).filter(name => isMarked(marks[name])))
}

function isMarked(mark: Json | undefined): boolean {
  return mark === true || (typeof mark === 'object' && Object.values(mark ?? {}).some(isMarked))
}

function listOf(json: Json | undefined): readonly JsonObject[] {
  return isJsonArray(json) ? json.filter(isJsonObject) : []
}

function membersOf(json: Json | undefined): JsonObject {
  return isJsonObject(json) ? json : {}
}

/** The service's own provider; its types begin with this. */
const prefix = 'posthog_'

/** Our counterpart to a resource of the service's own provider. */
export type Counterpart =
  | { readonly is: 'object'; readonly kind: DeclarableKind; readonly id: string }
  /** The access of a role to one object. */
  | {
      readonly is: 'grant'
      readonly kind: DeclarableKind
      readonly parentId: string
      /** In lower case. */
      readonly roleId: string
    }
  | { readonly is: 'nothing'; readonly reason: string }

/** The counterpart of a resource; undefined for a resource of another provider. */
export function counterpartOf(resource: StateResource): Counterpart | undefined {
  const { type, attributes, isDeposed } = resource
  if (!type.startsWith(prefix)) return undefined
  if (isDeposed)
    return {
      is: 'nothing',
      reason: 'an apply has replaced it but not yet destroyed it: apply once more first',
    }
  const kind = declarableKinds.find(({ name }) => typesElsewhere(name).includes(type))
  if (kind) {
    const id = textOf(attributes.id)
    if (id !== undefined) return { is: 'object', kind, id }
    return { is: 'nothing', reason: 'the state does not contain its id: apply once more first' }
  }
  return type === accessType
    ? accessOf(resource)
    : { is: 'nothing', reason: 'Vexil does not manage this type' }
}

/** The project of a resource; undefined if only its provider has one. */
export function projectOf({ attributes }: StateResource): string | undefined {
  return textOf(attributes.project_id)
}

/** The name of an object in a state; empty if the state does not contain it. */
export function identityIn({ attributes }: StateResource, kind: DeclarableKind): string {
  return textOf(attributes[identityField(kind)]) ?? ''
}

/** The fields of an object with sensitive values in a state. The release is one field, in any form. */
export function sensitiveFields({ sensitive }: StateResource, kind: DeclarableKind): readonly string[] {
  const isHidden = (name: string) =>
    sensitive.has(name) || (isTargeting(kind, name) && typedAttributes.some(each => sensitive.has(each)))
  return managedFields(kind).filter(isHidden)
}

/** The fields of an object in a state, by Vexil's names. */
export function fieldsIn(
  { attributes }: StateResource,
  kind: DeclarableKind,
): readonly (readonly [string, Json])[] {
  return managedFields(kind).flatMap(name => {
    const value = attributes[name] ?? null
    return value === null ? [] : [[name, value] as const]
  })
}

/** The resource that grants access to one object, or to all of a kind. */
const accessType = `${prefix}access_control`

function accessOf({ attributes }: StateResource): Counterpart {
  const of = textOf(attributes.resource)
  const kind = of === undefined ? undefined : kindBelow(of)
  if (!kind) return { is: 'nothing', reason: 'Vexil only manages access of roles to flags' }
  const parentId = textOf(attributes.resource_id)
  const roleId = textOf(attributes.role)?.toLowerCase()
  if (parentId === undefined)
    return { is: 'nothing', reason: 'it applies to all flags, but a grant of Vexil applies to one flag' }
  if (roleId === undefined)
    return {
      is: 'nothing',
      reason: 'it is for a person or for everybody, but Vexil only grants access to roles',
    }
  return { is: 'grant', kind, parentId, roleId }
}

function textOf(json: Json | undefined): string | undefined {
  if (isJsonNumber(json)) return numberText(json)
  return typeof json === 'string' && json !== '' ? json : undefined
}
