import { Aspects, type TerraformMetaArguments, TerraformStack } from 'cdktf'
import type { Construct, IConstruct } from 'constructs'
import { shown } from './argument.ts'
import { addressOf, type Declared, declaredTwice, namesIn, theirsOf } from './engine/engine.ts'
import { isReference } from './templates.ts'

/** Does some work, and adds its subject to an error: `flag "checkout" at "flags/Checkout": ...`. */
export function about<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `${title} ${shown(name)} at "${construct.node.path}": ${why}`
    throw atOwnFrames(new Error(message, { cause: error }))
  }
}

/** The same for a construct that is being made: an error removes all of it. */
export function making<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  return allOrNothing(construct, () => about(title, name, construct, work))
}

/** The error with only the app's lines in its stack; its cause has the lines of this package. */
function atOwnFrames(error: Error): Error {
  const frames = theirsOf(error.stack ?? '')
  if (frames.length > 0)
    error.stack = [`Error: ${error.message}`, ...frames.map(frame => `    ${frame}`)].join('\n')
  return error
}

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

/**
 * A construct with `forEach` or `count` is several objects in Terraform. So a resource that belongs to each
 * of them is declared as often, and refers to its own object by the same key or number.
 *
 * | the construct has | `instanceOf(construct, 'id')`                  |
 * |-------------------|------------------------------------------------|
 * | `forEach`         | `${vexil_feature_flag.name[each.key].id}`      |
 * | `count`           | `${vexil_feature_flag.name[count.index].id}`   |
 * | neither           | undefined: it is one object                    |
 */
export function instanceOf(declared: Declared, attribute: string): string | undefined {
  const index = indexOf(declared)
  // The name is read when it is written, since it can still change until then.
  return index === undefined ? undefined : `\${${declared.fqn}[${index}].${attribute}}`
}

/** The repetition that gives another resource as many objects. */
export function repetitionOf({
  forEach,
  count,
}: Declared): Pick<TerraformMetaArguments, 'forEach' | 'count'> {
  return { ...(forEach === undefined ? {} : { forEach }), ...(count === undefined ? {} : { count }) }
}

/** The id of one object; a construct with several objects has no id that Terraform would accept. */
export function idOf(declared: Declared & { readonly id: string }): string {
  requireOne(declared, 'id')
  return declared.id
}

/** The key of one object as a reference to it, so that Terraform makes the object first. */
export function keyOf(declared: Declared & { readonly key: string }): string {
  requireOne(declared, 'key')
  return declared.key
}

/** The name of one object as a reference to it. */
export function nameOf(declared: Declared & { readonly name: string }): string {
  requireOne(declared, 'name')
  return declared.name
}

function requireOne(declared: Declared, attribute: string): void {
  if (indexOf(declared) === undefined) return
  const how = declared.forEach === undefined ? 'count' : 'forEach'
  throw new Error(
    `"${declared.node.path.replace(/\/Resource$/, '')}" stands for several objects, by its ${how}, and has no ${attribute} of its own; ` +
      `take that of one of them: \`\\\${\${flag.resource.fqn}["KEY"].${attribute}}\``,
  )
}

function indexOf({ forEach, count }: Declared): string | undefined {
  if (forEach !== undefined) return 'each.key'
  return count === undefined ? undefined : 'count.index'
}

/** Records when the engine begins to synthesize a construct. Stacks run all aspects before they write. */
export function watchSynthesis(construct: IConstruct): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node === construct) started.add(construct)
    },
  })
}

/** Refuses a call that is too late: policies and checks saw the construct, and its text may be written. */
export function requireNotSynthesized(construct: IConstruct, method: string): void {
  if (!started.has(construct)) return
  throw new Error(
    `${method}(...) comes after its stack was synthesized, or after its aspects ran: call it before app.synth()`,
  )
}

const started = new WeakSet<IConstruct>()
