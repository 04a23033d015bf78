import { TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { addressOf, type Declared, declaredTwice, namesIn } from './engine/taken-names.ts'
import { logicalIdOf } from './logical-id.ts'
import { isReference } from './synthesized/terraform-references.ts'

/** The source of a resource's name. */
export interface NamedAfter {
  /** The names of the object itself: a flag's key, an event's name. */
  readonly parts: readonly string[]
  /** The project or organization, if the construct has one. */
  readonly place?: string | undefined
  /** The name that the app gives it instead. */
  readonly logicalId?: string | undefined
}

/**
 * Names a resource in Terraform after the object itself, and refuses a second one with that name in the
 * stack: the engines would silently make one resource of the two. An unknown value cannot be a name, so the
 * engine chooses one.
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

/** The construct that already has this name, if there is one. */
export function findNamed(
  scope: IConstruct,
  type: { readonly address: string; readonly provider?: Declared['provider'] },
  named: NamedAfter,
): Declared | undefined {
  const id = idFor(type, named)
  return id === undefined ? undefined : namesIn(TerraformStack.of(scope)).get(`${type.address}.${id}`)
}

/** Frees the names of a construct's contents. */
export function freeNames(construct: IConstruct): void {
  const stack = construct.node.scopes.findLast(TerraformStack.isStack)
  if (stack === undefined) return
  const names = namesIn(stack)
  for (const [address, { node }] of names) if (node.scopes.includes(construct)) names.delete(address)
}

/** The same key in another project, or for another provider, is another object. */
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
