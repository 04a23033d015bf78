import { profiles, type Services } from '../../model/connection.ts'
import { isJsonObject, type Json } from '../../model/json/json.ts'
import { behaviourOf } from '../../services/index.ts'
import { areReadTheSame, checkEngines, withoutRepeats } from './check-engines.ts'
import { checkNewer, onServices } from './check-services.ts'
import { mistakesIn } from './filter-mistakes.ts'
import { type FilterProblem, isGiven, shapeProblem, type Written } from './filter-problem.ts'
import { checkUnreachable } from './unreachable.ts'

/**
 * Every problem in filters: the service refuses or fails on errors; people hardly mean what warnings show.
 * Some name the services that have it. `written` has the numbers as in the source. [service-behaviour 2.5]
 */
export function checkFilters(
  filters: Json,
  written: Written = () => undefined,
  services: Services = profiles,
): FilterProblem[] {
  if (!isGiven(filters)) return []
  if (!isJsonObject(filters)) return [shapeProblem('', 'filters', 'an object')]
  const broken = mistakesIn(filters, written)
  const unreachable = checkUnreachable(filters)
  const isPlain = services.length > 1 && !services.sdks && areReadTheSame(filters)
  const doubtful =
    isPlain && !unreachable
      ? []
      : onServices(services, profile => [
          ...(unreachable?.(behaviourOf(profile)) ?? []),
          ...checkNewer(filters, profile),
          ...checkEngines(filters, profile, services),
        ])
  if (broken.length === 0) return withoutRepeats(doubtful)
  const mistaken = broken.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer)
  // A part with a mistake is checked for its meaning only after the mistake is fixed.
  const isMistaken = ({ pointer }: FilterProblem) => {
    const [part = pointer] = /^\/groups\/\d+\/properties\/\d+/.exec(pointer) ?? []
    return mistaken.some(each => each === part || each.startsWith(`${part}/`))
  }
  // An older service keeps any operator, so live filters may have it.
  const isRefused = services.every(profile => behaviourOf(profile).filter_rules === '2026')
  const found = broken.map(each =>
    isRefused && each.code === 'operator-type' ? { ...each, code: 'operator-refused' } : each,
  )
  return [...found, ...withoutRepeats(doubtful.filter(problem => !isMistaken(problem)))]
}
