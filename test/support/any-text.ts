import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** Any character there is, however rare. Can be taken back to its number, so that what looks dangerous is drawn too. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  number => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count),
  character => {
    if (typeof character !== 'string' || [...character].length !== 1) throw new Error('no character')
    const number = character.codePointAt(0) as number
    return number < surrogates.first ? number : number - surrogates.count
  },
)

/** What `fc.string({ unit: 'binary' })` draws, which takes seconds to be made. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter })
}
