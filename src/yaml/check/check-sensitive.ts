import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { strangeNames } from '../../targeting/check/check-variants.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import { quote } from '../parse/quote.ts'
import { effectiveIn } from '../resolve/effective.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { reporter } from './check-declaration.ts'

/** Names in `sensitive` that no payload has, in each environment: a slip of the keys would show what was to be hidden. */
export function checkSensitive(objects: readonly ObjectDeclaration[], settings: Settings): Problem[] {
  const environments = environmentsOf(settings)
  const found = objects
    .filter(namesPayloads)
    .flatMap(one => environments.flatMap(each => problemsIn(one, each)))
  // What several environments share is told once.
  return [...new Map(found.map(problem => [JSON.stringify(problem), problem])).values()]
}

function namesPayloads({ base, environments }: ObjectDeclaration): boolean {
  return [base, ...environments.values()].some(({ sensitive }) => isJsonArray(sensitive))
}

function problemsIn(declaration: ObjectDeclaration, environment: Environment): Problem[] {
  const { layer, ensure } = effectiveIn(declaration, environment) ?? {}
  const filters = layer?.fields[targetingField(declaration.kind) ?? '']
  if (ensure !== 'present' || !isJsonObject(filters) || !isJsonArray(layer?.sensitive)) return []
  const payloads = isJsonObject(filters.payloads) ? filters.payloads : {}
  const override = environment.name === undefined ? undefined : declaration.environments.get(environment.name)
  const { pointer } = override?.sensitive === undefined ? declaration.base : override
  return strangeNames(layer.sensitive, payloads).map(({ index, name, hint }) =>
    reporter(declaration)(pointer + pointerOf('sensitive', index), {
      code: 'unknown-payload',
      severity: 'error',
      message: `sensitive names ${quote(name)}, which has no payload`,
      hint,
    }),
  )
}
