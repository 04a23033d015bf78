import type { Profile } from '../model/connection.ts'
import {
  type Behaviour,
  behaviourOf,
  type Difference,
  type DifferenceName,
  differences,
} from '../services/differences.ts'
import { suggestion } from './faults.ts'

export type Quirk = Difference
export const quirkTable = differences

/** Each behaviour in which services differ can be set separately in the sandbox. */
export type QuirkName = DifferenceName

export type Quirks = Behaviour

export function quirksOf(profile: Profile, changed: Partial<Quirks> = {}): Quirks {
  return { ...behaviourOf(profile), ...changed }
}

/** Reads `name=value`. A switch without a value is on. Throws a RangeError with the valid values. */
export function parseQuirk(text: string): Partial<Quirks> {
  const [, name = '', , value] = /^([^=]*)(=(.*))?$/s.exec(text.trim()) ?? []
  const quirk = quirkNamed(name)
  if (!quirk) throw new RangeError(`"${name}" is not a quirk${suggestion(name, Object.keys(quirkTable))}`)
  // The name is in the table and the value has the type of that row.
  return { [name]: parseValue(name, quirk, value) } as Partial<Quirks>
}

function quirkNamed(name: string): Quirk | undefined {
  return Object.entries<Quirk>(quirkTable).find(([candidate]) => candidate === name)?.[1]
}

function parseValue(name: string, quirk: Quirk, value: string | undefined): boolean | number | string {
  switch (quirk.type) {
    case 'switch': {
      if (value === undefined || value === 'true' || value === 'on') return true
      if (value === 'false' || value === 'off') return false
      throw new RangeError(`quirk "${name}" is a boolean: "${value}" is neither "true" nor "false"`)
    }
    case 'number': {
      if (value !== undefined && /^\d{1,9}$/.test(value)) return Number(value)
      throw new RangeError(`quirk "${name}" requires a whole number, not "${value ?? ''}"`)
    }
    case 'choice': {
      if (value !== undefined && quirk.of.includes(value)) return value
      const choices = quirk.of.map(choice => `"${choice}"`).join(', ')
      throw new RangeError(
        `quirk "${name}" requires one of ${choices}, not "${value ?? ''}"${suggestion(value ?? '', quirk.of)}`,
      )
    }
  }
}
