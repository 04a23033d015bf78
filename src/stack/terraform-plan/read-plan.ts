import { type Engine, type ExactJson, isExactObject, parseExactJson, Refusal } from '../../hcl/index.ts'

import { FileError, readRegularFile, textFrom } from '../../model/files.ts'
import { isJsonObject } from '../../model/json/json.ts'
import { readJsonIfAny } from '../../model/json/json-text.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { listSome } from '../../model/text/list-names.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { type Body, blockMembers } from '../read/stack-file.ts'
import { howToShow, notAPlan } from './not-a-plan.ts'
import { idText, importedAs, type PlannedChange, plannedChangesIn, textOf } from './planned-change.ts'

/** A planned resource: its values, the ones unknown before the apply, and the sensitive ones. */
export interface PlannedResource {
  /** `module.shop["eu"].vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly type: string
  readonly name: string
  readonly values: ExactJson
  readonly unknown: ExactJson
  readonly sensitive: ExactJson
  /** The id from an import. */
  readonly importing: string | undefined
  /** Its configuration: its expressions, and the provider's configuration that it uses. */
  readonly configured: Body | undefined
}

/** The parts of `terraform show -json` about what a plan applies. */
export interface TerraformPlan {
  readonly resources: readonly PlannedResource[]
  /** Everything with values: planned, or read from data sources or the state. */
  readonly known: readonly KnownResource[]
  /** The configurations of the provider, by their keys: `vexil`, `vexil.eu`, `module.shop:vexil`. */
  readonly providers: ReadonlyMap<string, Body>
  readonly variables: Body
  /** The addresses that the plan deletes. */
  readonly deleted: readonly string[]
  /** Resources of the state that the plan does not mention. */
  readonly untold: readonly Pick<PlannedResource, 'address' | 'type'>[]
  /** Whether the engine reports that the plan omits a part of the configuration. */
  readonly isPartial: boolean
  /** The changes of all managed resources. */
  readonly changes: readonly PlannedChange[]
  /** Changes of resources since the last apply that others made. */
  readonly drifted: readonly PlannedChange[]
  /** The engine that made it, with its version. */
  readonly engine: Engine
  readonly version: string
  /** Failed checks, with their messages. */
  readonly failedChecks: readonly FailedCheck[]
}

/** A failed condition. In a `check` block it stops nothing. */
export type FailedCheck = Pick<Problem, 'severity' | 'message'> & { readonly address: string }

export interface KnownResource {
  readonly address: string
  readonly values: Body
}

/** Reads the file with a plan, or returns the problem if it is not a plan. */
export async function readTerraformPlan(
  path: string,
  shownAs: string,
): Promise<{ readonly plan?: TerraformPlan; readonly text: string; readonly problems: readonly Problem[] }> {
  const refuse = (text: string, message: string, hint: string) => {
    const source = { file: shownAs, line: 1, column: 1 }
    return { text, problems: [{ code: 'terraform-plan', severity: 'error' as const, message, hint, source }] }
  }
  let text = ''
  try {
    const bytes = await readRegularFile(path, largestSaved)
    if (bytes.subarray(0, 2).toString('latin1') === zipMark)
      return refuse(
        '',
        'this is the plan that `-out` writes, and Vexil reads its JSON',
        `write that with: terraform show -json ${shellWord(shownAs)} > plan.json`,
      )
    text = textFrom(bytes)
    const json = parseExactJson(text)
    const other = notAPlan(json)
    if (other) return refuse(text, other.message, other.hint)
    // Other values without members were reported above.
    const plan = planIn(blockMembers(json))
    const changed = new Set(plan.changes.map(({ address }) => address))
    const half = plan.resources.find(({ address }) => !changed.has(address))
    // The change shows which values are unknown or sensitive.
    if (half)
      return refuse(text, `this is a part of a plan: resource_changes lacks ${half.address}`, howToShow)
    return { plan, text, problems: [] }
  } catch (error) {
    if (error instanceof FileError) return refuse('', `the file ${error.message}`, howToShow)
    if (error instanceof SyntaxError || error instanceof Refusal) {
      if (text.trim() === '') return refuse(text, 'this file is empty', howToShow)
      if (isLog(text))
        return refuse(text, 'this is what `terraform plan -json` says while it plans, and no plan', howToShow)
      return refuse(text, 'this is not JSON', howToShow)
    }
    throw error
  }
}

/** The file that `-out` writes is a ZIP archive. */
const zipMark = 'PK'

/** Whether a text is JSON lines, Terraform's messages for machines. */
function isLog(text: string): boolean {
  const first = readJsonIfAny(text.slice(0, Math.max(0, text.indexOf('\n'))))
  return isJsonObject(first) && first['@level'] !== undefined
}

/** What a plan with `-target`, `-exclude` or `-refresh-only` omits; it looks complete. */
export function missingIn({ untold, isPartial }: TerraformPlan): string | undefined {
  const ours = untold.flatMap(({ address, type }) => (isOurType(type) ? [address] : []))
  if (ours.length > 0) return `says nothing of ${listSome(ours, 'and')}`
  return isPartial ? 'is not of the whole configuration' : undefined
}

function planIn(json: Body): TerraformPlan {
  const configuration = blockMembers(json.configuration)
  const changes = new Map(objectsIn(json.resource_changes).map(each => [textOf(each.address), each]))
  const planned = resourcesIn(blockMembers(blockMembers(json.planned_values).root_module))
  const before = resourcesIn(blockMembers(blockMembers(blockMembers(json.prior_state).values).root_module))
  const managed = planned.filter(({ mode }) => mode === 'managed')
  const ids = new Map(
    planned.map(({ address, values }) => [textOf(address), idText(blockMembers(values).id)]),
  )
  // An object that keeps its id is the same one, even if the plan renames it.
  const earlier = before.filter(({ address, values }) => {
    const id = ids.get(textOf(address))
    return id === undefined || id !== idText(blockMembers(values).id)
  })
  const untold = before.filter(({ mode, address }) => mode === 'managed' && !changes.has(textOf(address)))
  return {
    resources: managed.map(resource => {
      const address = textOf(resource.address)
      const change = blockMembers(changes.get(address)?.change)
      return {
        address,
        type: textOf(resource.type),
        name: textOf(resource.name),
        values: resource.values ?? {},
        unknown: change.after_unknown ?? {},
        sensitive: change.after_sensitive ?? resource.sensitive_values ?? {},
        importing: importedAs(blockMembers(change.importing), textOf(resource.type)),
        configured: configuredAs(address, blockMembers(configuration.root_module)),
      }
    }),
    known: [...planned, ...earlier].map(({ address, values }) => ({
      address: textOf(address),
      values: blockMembers(values),
    })),
    providers: new Map(
      Object.entries(blockMembers(configuration.provider_config)).map(([key, each]) => [
        key,
        blockMembers(each),
      ]),
    ),
    variables: Object.fromEntries(
      Object.entries(blockMembers(json.variables)).map(([name, each]) => [
        name,
        blockMembers(each).value ?? null,
      ]),
    ),
    deleted: [...changes].flatMap(([address, { change }]) => {
      const { actions } = blockMembers(change)
      return Array.isArray(actions) && actions.length === 1 && actions[0] === 'delete' ? [address] : []
    }),
    untold: untold.map(({ address, type }) => ({ address: textOf(address), type: textOf(type) })),
    isPartial: json.complete === false,
    changes: plannedChangesIn(json, 'resource_changes'),
    drifted: plannedChangesIn(json, 'resource_drift'),
    engine: engineOf(json),
    version: textOf(json.terraform_version),
    failedChecks: failedChecksIn(json),
  }
}

/** Both engines write their version at the same place, but each uses its own registry by default. */
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
      return (messages.length > 0 ? messages : ['it does not hold']).map(message => ({
        address,
        message,
        severity,
      }))
    })
}

function objectsIn(json: ExactJson | undefined): readonly Body[] {
  return Array.isArray(json) ? json.filter(isExactObject) : []
}
