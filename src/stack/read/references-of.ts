import { type ExactJson, isExactObject } from '../../cty/encoding/json-value.ts'
import { Refusal } from '../../cty/invalid-value.ts'
import { addressOf } from '../evaluate/stack-scope.ts'
import type { Expressions } from '../language/expression-of.ts'
import { parseTemplate } from '../language/parse-expression.ts'
import { type Expression, referencesIn } from '../language/syntax.ts'
import { type Block, providerAddress } from './stack-file.ts'

/** What a block needs to be worked out before it: all that it refers to anywhere, as Terraform has it. */
export function needsOf(block: Block, expressions: Expressions): ReadonlySet<string> {
  const { is, body } = block
  const { depends_on: explicit, lifecycle, provider, ...rest } = body
  // What is checked afterwards may look at the resource itself.
  const { precondition = null } = lifecycle !== undefined && isExactObject(lifecycle) ? lifecycle : {}
  const texts = [rest, precondition].flatMap(textsIn).filter(text => text.includes('${'))
  const needs = new Set([
    ...texts.flatMap(text => addressesIn(() => expressions.of(text))),
    ...namesIn(explicit).flatMap(name => addressesIn(() => parseTemplate(`\${${withoutBraces(name)}}`))),
  ])
  if (is === 'resource' || is === 'data') needs.add(providerOf(provider) ?? '')
  // The checks of a variable may look at the variable itself, and come later.
  if (is === 'variable') return new Set()
  return needs
}

/** The address of the provider's configuration that a resource names; undefined for something that is no name. */
export function providerOf(provider: ExactJson | undefined): string | undefined {
  if (provider === undefined || provider === null) return providerAddress(undefined)
  const [, alias, ...rest] = typeof provider === 'string' ? withoutBraces(provider).split('.') : ['', '', '']
  if (rest.length > 0) return undefined
  return providerAddress(alias)
}

function textsIn(json: ExactJson): string[] {
  if (Array.isArray(json)) return json.flatMap(textsIn)
  if (isExactObject(json)) return Object.entries(json).flatMap(([name, member]) => [name, ...textsIn(member)])
  return typeof json === 'string' ? [json] : []
}

function namesIn(explicit: ExactJson | undefined): string[] {
  return Array.isArray(explicit) ? explicit.filter(each => typeof each === 'string') : []
}

/** A text that cannot be read is told about where it is used. */
function addressesIn(parse: () => Expression): string[] {
  try {
    return referencesIn(parse()).flatMap(names => addressOf(names) ?? [])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** What stands in `${...}` where that is the whole text; the text itself otherwise. */
export function withoutBraces(text: string): string {
  return text.replace(/^\$\{(.*)\}$/, '$1')
}
