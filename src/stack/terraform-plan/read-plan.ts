import {
  type Engine,
  type ExactJson,
  impliedTyped,
  isExactObject,
  isNumber,
  object,
  parseExactJson,
  Refusal,
  Sensitive,
  type Typed,
  tuple,
  unknownOf,
} from '../../hcl/index.ts'
import { FileError, readRegularFile, textFrom } from '../../model/files.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { isJsonObject } from '../../model/text/json.ts'
import { anything, list, map, maybe, members, nounOf, type Shape, text } from '../../model/text/json-shape.ts'
import { readJsonIfAny } from '../../model/text/json-text.ts'
import { listNames, listSome } from '../../model/text/names.ts'
import { shellWord } from '../../model/text/printable.ts'
import { importIdOf } from '../../schema/terraform/terraform-identity.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { resourceSchemas } from '../evaluate/attributes.ts'
import { type Body, blockMembers } from '../stack-file.ts'

/** The planned change of a resource of any provider. */
export interface PlannedChange {
  readonly address: string
  readonly type: string
  /** `create`, `update`, `delete`, both of `delete` and `create`, `forget`, `read`, `no-op`. */
  readonly actions: readonly string[]
  readonly before: ExactJson
  readonly after: ExactJson
  readonly unknown: ExactJson
  readonly sensitiveBefore: ExactJson
  readonly sensitiveAfter: ExactJson
  /** The id from an import. */
  readonly importing: string | undefined
}

export interface PlannedResource {
  /** `module.shop["eu"].vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly type: string
  readonly name: string
  readonly values: Body
  /** Its change, with marks for unknown and sensitive values. */
  readonly change: PlannedChange
  /** Its configuration: its expressions, and the provider's configuration that it uses. */
  readonly configured: Body | undefined
}

/** The parts of `terraform show -json` about what a plan applies. */
export interface TerraformPlan {
  readonly resources: readonly PlannedResource[]
  /** Everything with known values: planned, or read from data sources or the state. */
  readonly known: readonly { readonly address: string; readonly values: Body }[]
  /** The configurations of the provider, by their keys: `vexil`, `vexil.eu`, `module.shop:vexil`. */
  readonly providers: ReadonlyMap<string, Body>
  readonly variables: Body
  /** Why the plan is partial, as with `-target`, `-exclude` or `-refresh-only`: it looks complete. */
  readonly missing: string | undefined
  /** The changes of all managed resources. */
  readonly changes: readonly PlannedChange[]
  /** Changes of resources since the last apply that others made. */
  readonly drifted: readonly PlannedChange[]
  /** The engine that made it, with its version. */
  readonly engine: Engine
  readonly version: string
  /** Failed conditions, with their messages. In a `check` block they do not stop the apply. */
  readonly failedChecks: readonly (Pick<Problem, 'severity' | 'message'> & { readonly address: string })[]
}

/** Reads a plan file, or returns the problem if it is not a plan. */
export async function readTerraformPlan(
  path: string,
  shownAs: string,
): Promise<{ readonly plan?: TerraformPlan; readonly text: string; readonly problems: readonly Problem[] }> {
  let text = ''
  const refuse = (message: string, hint: string = howToShow) => {
    const source = { file: shownAs, line: 1, column: 1 }
    return { text, problems: [{ code: 'terraform-plan', severity: 'error' as const, message, hint, source }] }
  }
  try {
    const bytes = await readRegularFile(path, largestSaved)
    // The file that `-out` writes is a ZIP archive.
    if (bytes.subarray(0, 2).toString('latin1') === 'PK')
      return refuse(
        'this is the binary plan file of `-out`, but Vexil reads its JSON form',
        `create it with: terraform show -json ${shellWord(shownAs)} > plan.json`,
      )
    text = textFrom(bytes)
    const json = parseExactJson(text)
    const other = notAPlan(json)
    if (other) return refuse(other.message, other.hint)
    // Other values without members are already reported.
    const plan = planIn(blockMembers(json))
    return typeof plan === 'string' ? refuse(plan) : { plan, text, problems: [] }
  } catch (error) {
    if (error instanceof FileError) return refuse(`the file ${error.message}`)
    if (!(error instanceof SyntaxError || error instanceof Refusal)) throw error
    if (text.trim() === '') return refuse('this file is empty')
    return refuse(
      isLog(text)
        ? 'this is the progress output of `terraform plan -json`, not a plan'
        : 'this file is not JSON',
    )
  }
}

/** Whether a text is JSON lines, Terraform's machine-readable messages. */
function isLog(text: string): boolean {
  const first = readJsonIfAny(text.slice(0, Math.max(0, text.indexOf('\n'))))
  return isJsonObject(first) && first['@level'] !== undefined
}

/** The plan, or why it is not a plan. */
function planIn(json: Body): TerraformPlan | string {
  const configuration = blockMembers(json.configuration)
  const changes = changesIn(json.resource_changes)
  const changeOf = new Map(changes.map(change => [change.address, change]))
  const planned = resourcesIn(blockMembers(blockMembers(json.planned_values).root_module))
  const before = resourcesIn(blockMembers(blockMembers(blockMembers(json.prior_state).values).root_module))
  const resources: PlannedResource[] = []
  for (const { mode, type, name, values, ...resource } of planned) {
    if (mode !== 'managed') continue
    const address = textOf(resource.address)
    const change = changeOf.get(address)
    if (!change) return `this is only a part of a plan: resource_changes lacks ${address}`
    const configured = configuredAs(address, blockMembers(configuration.root_module))
    resources.push({
      ...{ address, type: textOf(type), name: textOf(name), values: blockMembers(values) },
      ...{ change, configured },
    })
  }
  const known = (all: readonly Body[]) =>
    all.map(each => ({ address: textOf(each.address), values: blockMembers(each.values) }))
  const ids = new Map(known(planned).map(({ address, values }) => [address, idText(values.id)]))
  // An object that keeps its id is the same one, even if the plan renames it.
  const earlier = known(before).filter(({ address, values }) => {
    const id = ids.get(address)
    return id === undefined || id !== idText(values.id)
  })
  const silent = before.flatMap(({ mode, address, type }) =>
    mode === 'managed' && isOurType(textOf(type)) && !changeOf.has(textOf(address)) ? [textOf(address)] : [],
  )
  const variables = Object.entries(blockMembers(json.variables))
  return {
    resources,
    known: [...known(planned), ...earlier],
    providers: new Map(
      Object.entries(blockMembers(configuration.provider_config)).map(([key, each]) => [
        key,
        blockMembers(each),
      ]),
    ),
    variables: Object.fromEntries(variables.map(([name, each]) => [name, blockMembers(each).value ?? null])),
    missing:
      silent.length > 0
        ? `does not contain ${listSome(silent, 'and')}`
        : json.complete === false
          ? 'does not cover the whole configuration'
          : undefined,
    changes,
    drifted: changesIn(json.resource_drift),
    engine: engineOf(json),
    version: textOf(json.terraform_version),
    failedChecks: failedChecksIn(json),
  }
}

/**
 * All changes in a list of a plan, in its order, without reads. For `resource_drift`, the changes since the
 * last apply: before is the result of that apply, and after is the live state.
 */
function changesIn(written: ExactJson | undefined): readonly PlannedChange[] {
  return objectsIn(written).flatMap(({ address, type, mode, ...each }) => {
    const change = blockMembers(each.change)
    if (mode !== 'managed') return []
    return [
      {
        address: textOf(address),
        type: textOf(type),
        actions: textsIn(change.actions),
        before: change.before ?? null,
        after: change.after ?? null,
        unknown: change.after_unknown ?? {},
        sensitiveBefore: change.before_sensitive ?? {},
        sensitiveAfter: change.after_sensitive ?? {},
        importing: importedAs(blockMembers(change.importing), textOf(type)),
      },
    ]
  })
}

/** The id of an import, or the id for the identity in it, as in plans since 1.12. */
function importedAs({ id, identity }: Body, type: string): string | undefined {
  if (typeof id === 'string' && id !== '') return id
  if (!isExactObject(identity)) return undefined
  const kind = resourceSchemas.get(type)?.kind
  return (kind && importIdOf(kind, identity)) ?? JSON.stringify(identity)
}

/** Both engines write their version at the same place, but each has its own default registry. */
function engineOf({ resource_changes: changes, configuration }: Body): Engine {
  const named = [
    ...objectsIn(changes).map(({ provider_name: name }) => name),
    ...Object.values(blockMembers(blockMembers(configuration).provider_config)).map(
      each => blockMembers(each).full_name,
    ),
  ]
  return named.some(name => textOf(name).startsWith('registry.opentofu.org/')) ? 'OpenTofu' : 'Terraform'
}

function resourcesIn(module: Body): readonly Body[] {
  return [...objectsIn(module.resources), ...objectsIn(module.child_modules).flatMap(resourcesIn)]
}

/** The configuration of a resource in its module; its instances share it. */
function configuredAs(address: string, root: Body): Body | undefined {
  const plain = withoutIndexes(address)
  const [, way = '', own = plain] = /^((?:module\.[^.]+\.)*)(.*)$/.exec(plain) ?? []
  const module = [...way.matchAll(/module\.([^.]+)\./g)].reduce<Body>(
    (inside, [, name = '']) => blockMembers(blockMembers(blockMembers(inside.module_calls)[name]).module),
    root,
  )
  return objectsIn(module.resources).find(each => each.address === own)
}

/** An address without instance indexes. */
export function withoutIndexes(address: string): string {
  return address.replace(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g, '')
}

function failedChecksIn(json: Body): TerraformPlan['failedChecks'] {
  return objectsIn(json.checks)
    .flatMap(check => objectsIn(check.instances).map(instance => [check, instance] as const))
    .filter(([, { status }]) => status === 'fail' || status === 'error')
    .flatMap(([check, instance]) => {
      const severity = blockMembers(check.address).kind === 'check' ? 'warning' : 'error'
      const address = textOf(blockMembers(instance.address).to_display)
      const messages = objectsIn(instance.problems).map(({ message }) => textOf(message))
      return (messages.length > 0 ? messages : ['the condition is not met']).map(message => ({
        address,
        message,
        severity,
      }))
    })
}

function objectsIn(json: ExactJson | undefined): readonly Body[] {
  return Array.isArray(json) ? json.filter(isExactObject) : []
}

function textsIn(json: ExactJson | undefined): readonly string[] {
  return Array.isArray(json) ? json.filter(each => typeof each === 'string') : []
}

/** A text of a plan; empty if it is not text. */
export function textOf(json: ExactJson | undefined): string {
  return typeof json === 'string' ? json : ''
}

/** An id, as a text or a number in the plan. */
export function idText(json: ExactJson | undefined): string | undefined {
  if (typeof json === 'string') return json
  return isNumber(json) ? json.text : undefined
}

/** A value of a plan as text, with each number as it is written. */
export function exactText(json: ExactJson | undefined): string {
  return JSON.stringify(json ?? null, (_, value) => (isNumber(value) ? value.text : value))
}

/** All references in an expression, at any depth. */
export function referencesIn(json: ExactJson | undefined): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(referencesIn)
  return Object.entries(blockMembers(json)).flatMap(([name, member]) =>
    name === 'references' && Array.isArray(member) ? textsIn(member) : referencesIn(member),
  )
}

/** The places of a plan's value that are unknown or must not be shown. */
interface Marks {
  readonly unknown?: ExactJson | undefined
  readonly sensitive?: ExactJson | undefined
}

/** A value of a plan with its marks; `origin` names it in messages. */
export function typedOf(
  value: ExactJson | undefined,
  origin: string,
  { unknown, sensitive }: Marks = {},
): Typed {
  if (sensitive === true) {
    const { type, plain } = typedOf(value, origin, { unknown })
    return { type, plain: new Sensitive(plain, origin) }
  }
  if (unknown === true) return unknownOf('dynamic', origin)
  if (Array.isArray(value) || Array.isArray(unknown)) {
    const elements = Array.isArray(value) ? value : []
    const length = Math.max(elements.length, Array.isArray(unknown) ? unknown.length : 0)
    const at = (json: ExactJson | undefined, index: number) => (Array.isArray(json) ? json[index] : undefined)
    return tuple(
      Array.from({ length }, (_, index) =>
        typedOf(elements[index], `${origin}[${index}]`, {
          unknown: at(unknown, index),
          sensitive: at(sensitive, index),
        }),
      ),
    )
  }
  if (!isExactObject(value)) return impliedTyped(value ?? null)
  const names = new Set([...Object.keys(value), ...Object.keys(blockMembers(unknown))])
  return object(
    [...names].map(name => [
      name,
      typedOf(value[name], `${origin}.${name}`, {
        unknown: blockMembers(unknown)[name],
        sensitive: blockMembers(sensitive)[name],
      }),
    ]),
  )
}

/** The command that writes a plan as JSON. */
export const howToShow =
  'create it with: terraform plan -out=tfplan && terraform show -json tfplan > plan.json'

/** The likely reason why a document is not a Terraform plan; undefined for a readable plan. */
function notAPlan(
  json: ExactJson,
): { readonly message: string; readonly hint?: string | undefined } | undefined {
  const no = (why: string) => ({ message: `this is not a plan of Terraform: ${why}` })
  if (!isExactObject(json)) return no(`it is ${nounOf(json)} of JSON`)
  const has = (...names: readonly string[]) => names.every(name => Object.hasOwn(json, name))
  if (!has('planned_values')) {
    // An empty state has no other members.
    const isEmptyState = has('format_version') && Object.keys(json).length === 1
    const known = isEmptyState ? shownState : documents.find(({ members }) => has(...members))
    if (known) return { message: `this is ${known.is}, not a plan of Terraform`, hint: known.hint }
    const names = Object.keys(json).map(name => JSON.stringify(name))
    const found = names.length === 0 ? 'nothing' : listNames(names.slice(0, mostNames), 'and')
    return no(`it has no planned_values, only ${found}${names.length > mostNames ? ' and more' : ''}`)
  }
  const { format_version: format } = json
  if (format === undefined) return no('its format_version is missing')
  if (typeof format !== 'string' || !format.startsWith('1.'))
    return {
      message: `its format is ${JSON.stringify(typeof format === 'string' ? format : nounOf(format))}, but Vexil reads 1.x`,
    }
  if (json.errored === true)
    return { message: 'the plan failed, so it is incomplete', hint: 'fix the error and plan again' }
  const wrong = planShape(json, '')
  return wrong === undefined ? undefined : no(wrong)
}

const mostNames = 5

interface KnownDocument {
  readonly members: readonly string[]
  readonly is: string
  readonly hint?: string
}

const shownState: KnownDocument = {
  members: ['format_version', 'values'],
  is: 'the output of `terraform show -json` for a state',
  hint: 'name the plan file too: terraform plan -out=tfplan && terraform show -json tfplan > plan.json',
}

/** Other documents that people may have, by members that only these have; the first match counts. */
const documents: readonly KnownDocument[] = [
  shownState,
  {
    members: ['lineage', 'serial'],
    is: 'a state of Terraform',
  },
  { members: ['provider_schemas'], is: 'the output of `terraform providers schema -json`' },
  { members: ['format_version', 'valid', 'diagnostics'], is: 'the output of `terraform validate -json`' },
  { members: ['@level', '@message'], is: 'a line of the output of `terraform plan -json`' },
  {
    members: ['format_version', 'changes', 'digest'],
    is: 'a plan of Vexil',
    hint: 'apply it with: vexil apply FILE; show it with: vexil show FILE',
  },
  {
    members: ['format_version', 'changes', 'target'],
    is: 'a document of Vexil',
  },
  {
    members: ['resource', '//'],
    is: 'a synthesized stack',
    hint: 'name its folder with --stack, or let Terraform plan the stack first',
  },
]

/**
 * The parts of a Terraform plan that are read, as `terraform show -json` of Terraform 1.x and OpenTofu writes
 * it. Without this check, parts with another shape would be ignored.
 */
const resource = members({ address: text, mode: text, type: text, name: text, values: maybe(map(anything)) })

const resources: Shape = members({
  resources: maybe(list(resource)),
  child_modules: maybe(list((json, at) => resources(json, at))),
})

const change = members({
  address: text,
  mode: text,
  type: text,
  change: members({ actions: list(text), importing: maybe(map(anything)) }),
})

const configured: Shape = members({
  resources: maybe(list(members({ address: text, expressions: maybe(map(anything)) }))),
  module_calls: maybe(map(members({ module: maybe((json, at) => configured(json, at)) }))),
})

const planShape = members({
  planned_values: members({ root_module: resources }),
  resource_changes: maybe(list(change)),
  resource_drift: maybe(list(change)),
  prior_state: maybe(members({ values: maybe(members({ root_module: maybe(resources) })) })),
  configuration: members({
    provider_config: maybe(
      map(
        members({
          name: maybe(text),
          full_name: maybe(text),
          alias: maybe(text),
          module_address: maybe(text),
        }),
      ),
    ),
    root_module: configured,
  }),
  variables: maybe(map(map(anything))),
  checks: maybe(list(members({ instances: maybe(list(map(anything))) }))),
})
