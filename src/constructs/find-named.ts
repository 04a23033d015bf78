import { TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { addressOf, type Declared, declaredTwice, namesIn } from './engine/taken-names.ts'
import { logicalIdOf } from './logical-id.ts'
import { isReference } from './synthesized/terraform-references.ts'

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
