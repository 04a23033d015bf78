import { type ExactJson, isExactObject, parseExactJson } from '../../cty/encoding/json-value.ts'
import { Refusal } from '../../cty/invalid-value.ts'
import { FileError, readRegularFile } from '../../model/files/read-regular-file.ts'
import { largestAnswer } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { type Body, membersOf } from '../read/stack-file.ts'
import { type PlannedChange, plannedChangesIn } from './planned-change.ts'

/** A resource of a plan: what it will be, what the apply will tell of it, and what must not be shown. */
export interface PlannedResource {
  /** `module.shop["eu"].vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly type: string
  readonly name: string
  readonly values: ExactJson
  readonly unknown: ExactJson
  readonly sensitive: ExactJson
  /** The id that an import gives it. */
  readonly importing: string | undefined
  /** As the configuration has it: its expressions, and the configuration of the provider that it takes. */
  readonly configured: Body
}

/** What `terraform show -json` says of a plan, as far as it is about what is applied. */
export interface TerraformPlan {
  readonly resources: readonly PlannedResource[]
  /** Everything that has values: what is planned, and what was read from data sources or the state. */
  readonly known: readonly KnownResource[]
  /** The configurations of the provider, by their keys: `vexil`, `vexil.eu`, `module.shop:vexil`. */
  readonly providers: ReadonlyMap<string, Body>
  readonly variables: Body
  /** The addresses of what the plan deletes. */
  readonly deleted: readonly string[]
  /** What it does to every resource that it manages. */
  readonly changes: readonly PlannedChange[]
  /** What became of resources since the last apply, by other hands. */
  readonly drifted: readonly PlannedChange[]
  /** The version of the engine that made it. */
  readonly version: string
  /** Checks that do not hold, with their words. */
  readonly failedChecks: readonly { readonly address: string; readonly message: string }[]
}

export interface KnownResource {
  readonly address: string
  readonly values: Body
}

/** Reads the file with a plan; where it is none, what is wrong with it. */
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
    text = String(await readRegularFile(path, largestAnswer))
    const json = parseExactJson(text)
    if (!isExactObject(json) || !isExactObject(json.planned_values) || !isExactObject(json.configuration))
      return refuse(text, 'this is no plan of Terraform', howTo)
    if (!/^1\./.test(String(json.format_version)))
      return refuse(
        text,
        `its format is ${JSON.stringify(String(json.format_version))}, and Vexil reads 1.x`,
        howTo,
      )
    if (json.errored === true)
      return refuse(text, 'the plan failed, so it says only a part', 'mend it and plan again')
    return { plan: planIn(json), text, problems: [] }
  } catch (error) {
    if (error instanceof FileError) return refuse('', `the file ${error.message}`, howTo)
    if (error instanceof SyntaxError || error instanceof Refusal)
      return refuse(text, 'this is not JSON', howTo)
    throw error
  }
}

const howTo = 'write it with: terraform plan -out=tfplan && terraform show -json tfplan > plan.json'

function planIn(json: Body): TerraformPlan {
  const configuration = membersOf(json.configuration)
  const changes = new Map(objectsIn(json.resource_changes).map(each => [text(each.address), each]))
  const planned = resourcesIn(membersOf(membersOf(json.planned_values).root_module))
  const before = resourcesIn(membersOf(membersOf(membersOf(json.prior_state).values).root_module))
  const managed = planned.filter(({ mode }) => mode === 'managed')
  return {
    resources: managed.map(resource => {
      const address = text(resource.address)
      const change = membersOf(changes.get(address)?.change)
      const { id } = membersOf(change.importing)
      return {
        address,
        type: text(resource.type),
        name: text(resource.name),
        values: resource.values ?? {},
        unknown: change.after_unknown ?? {},
        sensitive: change.after_sensitive ?? resource.sensitive_values ?? {},
        importing: typeof id === 'string' ? id : undefined,
        configured: configuredAs(address, membersOf(configuration.root_module)),
      }
    }),
    known: [...planned, ...before].map(({ address, values }) => ({
      address: text(address),
      values: membersOf(values),
    })),
    providers: new Map(
      Object.entries(membersOf(configuration.provider_config)).map(([key, each]) => [key, membersOf(each)]),
    ),
    variables: Object.fromEntries(
      Object.entries(membersOf(json.variables)).map(([name, each]) => [name, membersOf(each).value ?? null]),
    ),
    deleted: [...changes].flatMap(([address, { change }]) => {
      const { actions } = membersOf(change)
      return Array.isArray(actions) && actions.length === 1 && actions[0] === 'delete' ? [address] : []
    }),
    changes: plannedChangesIn(json, 'resource_changes'),
    drifted: plannedChangesIn(json, 'resource_drift'),
    version: text(json.terraform_version),
    failedChecks: failedChecksIn(json),
  }
}

function resourcesIn(module: Body): readonly Body[] {
  return [...objectsIn(module.resources), ...objectsIn(module.child_modules).flatMap(resourcesIn)]
}

/** A resource as its module's configuration has it; its instances share that. */
function configuredAs(address: string, root: Body): Body {
  const plain = withoutIndexes(address)
  const [, way = '', own = plain] = /^((?:module\.[^.]+\.)*)(.*)$/.exec(plain) ?? []
  const module = [...way.matchAll(/module\.([^.]+)\./g)].reduce<Body>(
    (inside, [, name = '']) => membersOf(membersOf(membersOf(inside.module_calls)[name]).module),
    root,
  )
  return objectsIn(module.resources).find(each => each.address === own) ?? {}
}

/** An address without what says which instance is meant. */
export function withoutIndexes(address: string): string {
  return address.replace(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g, '')
}

function failedChecksIn(json: Body): TerraformPlan['failedChecks'] {
  return objectsIn(json.checks)
    .flatMap(check => objectsIn(check.instances))
    .filter(({ status }) => status === 'fail' || status === 'error')
    .flatMap(instance => {
      const address = text(membersOf(instance.address).to_display)
      const messages = objectsIn(instance.problems).map(({ message }) => text(message))
      return (messages.length > 0 ? messages : ['it does not hold']).map(message => ({ address, message }))
    })
}

function objectsIn(json: ExactJson | undefined): readonly Body[] {
  return Array.isArray(json) ? json.filter(isExactObject) : []
}

function text(json: ExactJson | undefined): string {
  return typeof json === 'string' ? json : ''
}
