import { evaluate } from '../../src/hcl/language/evaluate.ts'
import type { Scope } from '../../src/hcl/language/expression.ts'
import { parseHcl } from '../../src/hcl/language/parse-file.ts'
import { type ExactJson, isExactObject } from '../../src/hcl/values/convert.ts'
import { ofText } from '../../src/hcl/values/typed.ts'
import type { ObjectValue } from '../../src/hcl/values/value.ts'
import { expressionOf } from '../../src/stack/expressions.ts'

export interface HclResource {
  readonly type: string
  readonly name: string
  readonly attributes: ObjectValue
  readonly ignored: readonly string[]
  readonly importId?: string
}

/** The resources of a configuration with the values that Vexil's reader works out for them, and how they are imported. */
export function resourcesIn(text: string, scope: Scope): readonly HclResource[] {
  const { resource = [], import: imports = [] } = blocksOf(parseHcl(text).json)
  const ids = new Map(
    imports.map(block => [wordIn(block.to), String(evaluate(expressionOf(block.id ?? null), scope).plain)]),
  )
  return resource.flatMap(byType =>
    Object.entries(byType).flatMap(([type, byName]) =>
      Object.entries(isExactObject(byName) ? byName : {}).map(([name, body]) => {
        const { lifecycle, ...attributes } = isExactObject(body) ? body : {}
        const value = evaluate(expressionOf(attributes), scope).plain
        return {
          type,
          name,
          attributes: value as ObjectValue,
          ignored: ignoredIn(lifecycle),
          ...(ids.has(`${type}.${name}`) ? { importId: ids.get(`${type}.${name}`) } : {}),
        }
      }),
    ),
  )
}

/** What references mean: the value of an attribute of a resource by its address. */
export function scopeOf(find: (address: string) => string): Scope {
  return { find: names => ({ value: ofText(find(names.join('.'))), taken: names.length }) }
}

type Blocks = Readonly<Record<string, readonly Readonly<Record<string, ExactJson>>[]>>

function blocksOf(json: ExactJson): Blocks {
  // What the reader makes of a file has this shape.
  return json as unknown as Blocks
}

function ignoredIn(lifecycle: ExactJson | undefined): readonly string[] {
  const [body] = Array.isArray(lifecycle) ? lifecycle : []
  const names = isExactObject(body ?? null) ? (body as Record<string, ExactJson>).ignore_changes : []
  return Array.isArray(names) ? names.map(wordIn) : []
}

function wordIn(json: ExactJson | undefined): string {
  return String(json).replace(/^\$\{(.*)\}$/s, '$1')
}
