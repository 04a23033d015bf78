import { isNumberText } from '../../targeting/short/expand-properties.ts'
import type { Naming } from '../../targeting/short/naming.ts'
import type { NamedThing } from '../../targeting/short/short-context.ts'
import type { Environment } from '../settings.ts'

/** What has a number in the service and a name in the settings. */
type Numbered = Pick<Environment, 'cohorts' | 'groupTypes'>

/** The names of the cohorts or the group types of an environment, with their numbers. */
export function numbersIn(
  { cohorts, groupTypes }: Numbered,
  thing: NamedThing,
): Readonly<Record<string, number>> {
  return thing === 'cohort' ? cohorts : groupTypes
}

/** The number of a name in an environment; undefined for one that it does not know. */
export function numberIn(environment: Numbered, thing: NamedThing, name: string): number | undefined {
  const numbers = numbersIn(environment, thing)
  return Object.hasOwn(numbers, name) ? numbers[name] : undefined
}

export interface NamingOptions {
  /** Environments for which the same is written; their numbers are their own. */
  readonly others?: readonly Numbered[]
  /** A name that one of them lacks is not written; where it is, it only goes after those that all of them have. */
  readonly isForAll?: boolean
}

/**
 * What cohorts and group types are called in an environment; of several names for one number the first. Undefined where
 * nothing has a name.
 */
export function namingIn(
  environment: Numbered,
  { others = [], isForAll = false }: NamingOptions = {},
): Naming | undefined {
  if (Object.keys(environment.cohorts).length + Object.keys(environment.groupTypes).length === 0)
    return undefined
  return {
    numberOf: (thing, name) => numberIn(environment, thing, name),
    nameOf: (thing, number) => {
      const names = namesIn(environment, thing, number)
      const ofAll = names.find(name => others.every(other => numberIn(other, thing, name) !== undefined))
      return ofAll ?? (isForAll ? undefined : names[0])
    },
  }
}

/** Its names, but for those that a declaration takes for numbers. */
function namesIn(environment: Numbered, thing: NamedThing, number: number): readonly string[] {
  return Object.entries(numbersIn(environment, thing)).flatMap(([name, known]) =>
    known === number && name !== '' && !isNumberText(name) ? [name] : [],
  )
}
