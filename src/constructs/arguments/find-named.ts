import { TerraformStack } from 'cdktf'
import type { Construct, IConstruct } from 'constructs'
import { addressOf, type Declared, declaredTwice, namesIn } from '../engine/engine.ts'
import { isReference } from '../synthesized/templates.ts'

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
function freeNames(construct: IConstruct): void {
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

/**
 * Finishes making a construct. An error withdraws the construct: a caller that catches the error continues
 * with an app that never had it.
 */
export function allOrNothing<Result>(construct: Construct, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    withdraw(construct)
    throw error
  }
}

/** Takes a construct out of its app, with its children and their names. */
export function withdraw(construct: Construct): void {
  freeNames(construct)
  construct.node.scope?.node.tryRemoveChild(construct.node.id)
}

/**
 * The name of a resource in Terraform, from the name of the object itself: equal at any place in the code, so
 * moving the code changes nothing. A key that is no valid name in Terraform gets a similar name that no other
 * key gets.
 */
export function logicalIdOf(...parts: readonly string[]): string {
  const name = parts.join('--')
  if (/^[A-Za-z_][\w-]*$/.test(name)) return name
  const near = name.replace(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return `${near}_${fingerprint(name)}`
}

/** FNV-1a: short and stable. It need not be hard to guess. */
function fingerprint(text: string): string {
  const hash = [...new TextEncoder().encode(text)].reduce(
    (sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0,
    0x811c9dc5,
  )
  return hash.toString(16).padStart(8, '0')
}
