import { meantHint } from '../../model/text/did-you-mean.ts'
import { members, type Reader } from './argument.ts'

/** The reader of each property of a construct. The compiler finds a property without one. */
export type Readers<Props> = { readonly [Name in keyof Required<Props>]: Reader<Props[Name]> }

/**
 * Reads the properties of a construct, each with its reader. A missing or undefined one stays out. One
 * without a reader is refused, since it would have no effect. `at` is their path in the code of the app, if
 * they are inside another argument: `lifecycle`, `shares.control`.
 */
export function readArguments<Props extends object>(
  given: Props,
  readers: Readers<Props>,
  what: string,
  at?: string,
): Props {
  const rows = new Map<string, Reader<unknown>>(Object.entries(readers))
  const entries = Object.entries(members(given, at ?? what)).filter(([, value]) => value !== undefined)
  const read = entries.map(([name, value]) => {
    const reader = rows.get(name)
    if (reader === undefined) throw stray(name, [...rows.keys()], what, at)
    return [name, reader(value, at === undefined ? name : `${at}.${name}`)] as const
  })
  // Each has the type of its reader.
  return Object.fromEntries(read) as Props
}

function stray(name: string, known: readonly string[], what: string, at: string | undefined): TypeError {
  return new TypeError(
    `"${at === undefined ? name : `${at}.${name}`}" is no property of ${what}; ${meantHint(name, known, `there are ${known.join(', ')}`)}`,
  )
}
