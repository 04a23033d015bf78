import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'
import { type FilterProblem, filterError } from '../../targeting/check/filter-problem.ts'
import type { NamedThing, UsedName } from '../../targeting/short/short-context.ts'
import { quote } from '../parse/quote.ts'
import type { Environment } from '../settings.ts'
import { numbersIn } from './numbered-names.ts'

/** What is said of names of cohorts and group types that an environment in which they are used does not know. */
export class UnknownNames {
  readonly #environments: readonly Environment[]
  readonly #hints = new Map<string, (name: string) => string>()

  constructor(environments: readonly Environment[]) {
    this.#environments = environments
  }

  /** A problem for a name that is not known in some environments, by their names. */
  problem({ thing, name, pointer }: UsedName, lacking: ReadonlySet<string | undefined>): FilterProblem {
    const without = this.#environments.filter(environment => lacking.has(environment.name))
    const isEverywhere = without.length === this.#environments.length
    const names = without.flatMap(environment => environment.name ?? [])
    const where = isEverywhere || names.length === 0 ? '' : ` of ${listSome(names, 'and')}`
    return filterError(
      pointer,
      thing === 'cohort' ? 'unknown-cohort' : 'unknown-group-type',
      `${quote(name)} is not a ${thing}${where}`,
      without[0] && this.#hintsIn(without[0], thing)(name),
    )
  }

  #hintsIn(environment: Environment, thing: NamedThing): (name: string) => string {
    const key = `${thing} ${environment.name}`
    const known = this.#hints.get(key)
    if (known) return known
    const names = Object.keys(numbersIn(environment, thing))
    const suggestions = new Suggestions(names)
    const listed =
      names.length === 0 ? `vexil.yaml names no ${thing}s` : `there are: ${listSome(names, 'and')}`
    const number = thing === 'cohort' ? 'its number works too' : 'its number works too, as group_type_index'
    const made = (name: string) => suggestions.hint(name, `${listed}; ${number}`)
    this.#hints.set(key, made)
    return made
  }
}
