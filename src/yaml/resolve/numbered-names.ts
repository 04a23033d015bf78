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

/** The way back: what a cohort or a group type is called in an environment, where it has a name there; the first of several. */
export function nameIn(environment: Numbered, thing: NamedThing, number: number): string | undefined {
  return Object.entries(numbersIn(environment, thing)).find(([, known]) => known === number)?.[0]
}
