import { isNumber, truncate } from '../../cty/big-float.ts'
import { convert, textOf } from '../../cty/convert.ts'
import { invalid } from '../../cty/invalid-value.ts'
import { attributeType, type Type } from '../../cty/type.ts'
import { elementIn, memberIn, nounOf, type Typed, unknownOf } from '../../cty/typed.ts'
import { Unknown } from '../../cty/unknown.ts'
import { isListValue, isObjectValue } from '../../cty/value.ts'
import type { KnownStep } from './syntax.ts'

/** What is in a value, by its name or by what stands in the brackets. Throws a refusal where there is no such thing. */
export function into(value: Typed, { index, isNamed }: KnownStep): Typed {
  const unknown = [value.plain, index.plain].find(plain => plain instanceof Unknown)
  if (unknown) return unknownOf(typeInside(value, { index, isNamed }), unknown.origin)
  if (isObjectValue(value.plain)) {
    const name = textOf(index.plain)
    const found = name === undefined ? undefined : memberIn(value, name)
    if (found === undefined)
      throw invalid(`there is no member ${JSON.stringify(name ?? null)} in ${nounOf(value)}`)
    return found
  }
  if (isListValue(value.plain) && value.type[0] !== 'set' && !isNamed) {
    const { plain: position } = convert(index, 'number')
    const found =
      isNumber(position) && position.isWhole ? elementIn(value, Number(truncate(position))) : undefined
    if (found === undefined)
      throw invalid(`there is no such element in ${nounOf(value)} of ${value.plain.length}`)
    return found
  }
  throw invalid(
    `${nounOf(value)} has no ${isNamed ? `member ${JSON.stringify(index.plain)}` : 'elements to choose from'}`,
  )
}

/** The type of what is in something that is not known; refused where nothing can be in there. */
function typeInside(value: Typed, { index, isNamed }: KnownStep): Type {
  const { type } = value
  const { plain } = index
  if (type === 'dynamic') return type
  if (typeof type === 'string') throw invalid(`${nounOf(value)} has nothing in it`)
  switch (type[0]) {
    case 'map':
      return type[1]
    case 'object':
      // In brackets, Terraform looks for a member only once the object is known.
      if (!isNamed || typeof plain !== 'string') return 'dynamic'
      if (Object.hasOwn(type[1], plain)) return attributeType(type, plain)
      throw invalid(`there is no member ${JSON.stringify(plain)} in ${nounOf(value)}`)
    case 'list':
    case 'tuple':
      if (isNamed) break
      convert(index, 'number')
      return type[0] === 'list' ? type[1] : 'dynamic'
  }
  throw invalid(`${nounOf(value)} has nothing like that in it`)
}
