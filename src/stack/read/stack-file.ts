import {
  convert,
  type ExactJson,
  impliedTyped,
  invalid,
  isExactObject,
  isListValue,
} from '../../hcl/index.ts'
import { nounOf } from '../../model/json/json-shape.ts'
import type { Source } from '../../model/problem.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { isOurSource, usualLocalName } from '../../schema/terraform/terraform-names.ts'

export type Body = Readonly<Record<string, ExactJson>>

/** One declaration of a configuration. */
export interface Block {
  readonly is: 'variable' | 'local' | 'output' | 'resource' | 'data' | 'provider' | 'check' | 'module'
  /** `vexil_feature_flag.checkout`, `data.vexil_feature_flag.legacy`, `var.share`, `provider.vexil.eu`, `module.shop`. */
  readonly address: string
  /** For a resource or a data source, its type; for a provider, its local name. */
  readonly type: string
  readonly name: string
  /** The construct that wrote it. */
  readonly path?: string
  /** The live edit setting in its comment. */
  readonly liveEdits?: ExactJson
  /** The hidden values in its comment. */
  readonly sensitive?: ExactJson
  /** The tests of who gets a flag in its comment. */
  readonly tests?: ExactJson
  /** Its place, with its full address, if it is in a module. */
  readonly source?: Source
  readonly origin?: string
  readonly body: Body
}

/** The owner of a file: the stack itself, or a module. */
export interface FileOf {
  /** The prefix of its addresses: `module.shop.`; empty for the stack. */
  readonly prefix: string
  /** The place of a block of a module. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** The name of our provider in the module's other files too; that of this file if left out. */
  readonly localName?: string
}

/** A synthesized stack, or the configuration of a module, split into blocks. */
export interface StackFile {
  /** Its name for our provider. */
  readonly localName: string
  /** Where Terraform keeps this stack's state, for other stacks to find it. */
  readonly statePath?: string
  readonly blocks: readonly Block[]
  readonly imports: readonly Body[]
  readonly moved: readonly Body[]
  readonly removed: readonly Body[]
}

/** The address of a provider's configuration by name and alias: `provider.vexil`, `provider.flags.eu`. */
export function providerAddress(localName: string, alias?: string): string {
  return alias === undefined ? `provider.${localName}` : `provider.${localName}.${alias}`
}

/** The bodies of a block, written as an object or as a list of objects; comments are omitted. */
export function bodiesIn(json: ExactJson | undefined): readonly Body[] {
  return rawBodiesIn(json).map(withoutComment)
}

/** A body with its comments. */
export type RawBody = { [name: string]: ExactJson }

export function rawBodiesIn(json: ExactJson | undefined): readonly RawBody[] {
  if (Array.isArray(json)) return json.flatMap(rawBodiesIn)
  // An object that is not an array has members.
  return json === undefined || !isExactObject(json) ? [] : [json as RawBody]
}

interface NotBody {
  readonly json: ExactJson
  /** The path of names. */
  readonly names: readonly string[]
  readonly message: string
}

/** Values that are no bodies, below a number of labels. Null is no block, except in a list. */
export function notBodiesIn(
  json: ExactJson | undefined,
  labels: number,
  names: readonly string[],
): readonly NotBody[] {
  if (json === undefined || (json === null && labels === 0)) return []
  const parts = isListValue(json) ? json : [json ?? {}]
  const members = parts.flatMap(part => (isExactObject(part) ? Object.entries(part) : []))
  const strange = parts
    .filter(part => !isExactObject(part))
    .map(part => ({
      ...{ json: part, names },
      message: `a block is an object or a list of objects, and this is ${nounOf(part)}`,
    }))
  if (labels === 0 || strange.length > 0) return strange
  if (members.length === 0) return [{ json, names, message: 'a block has to have a name' }]
  return members.flatMap(([name, each]) =>
    name === '//'
      ? [{ json, names, message: 'a comment is in a block, and "//" would be a name here' }]
      : notBodiesIn(each, labels - 1, [...names, name]),
  )
}

export function withoutComment(json: { readonly [name: string]: ExactJson }): Body {
  const { '//': _comment, ...body } = json
  return body
}

/** A switch in a block, which is not evaluated. Throws a refusal for anything but true and false. */
export function switchIn(body: Body, name: string, fallback: boolean): boolean {
  const { [name]: written } = body
  if (written === undefined) return fallback
  const { plain } = convert(impliedTyped(written), 'bool')
  if (typeof plain !== 'boolean') throw invalid(`"${name}" has to be true or false`)
  return plain
}

/** Refuses members that are never read. */
export function requireMembers(body: Body, known: readonly string[]): void {
  const stray = Object.keys(body).find(name => !known.includes(name))
  if (stray !== undefined)
    throw invalid(
      `there is no ${JSON.stringify(stray)} here`,
      meantHint(stray, known, `there are ${known.join(', ')}`),
    )
}

export function blockMembers(json: ExactJson | undefined): Body {
  return isExactObject(json) ? json : {}
}

/**
 * The local name of our provider in a module or in the stack, from `required_providers` in any of its files.
 * A name is valid only within its module.
 */
export function localNameIn(files: readonly ExactJson[]): string {
  const names = ourNamesIn(files.flatMap(file => bodiesIn(blockMembers(file).terraform)))
  // No engine accepts two names; one of them is refused.
  return names.includes(usualLocalName) ? usualLocalName : (names[0] ?? usualLocalName)
}

/** All names that blocks `terraform` give our provider. */
export function ourNamesIn(terraform: readonly Body[]): readonly string[] {
  return terraform
    .flatMap(body => bodiesIn(body.required_providers))
    .flatMap(Object.entries<ExactJson>)
    .flatMap(([name, written]) => (isOurSource(blockMembers(written).source) ? [name] : []))
}

/** Returns the earlier result for a key, or makes it now. After a failure the next call tries again. */
export function once<Key, Result>(made: Map<Key, Result>, key: Key, make: () => Result): Result {
  const before = made.get(key)
  if (before !== undefined) return before
  const result = make()
  made.set(key, result)
  return result
}
