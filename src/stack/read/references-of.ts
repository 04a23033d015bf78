import {
  type ExactJson,
  type Expression,
  invalid,
  isExactObject,
  namesOf,
  parseExpression,
  type Reference,
  Refusal,
  referencesIn,
} from '../../hcl/index.ts'

import { isTemplate } from '../../hcl/literal-template.ts'
import { usualLocalName } from '../../schema/terraform/terraform-names.ts'
import { addressOf } from '../evaluate/stack-scope.ts'
import type { Expressions } from './expression-of.ts'
import { type Block, type Body, providerAddress } from './stack-file.ts'

/** Everything that a block refers to, as in Terraform: it has to be evaluated before the block. */
export function needsOf({ is, body }: Block, expressions: Expressions): readonly string[] {
  const { depends_on: _explicit, lifecycle, provider: _provider, ...rest } = body
  // The checks of a variable may refer to the variable itself, and come later.
  if (is === 'variable') return []
  if (is === 'module') return [body.count, body.for_each].flatMap(each => referencesOf(each, expressions))
  // Later checks may refer to the resource itself.
  const { precondition } = lifecycle !== undefined && isExactObject(lifecycle) ? lifecycle : {}
  return [rest, precondition].flatMap(each => referencesOf(each, expressions))
}

/** The references in the texts of a value. */
export function referencesOf(
  json: ExactJson | Body | undefined,
  expressions: Expressions,
): readonly string[] {
  return textsIn(json)
    .filter(isTemplate)
    .flatMap(text => addressesIn(() => expressions.of(text)))
}

/** The `depends_on` of a block. */
export function explicitNeedsOf({ body }: Block): readonly string[] {
  return namesIn(body.depends_on).flatMap(name => addressesIn(() => parseExpression(name)))
}

/**
 * The address of the configuration of our provider that a resource uses, in a module that calls it
 * `localName`; undefined for another provider, and for an invalid name. By default, a resource uses the
 * configuration named by the first word of its type, as in Terraform.
 */
export function providerOf(provider: ExactJson | undefined, localName: string): string | undefined {
  const written = provider === undefined ? usualLocalName : provider
  const [name, alias, ...rest] = typeof written === 'string' ? written.trim().split('.') : []
  return name === localName && rest.length === 0 ? providerAddress(localName, alias) : undefined
}

function textsIn(json: ExactJson | Body | undefined): string[] {
  if (Array.isArray(json)) return json.flatMap(textsIn)
  if (isExactObject(json)) return Object.entries(json).flatMap(([name, member]) => [name, ...textsIn(member)])
  return typeof json === 'string' ? [json] : []
}

function namesIn(explicit: ExactJson | undefined): string[] {
  return Array.isArray(explicit) ? explicit.filter(each => typeof each === 'string') : []
}

/** An unreadable text is reported by the block that uses it. */
function addressesIn(parse: () => Expression): string[] {
  try {
    return referencesIn(parse()).flatMap(({ root, steps }) => addressOf(namesOf(root, steps)) ?? [])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** A text as an address; undefined for anything else. Throws a refusal for a template, as engines do. */
export function referenceIn(json: ExactJson | undefined): Reference | undefined {
  if (typeof json !== 'string') return undefined
  if (isTemplate(json)) throw invalid(`${JSON.stringify(json)} is a template`, 'write the address alone')
  const parsed = parseExpression(json)
  return parsed.is === 'reference' ? parsed : undefined
}
