import { expressionOf } from './expression-of.ts'
import { type ExactJson, isExactObject } from './language/json-value.ts'
import { parseTemplate } from './language/parse.ts'
import { Refusal } from './language/refusal.ts'
import { referencesIn } from './language/syntax.ts'
import { type Block, providerAddress } from './stack-file.ts'
import { addressOf } from './stack-scope.ts'

/** What a block needs to be worked out before it: all that it refers to anywhere, as Terraform has it. */
export function needsOf(block: Block): ReadonlySet<string> {
  const { is, body } = block
  const { depends_on: explicit, lifecycle, provider, ...rest } = body
  const needs = new Set([...inJson(rest), ...conditionsOf(lifecycle), ...inDependsOn(explicit)])
  if (is === 'resource' || is === 'data') needs.add(providerOf(provider) ?? '')
  // The checks of a variable may look at the variable itself, and come later.
  if (is === 'variable') return new Set()
  return needs
}

/** The address of the provider's configuration that a resource names; undefined for something that is no name. */
export function providerOf(provider: ExactJson | undefined): string | undefined {
  if (provider === undefined || provider === null) return providerAddress(undefined)
  const [, alias, ...rest] = typeof provider === 'string' ? providerName(provider).split('.') : ['', '', '']
  if (rest.length > 0) return undefined
  return providerAddress(alias)
}

function providerName(text: string): string {
  return text.replace(/^\$\{(.*)\}$/, '$1')
}

function inJson(json: ExactJson): string[] {
  if (Array.isArray(json)) return json.flatMap(inJson)
  if (isExactObject(json))
    return Object.entries(json).flatMap(([name, member]) => [...inText(name), ...inJson(member)])
  return typeof json === 'string' ? inText(json) : []
}

/** A text that cannot be read is told about where it is used. */
function inText(text: string): string[] {
  if (!text.includes('${')) return []
  try {
    return referencesIn(expressionOf(text)).flatMap(names => addressOf(names) ?? [])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** What is checked afterwards may look at the resource itself. */
function conditionsOf(lifecycle: ExactJson | undefined): string[] {
  if (lifecycle === undefined || !isExactObject(lifecycle)) return []
  return inJson(lifecycle.precondition ?? null)
}

function inDependsOn(json: ExactJson | undefined): string[] {
  if (!Array.isArray(json)) return []
  return json.flatMap(each => {
    if (typeof each !== 'string') return []
    try {
      return referencesIn(parseTemplate(each.startsWith('${') ? each : `\${${each}}`)).flatMap(
        names => addressOf(names) ?? [],
      )
    } catch (error) {
      if (error instanceof Refusal) return []
      throw error
    }
  })
}
