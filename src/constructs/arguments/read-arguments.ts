import { meantHint } from '../../model/text/did-you-mean.ts'
import { members, type Reader } from './argument.ts'

/** How each property of a construct is read. The compiler finds a property that has no row. */
export type Readers<Props> = { readonly [Name in keyof Required<Props>]: Reader<Props[Name]> }

/**
 * The properties of a construct, each read as its row says. One that is left out, or undefined, stays out; one that has
 * no row is refused, since nobody would do anything with it. `at` is where they stand in what somebody wrote, when that
 * is inside of another argument: `lifecycle`, `shares.control`.
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
  // Each is of the type that its reader gives.
  return Object.fromEntries(read) as Props
}

function stray(name: string, known: readonly string[], what: string, at: string | undefined): TypeError {
  return new TypeError(
    `"${at === undefined ? name : `${at}.${name}`}" is no property of ${what}; ${meantHint(name, known, `there are ${known.join(', ')}`)}`,
  )
}
