import { type Profile, profiles } from '../model/connection.ts'
import { type Difference, differences, type evaluation, type ValueOf, valueIn } from './differences.ts'

export { type Difference, differences, evaluation, valueIn } from './differences.ts'

export type DifferenceName = keyof typeof differences

/** What one service does, in every behaviour. */
export type Behaviour = { readonly [Name in DifferenceName]: ValueOf<(typeof differences)[Name]> }

/** The behaviours by which flags are evaluated. */
export type EvaluationBehaviour = Pick<Behaviour, keyof typeof evaluation>

const behaviours = Object.fromEntries(profiles.map(profile => [profile, readBehaviour(profile)]))

export function behaviourOf(profile: Profile): Behaviour {
  return behaviours[profile] ?? readBehaviour(profile)
}

function readBehaviour(profile: Profile): Behaviour {
  const values = Object.entries(differences).map(([name, row]) => [name, valueIn(row, profile)])
  // One value of the right type per row of the table.
  return Object.fromEntries(values) as Behaviour
}

/** Whether a profile's value in one behaviour is uncertain, so that every value must be considered. */
export function isOpen(name: string, profile: Profile): boolean {
  return rowNamed(name)?.certainty !== undefined && profile === profiles.at(-1)
}

/** The profiles with this value in one behaviour. */
export function profilesWith(name: string, value: string): readonly Profile[] {
  const row = rowNamed(name)
  return row ? profiles.filter(profile => valueIn(row, profile) === value) : []
}

/** The value of each profile in one behaviour. */
export function valuesOf<Name extends DifferenceName>(
  name: Name,
): Readonly<Record<Profile, Behaviour[Name]>> {
  // Each value is of the row's type.
  return valuesIn(differences[name]) as Record<Profile, Behaviour[Name]>
}

/** The value of each profile in a row. */
export function valuesIn(row: Difference): Readonly<Record<Profile, string | number | boolean>> {
  const values = profiles.map(profile => [profile, valueIn(row, profile)])
  // Every profile has a value.
  return Object.fromEntries(values) as Record<Profile, string | number | boolean>
}

function rowNamed(name: string): Difference | undefined {
  return Object.entries<Difference>(differences).find(([known]) => known === name)?.[1]
}
