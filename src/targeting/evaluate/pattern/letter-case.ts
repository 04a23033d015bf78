import type { Accepts, Flags } from './node.ts'

/**
 * Small letters that `(?i)` takes for each other although neither is the other's capital: those that share one.
 * [CPython Lib/re/_casefix.py]
 */
const sharedCapitals = (
  'iı sſ µμ \u0345ι\u1fbe \u0390\u1fd3 \u03b0\u1fe3 βϐ εϵ θϑ κϰ πϖ ρϱ ςσ φϕ ' +
  'в\u1c80 д\u1c81 о\u1c82 с\u1c83 т\u1c84\u1c85 ъ\u1c86 ѣ\u1c87 \u1c88\ua64b ṡẛ \ufb05\ufb06'
).split(' ')

const twins: ReadonlyMap<number, readonly number[]> = new Map(
  sharedCapitals.flatMap(letters => {
    const codes = Array.from(letters, codeOf)
    return codes.map(code => [code, codes] as const)
  }),
)

/** No letter beyond has capitals. */
const lastCased = 0x1e943

/** Accepts one code point and, under `(?i)`, those that differ from it in case alone. */
export function acceptOne(wanted: number, flags: Flags): Accepts {
  return flags.i ? acceptRange(wanted, wanted, flags) : code => code === wanted
}

/** Accepts a range of code points and, under `(?i)`, what differs in case alone from one within it. */
export function acceptRange(low: number, high: number, { i, a }: Flags): Accepts {
  const isWithin: Accepts = code => code >= low && code <= high
  if (!i) return isWithin
  const small = new Set<number>()
  for (let code = low; code <= Math.min(high, lastCased); code++)
    for (const twin of twinsOf(lower(code, a), a)) small.add(twin)
  return code => small.has(lower(code, a)) || (code > lastCased && isWithin(code))
}

function twinsOf(small: number, isAscii: boolean): readonly number[] {
  return (isAscii ? undefined : twins.get(small)) ?? [small]
}

/** The small letter of a capital: of each capital one code point, as in Python. */
function lower(code: number, isAscii: boolean): number {
  if (isAscii) return code >= 65 && code <= 90 ? code + 32 : code
  return codeOf(String.fromCodePoint(code).toLowerCase())
}

function codeOf(symbol: string): number {
  return symbol.codePointAt(0) ?? 0
}
