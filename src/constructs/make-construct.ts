import { Aspects, type TerraformMetaArguments, TerraformStack } from 'cdktf'
import type { Construct, IConstruct } from 'constructs'
import { messageOf } from '../model/text/message-of.ts'
import { shown } from './argument.ts'
import { addressOf, type Declared } from './engine/declared.ts'
import { declaredTwice, namesIn, theirsOf } from './engine/engine.ts'
import { isReference } from './templates.ts'

/** Runs a function, and adds the subject to its errors: `flag "checkout" at "flags/Checkout": ...`. */
export function about<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (error) {
    const why = messageOf(error)
    const message = `${title} ${shown(name)} at "${construct.node.path}": ${why}`
    throw atOwnFrames(new Error(message, { cause: error }))
  }
}

/** Creates a construct with `about`; an error removes all of the construct. */
export function making<Result>(
  title: string,
  name: unknown,
  construct: Construct,
  work: () => Result,
): Result {
  return allOrNothing(construct, () => about(title, name, construct, work))
}

/** The error with only the app's lines in its stack; its cause has all lines. */
function atOwnFrames(error: Error): Error {
  const frames = theirsOf(error.stack ?? '')
  if (frames.length > 0)
    error.stack = [`Error: ${error.message}`, ...frames.map(frame => `    ${frame}`)].join('\n')
  return error
}

/** The source of a resource's name. */
export interface NamedAfter {
  /** The names that identify the object: a flag's key, an event's name. */
  readonly parts: readonly string[]
  /** The project or organization, if the construct has one. */
  readonly place?: string | undefined
  /** The name that the app sets explicitly. */
  readonly logicalId?: string | undefined
}

/**
 * Names a resource in Terraform after the object, and refuses a second resource with that name in the stack:
 * the engines would silently merge the two. An unknown value cannot be a name, so the engine chooses one.
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

/** The construct that already has this name, if any. */
export function findNamed(
  scope: IConstruct,
  type: { readonly address: string; readonly provider?: Declared['provider'] },
  named: NamedAfter,
): Declared | undefined {
  const id = idFor(type, named)
  return id === undefined ? undefined : namesIn(TerraformStack.of(scope)).get(`${type.address}.${id}`)
}

/** Releases the names of a construct's contents. */
function freeNames(construct: IConstruct): void {
  const stack = construct.node.scopes.findLast(TerraformStack.isStack)
  if (stack === undefined) return
  const names = namesIn(stack)
  for (const [address, { node }] of names) if (node.scopes.includes(construct)) names.delete(address)
}

/** The same key in another project, or with another provider, is another object. */
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

/** An error removes the construct: a caller that catches the error has an app without it. */
export function allOrNothing<Result>(construct: Construct, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    withdraw(construct)
    throw error
  }
}

/** Removes a construct from its app, with its children and their names. */
export function withdraw(construct: Construct): void {
  freeNames(construct)
  construct.node.scope?.node.tryRemoveChild(construct.node.id)
}

/**
 * The name of a resource in Terraform, from the name of the object: independent of its position in the code,
 * so moving the code changes nothing. A key that is not a valid name in Terraform gets a similar, unique
 * name.
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
  // The name is read when it is written, because it may change until then.
  return index === undefined ? undefined : `\${${declared.fqn}[${index}].${attribute}}`
}

/** The repetition that gives another resource the same number of objects. */
export function repetitionOf({
  forEach,
  count,
}: Declared): Pick<TerraformMetaArguments, 'forEach' | 'count'> {
  return { ...(forEach === undefined ? {} : { forEach }), ...(count === undefined ? {} : { count }) }
}

/** The id of one object; Terraform does not accept an id of a construct with several objects. */
export function idOf(declared: Declared & { readonly id: string }): string {
  requireOne(declared, 'id')
  return declared.id
}

/** The key of one object as a reference, so that Terraform creates the object first. */
export function keyOf(declared: Declared & { readonly key: string }): string {
  requireOne(declared, 'key')
  return declared.key
}

/** The name of one object as a reference. */
export function nameOf(declared: Declared & { readonly name: string }): string {
  requireOne(declared, 'name')
  return declared.name
}

function requireOne(declared: Declared, attribute: string): void {
  if (indexOf(declared) === undefined) return
  const how = declared.forEach === undefined ? 'count' : 'forEach'
  throw new Error(
    `"${declared.node.path.replace(/\/Resource$/, '')}" stands for several objects because of its ${how}, so it has no ${attribute}; use that of one of them: \`\\\${\${flag.resource.fqn}["KEY"].${attribute}}\``,
  )
}

function indexOf({ forEach, count }: Declared): string | undefined {
  if (forEach !== undefined) return 'each.key'
  return count === undefined ? undefined : 'count.index'
}

/** Records when the engine starts to synthesize a construct. Stacks run all aspects before they write. */
export function watchSynthesis(construct: IConstruct): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node === construct) started.add(construct)
    },
  })
}

/** Refuses a late call: policies and checks have already seen the construct, and its text may be written. */
export function requireNotSynthesized(construct: IConstruct, method: string): void {
  if (!started.has(construct)) return
  throw new Error(
    `${method}(...) was called after its stack was synthesized, or after its aspects ran: call it before app.synth()`,
  )
}

const started = new WeakSet<IConstruct>()
