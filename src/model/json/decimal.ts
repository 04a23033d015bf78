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

/** Whether the JavaScript number of a decimal text is that very number, as its shortest text has it: `0.1` is. */
export function isExact(text: string): boolean {
  const near = Number(text)
  // What is so small, or so large, may have an exponent that is out of any range.
  if (near === 0) return !/[1-9]/.test(text.replace(/e.*/i, ''))
  return Number.isFinite(near) && canonicalDecimal(text) === canonicalDecimal(String(near))
}

/**
 * The JavaScript number of a decimal text; undefined where that would be another number, or a whole one so large that
 * it stands for its neighbours as well.
 */
export function exactNumber(text: string): number | undefined {
  const near = Number(text)
  if (Number.isInteger(near) && !Number.isSafeInteger(near)) return undefined
  // There is no minus zero in decimals.
  return isExact(text) ? near || 0 : undefined
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
