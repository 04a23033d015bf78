/**
 * The one text of a decimal number: no zeros that say nothing, an exponent only where the plain form would be long.
 * Two texts are the same number exactly when their canonical texts are the same.
 */
export function canonicalDecimal(text: string): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match ?? []
  if (whole + fraction === '') throw new RangeError(`"${text}" is not a number`)
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = significant.replace(/0+$/, '')
  if (digits === '') return '0'
  const pointAt = significant.length + Number(exponentText) - fraction.length
  if (!Number.isSafeInteger(pointAt)) throw new RangeError(`the exponent of "${text}" is out of range`)
  return `${sign === '-' ? '-' : ''}${place(digits, pointAt)}`
}

/** Beyond these places of the point people count zeros, and get it wrong. */
const [leftmostPoint, rightmostPoint] = [-20, 80]

function place(digits: string, pointAt: number): string {
  if (pointAt < leftmostPoint || pointAt > rightmostPoint) {
    const rest = digits.slice(1)
    return `${digits[0]}${rest && `.${rest}`}e${pointAt - 1}`
  }
  if (pointAt <= 0) return `0.${'0'.repeat(-pointAt)}${digits}`
  if (pointAt >= digits.length) return digits.padEnd(pointAt, '0')
  return `${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`
}
