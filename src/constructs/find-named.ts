import { TerraformDataSource, TerraformResource, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { isOurType } from '../schema/terraform/terraform-names.ts'
import { logicalIdOf } from './logical-id.ts'
import { isReference } from './synthesized/terraform-references.ts'

/** A construct that becomes a resource or a data source. */
export type Declared = TerraformResource | TerraformDataSource

/** What a resource is named after. */
export interface NamedAfter {
  /** What names the thing itself: a flag's key, an event's name. */
  readonly parts: readonly string[]
  /** The project or organization it lives in, where the construct says so. */
  readonly place?: string | undefined
  /** The name that people want it to have instead. */
  readonly logicalId?: string | undefined
}

/**
 * Names a resource in Terraform after what names the thing itself, and refuses a second one of that name in the stack:
 * the engines would make one resource of the two, without a word. What is not known yet cannot be a name, so then the
 * engine finds one.
 */
export function nameAfter(declared: Declared, named: NamedAfter): void {
  const id = idFor(declared, named)
  if (id === undefined) return
  const address = addressOf(declared, id)
  const names = namesIn(TerraformStack.of(declared))
  const before = names.get(address)
  if (before !== undefined) throw new Error(declaredTwice(address, before, declared))
  declared.overrideLogicalId(id)
  names.set(address, declared)
}

/** What has the name already that this would get, if anything has. */
export function findNamed(
  scope: IConstruct,
  type: { readonly address: string; readonly provider?: Declared['provider'] },
  named: NamedAfter,
): Declared | undefined {
  const id = idFor(type, named)
  return id === undefined ? undefined : namesIn(TerraformStack.of(scope)).get(`${type.address}.${id}`)
}

/** Frees the names of all that is in a construct. */
export function freeNames(construct: IConstruct): void {
  const stack = construct.node.scopes.findLast(TerraformStack.isStack)
  if (stack === undefined) return
  const names = namesIn(stack)
  for (const [address, { node }] of names) if (node.scopes.includes(construct)) names.delete(address)
}

/** The same key in another project, or for another provider, is another thing. */
function idFor(
  { provider }: Pick<Declared, 'provider'>,
  { parts, place, logicalId }: NamedAfter,
): string | undefined {
  if (logicalId !== undefined) return logicalId
  const all = [
    ...parts,
    ...(place === undefined ? [] : [place]),
    ...(provider?.alias ? [provider.alias] : []),
  ]
  return all.some(isReference) ? undefined : logicalIdOf(...all)
}

function addressOf(declared: Declared, id: string): string {
  const isData = TerraformDataSource.isTerraformDataSource(declared)
  return `${isData ? 'data.' : ''}${declared.terraformResourceType}.${id}`
}

/** The names that are taken in a stack. They belong to the stack, wherever its constructs were loaded from. */
function namesIn(stack: TerraformStack): Map<string, Declared> {
  const known: unknown = Reflect.get(stack, taken)
  // Nobody else has the symbol.
  if (known instanceof Map) return known as Map<string, Declared>
  const names = new Map<string, Declared>()
  Object.defineProperty(stack, taken, { value: names })
  stack.node.addValidation({ validate: () => sharedNames(stack) })
  return names
}

const taken = Symbol.for('vexil/names')

/** Resources of one name, however they got it: generated constructs are named by the engine. */
function sharedNames(stack: TerraformStack): string[] {
  const first = new Map<string, Declared>()
  return stack.node.findAll().flatMap(node => {
    if (!isOurs(node) || TerraformStack.of(node) !== stack) return []
    const address = addressOf(node, node.friendlyUniqueId)
    const before = first.get(address)
    if (before === undefined) first.set(address, node)
    return before === undefined ? [] : [declaredTwice(address, before, node)]
  })
}

function isOurs(node: IConstruct): node is Declared {
  const isDeclared =
    TerraformResource.isTerraformResource(node) || TerraformDataSource.isTerraformDataSource(node)
  return isDeclared && isOurType(node.terraformResourceType)
}

function declaredTwice(address: string, before: IConstruct, declared: IConstruct): string {
  const paths = [before, declared].map(({ node }) => `"${pathOf(node)}"`)
  return `${address} is declared twice, by ${paths.join(' and ')}; declare it once, or give one of them a logicalId`
}

/** The path of what people wrote: the resource inside of it has no name of its own. */
function pathOf(node: IConstruct['node']): string {
  return node.path.replace(/\/Resource$/, '')
}
