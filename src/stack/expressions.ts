import { isMarkedNumber, lostPartOf } from '../constructs/engine/engine-marks.ts'
import {
  type ExactJson,
  type Expression,
  impliedTyped,
  invalid,
  isExactObject,
  isNumber,
  namesOf,
  parseExpression,
  parseTemplate,
  type Reference,
  Refusal,
  referencesIn,
} from '../hcl/index.ts'
import { isTemplate } from '../hcl/literal-template.ts'
import { usualLocalName } from '../schema/terraform/terraform-names.ts'
import { type Block, type Body, once, providerAddress } from './stack-file.ts'

/** A value of a configuration as an expression: its texts and member names are templates. */
export function expressionOf(json: ExactJson): Expression {
  if (isPlain(json)) return { is: 'literal', value: impliedTyped(json) }
  if (typeof json === 'string') return parseTemplate(json)
  if (Array.isArray(json)) return { is: 'tuple', elements: json.map(expressionOf) }
  if (!isExactObject(json)) return { is: 'literal', value: impliedTyped(json) }
  return {
    is: 'object',
    members: Object.entries(json).map(([name, member]) => [parseTemplate(name), expressionOf(member)]),
  }
}

/** The expressions of one stack, each parsed once, for its references and for the values of all instances. */
export class Expressions {
  readonly #parsed = new Map<ExactJson, Expression>()

  of(json: ExactJson): Expression {
    return once(this.#parsed, json, () => expressionOf(json))
  }
}

/** Whether a value has nothing to evaluate. Placeholders that an engine did not replace are refused. */
function isPlain(json: ExactJson): boolean {
  if (typeof json === 'string') return isPlainText(json)
  if (isNumber(json)) {
    return !isMarkedNumber(json.toNumber()) || isPlainText(String(json.toNumber()))
  }
  if (typeof json !== 'object' || json === null) return true
  let areAll = true
  if (Array.isArray(json)) for (const element of json) areAll = isPlain(element) && areAll
  else if (isExactObject(json))
    for (const name of Object.keys(json)) {
      const isName = isPlainText(name)
      areAll = isPlain(json[name] ?? null) && isName && areAll
    }
  return areAll
}

function isPlainText(text: string): boolean {
  const lost = lostPartOf(text)
  if (lost !== undefined) throw invalid(lost.message, lost.remedy)
  return !isTemplate(text)
}

/** Everything that a block refers to, as in Terraform: it is evaluated before the block. */
export function needsOf({ is, body }: Block, expressions: Expressions): readonly string[] {
  const { depends_on: _explicit, lifecycle, provider: _provider, ...rest } = body
  // The checks of a variable may refer to the variable itself, so they come later.
  if (is === 'variable') return []
  if (is === 'module') return [body.count, body.for_each].flatMap(each => referencesOf(each, expressions))
  // Later checks may refer to the resource itself.
  const { precondition } = lifecycle !== undefined && isExactObject(lifecycle) ? lifecycle : {}
  return [rest, precondition].flatMap(each => referencesOf(each, expressions))
}

export function referencesOf(
  json: ExactJson | Body | undefined,
  expressions: Expressions,
): readonly string[] {
  return templatesIn(json).flatMap(text => addressesIn(() => expressions.of(text)))
}

/** The `depends_on` of a block. */
export function explicitNeedsOf({ body }: Block): readonly string[] {
  return namesIn(body.depends_on).flatMap(name => addressesIn(() => parseExpression(name)))
}

/**
 * The address of the configuration of our provider that a resource uses, in a module with the local name
 * `localName`; undefined for another provider, and for an invalid name. By default, as in Terraform, a
 * resource uses the configuration whose name is the first word of its type.
 */
export function providerOf(provider: ExactJson | undefined, localName: string): string | undefined {
  const written = provider === undefined ? usualLocalName : provider
  const [name, alias, ...rest] = typeof written === 'string' ? written.trim().split('.') : []
  return name === localName && rest.length === 0 ? providerAddress(localName, alias) : undefined
}

export function templatesIn(json: ExactJson | Body | undefined, found: string[] = []): string[] {
  if (typeof json === 'string') {
    if (isTemplate(json)) found.push(json)
  } else if (Array.isArray(json)) for (const element of json) templatesIn(element, found)
  else if (isExactObject(json))
    for (const name of Object.keys(json)) {
      if (isTemplate(name)) found.push(name)
      templatesIn(json[name], found)
    }
  return found
}

function namesIn(explicit: ExactJson | undefined): string[] {
  return Array.isArray(explicit) ? explicit.filter(each => typeof each === 'string') : []
}

/** The block that uses an unreadable text reports it. */
function addressesIn(parse: () => Expression): string[] {
  try {
    return referencesIn(parse()).flatMap(({ root, steps }) => addressIn(namesOf(root, steps))?.address ?? [])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** A text as an address; undefined for anything else. Throws a refusal for a template, as engines do. */
export function referenceIn(json: ExactJson | undefined): Reference | undefined {
  if (typeof json !== 'string') return undefined
  if (isTemplate(json)) throw invalid(`${JSON.stringify(json)} is a template`, 'write only the address')
  const parsed = parseExpression(json)
  return parsed.is === 'reference' ? parsed : undefined
}

/** The subject of a reference, and the number of names that identify it. */
export interface Addressed {
  readonly address: string
  readonly taken: number
}

/** The subject of a reference; undefined if a configuration cannot declare it. */
export function addressIn(names: readonly string[]): Addressed | undefined {
  const [root = '', ...inside] = names
  // Terraform accepts this prefix for a resource whose type could be confused with another name.
  if (root === 'resource') {
    const named = isResourceType(inside[0] ?? '') ? addressIn(inside) : undefined
    return named && { ...named, taken: named.taken + 1 }
  }
  const count = namesTaken(names)
  if (count === undefined || names.length < count) return undefined
  return { address: names.slice(0, count).join('.'), taken: count }
}

function namesTaken([root = '', _name, output]: readonly string[]): number | undefined {
  if (root === 'module') return output === undefined ? 2 : 3
  if (root === 'data') return 3
  return root === 'var' || root === 'local' || isResourceType(root) ? 2 : undefined
}

function isResourceType(root: string): boolean {
  return root.includes('_')
}
