import picocolors from 'picocolors'

/** The few colours of this house, each for one meaning. No meaning is carried by colour alone. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly caution: (text: string) => string
  readonly bad: (text: string) => string
}

/** Whether this is one of the codes by which colours are turned on and off here. */
export function isOwnColour(code: string): boolean {
  return ownColours.has(code)
}

export function createStyle(isColourful: boolean): Style {
  const { bold, dim, green, yellow, red } = picocolors.createColors(isColourful)
  return { bold, dim, good: green, caution: yellow, bad: red }
}

// What turns each of the styles above on, and off again.
const ownColours = new Set([1, 2, 22, 31, 32, 33, 39].map(code => `\u001b[${code}m`))
