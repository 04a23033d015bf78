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

/** One thing that a configuration declares. */
export interface Block {
  readonly is: 'variable' | 'local' | 'output' | 'resource' | 'data' | 'provider' | 'check' | 'module'
  /** `vexil_feature_flag.checkout`, `data.vexil_feature_flag.legacy`, `var.share`, `provider.vexil.eu`, `module.shop`. */
  readonly address: string
  /** Of a resource or a data source; the local name of a provider. */
  readonly type: string
  readonly name: string
  /** The construct that it comes from. */
  readonly path?: string
  /** What its comment says of changes in the product. */
  readonly liveEdits?: ExactJson
  /** What it says of values that nothing may show. */
  readonly sensitive?: ExactJson
  /** What it says of who has to get what of a flag. */
  readonly tests?: ExactJson
  /** Where it stands, and its whole address, if that is in a module. */
  readonly source?: Source
  readonly origin?: string
  readonly body: Body
}

/** Whose file is read: that of the stack itself, or that of a module. */
export interface FileOf {
  /** What stands before its addresses: `module.shop.`; nothing for the stack. */
  readonly prefix: string
  /** Where a block of a module stands. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** What the other files of the module call our provider too; what this one says when left out. */
  readonly localName?: string
}

/** A synthesized stack, or the configuration of a module, taken apart. */
export interface StackFile {
  /** What it calls our provider. */
  readonly localName: string
  /** What Terraform keeps this stack's state under, for other stacks to find it. */
  readonly statePath?: string
  readonly blocks: readonly Block[]
  readonly imports: readonly Body[]
  readonly moved: readonly Body[]
  readonly removed: readonly Body[]
}

/** The address of a provider's configuration in a module that calls it so: `provider.vexil`, `provider.flags.eu`. */
export function providerAddress(localName: string, alias?: string): string {
  return alias === undefined ? `provider.${localName}` : `provider.${localName}.${alias}`
}

/** The bodies of a block, which is written as an object or as a list of them; comments are left out. */
export function bodiesIn(json: ExactJson | undefined): readonly Body[] {
  return rawBodiesIn(json).map(withoutComment)
}

/** A body with its comments. */
export type RawBody = { [name: string]: ExactJson }

export function rawBodiesIn(json: ExactJson | undefined): readonly RawBody[] {
  if (Array.isArray(json)) return json.flatMap(rawBodiesIn)
  // An object that is no array is one with members.
  return json === undefined || !isExactObject(json) ? [] : [json as RawBody]
}

interface NotBody {
  readonly json: ExactJson
  /** The names that lead there. */
  readonly names: readonly string[]
  readonly message: string
}

/** What stands where a body has to, below so many labels. Null is no block, but for one of a list. */
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
      ? [{ json, names, message: 'a comment stands in a block, and "//" would be a name here' }]
      : notBodiesIn(each, labels - 1, [...names, name]),
  )
}

export function withoutComment(json: { readonly [name: string]: ExactJson }): Body {
  const { '//': _comment, ...body } = json
  return body
}

/** Something that is on or off, as a block says it by itself: it is not worked out. Throws a refusal for anything else. */
export function switchIn(body: Body, name: string, fallback: boolean): boolean {
  const { [name]: written } = body
  if (written === undefined) return fallback
  const { plain } = convert(impliedTyped(written), 'bool')
  if (typeof plain !== 'boolean') throw invalid(`"${name}" has to be true or false`)
  return plain
}

/** Refuses members that nobody would read. */
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
 * What a module, or the stack, calls our provider: its local name by `required_providers`, in whichever file of it that
 * stands. A name holds within its module alone.
 */
export function localNameIn(files: readonly ExactJson[]): string {
  const names = ourNamesIn(files.flatMap(file => bodiesIn(blockMembers(file).terraform)))
  // Of two names, which no engine takes either, one is refused.
  return names.includes(usualLocalName) ? usualLocalName : (names[0] ?? usualLocalName)
}

/** All names that blocks `terraform` give our provider. */
export function ourNamesIn(terraform: readonly Body[]): readonly string[] {
  return terraform
    .flatMap(body => bodiesIn(body.required_providers))
    .flatMap(Object.entries<ExactJson>)
    .flatMap(([name, written]) => (isOurSource(blockMembers(written).source) ? [name] : []))
}

/** What was made for a key before, or is made now. What cannot be made is tried again. */
export function once<Key, Result>(made: Map<Key, Result>, key: Key, make: () => Result): Result {
  const before = made.get(key)
  if (before !== undefined) return before
  const result = make()
  made.set(key, result)
  return result
}
