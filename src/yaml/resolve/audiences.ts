import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { targetingField } from '../../model/kind.ts'
import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import type { SharedAudience } from '../../targeting/short/short-context.ts'
import type { Layer, ObjectDeclaration } from '../declaration.ts'
import type { Environment } from '../settings.ts'
import { expandLayer, type LayerContext } from './expand-layer.ts'
import { numberIn } from './numbered-names.ts'

/** So many audiences may build on each other in a row. */
export const mostChained = 100

/** The audiences of all files of a repository. */
export class Audiences {
  readonly declared: readonly ObjectDeclaration[]
  readonly #byName: ReadonlyMap<string, ObjectDeclaration>
  /** Whether a name may mean something else in some environment. */
  readonly vary: boolean
  readonly #environments: readonly Environment[]
  readonly #contexts = new Map<string | undefined, LayerContext>()
  readonly #suggestions: Suggestions

  constructor(declared: readonly ObjectDeclaration[], environments: readonly Environment[]) {
    this.declared = declared
    this.#environments = environments
    this.vary =
      declared.some(one => one.environments.size > 0) ||
      environments.some(one => !isSameJson(numbersOf(one), numbersOf(environments[0] ?? one)))
    // Of several with one name, which is a problem, the first counts.
    this.#byName = new Map([...declared].reverse().map(one => [one.identity, one]))
    this.#suggestions = new Suggestions([...this.#byName.keys()])
  }

  get(name: string): ObjectDeclaration | undefined {
    return this.#byName.get(name)
  }

  /** What names mean in an environment; in one that is not known, none means anything. */
  contextIn(environment: string | undefined): LayerContext {
    const known = this.#contexts.get(environment)
    if (known) return known
    const made = this.#newContext(environment)
    this.#contexts.set(environment, made)
    return made
  }

  #newContext(environment: string | undefined): LayerContext {
    const found = new Map<string, Found>()
    const open = new Set<string>()
    const find = (name: string): Found | undefined => {
      const known = found.get(name)
      if (known) return known
      const declaration = this.#byName.get(name)
      if (!declaration) return undefined
      // Those that lead back to themselves, or on without end, are told by a check of their own.
      if (open.has(name) || open.size >= mostChained) return { shared: broken }
      open.add(name)
      const layer = expandAudience(declaration, environment, context)
      open.delete(name)
      const made = { shared: sharedBy(name, layer), layer, declaration }
      found.set(name, made)
      return made
    }
    const numbers = this.#environments.find(({ name }) => name === environment)
    const context: LayerContext = {
      numberOf: (thing, name) => numbers && numberIn(numbers, thing, name),
      audience: name => find(name)?.shared,
      audienceHint: name => this.#hint(name),
      placeIn: (name, inside) => {
        const { layer, declaration } = find(name) ?? {}
        if (!layer?.expanded || !declaration) return undefined
        const further = layer.expanded.sharedAt(inside)
        return further ?? { file: declaration.file, pointer: layer.expanded.placeOf(inside) }
      },
    }
    return context
  }

  #hint(name: string): string {
    const names = [...this.#byName.keys()]
    const listed =
      names.length === 0
        ? 'declare it under "audiences", in any file'
        : `there are: ${listSome(names, 'and')}; declare it under "audiences", in any file`
    return this.#suggestions.hint(name, listed)
  }
}

function numbersOf({ cohorts, groupTypes }: Environment): JsonObject {
  return { cohorts, groupTypes }
}

interface Found {
  readonly shared: SharedAudience
  readonly layer?: Layer
  readonly declaration?: ObjectDeclaration
}

const broken: SharedAudience = { properties: [], parts: [], groupType: null, isBroken: true }

function expandAudience(
  { kind, base, environments }: ObjectDeclaration,
  environment: string | undefined,
  context: LayerContext,
): Layer {
  const layer = (environment === undefined ? undefined : environments.get(environment)) ?? base
  return expandLayer({ field: targetingField(kind) ?? '', base, layer, isMixed: false }, context)
}

function sharedBy(name: string, { fields, expanded }: Layer): SharedAudience {
  if (!expanded || expanded.isBroken) return broken
  const filters = fields[expanded.field] ?? null
  const properties = propertiesIn(filters)
  // An audience of nothing would be one of everybody.
  if (properties.length === 0) return broken
  const groupType = isJsonObject(filters) ? (filters.aggregation_group_type_index ?? null) : null
  const [base] = expanded.audiences
  const own = properties.length - (base?.properties ?? 0)
  const parts = [...(base?.parts ?? []), ...(own > 0 ? [{ audience: name, properties: own }] : [])]
  return { properties, parts, groupType, isBroken: false }
}

/** The properties of the one condition that an audience is. */
export function propertiesIn(filters: Json): readonly Json[] {
  const groups = isJsonObject(filters) ? (filters.groups ?? null) : null
  const [condition = null] = isJsonArray(groups) ? groups : []
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  return isJsonArray(properties) ? properties : []
}
