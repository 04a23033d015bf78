import picocolors from 'picocolors'

/** The few colours of this house, each for one meaning. No meaning is carried by colour alone. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly caution: (text: string) => string
  readonly bad: (text: string) => string
}

export function createStyle(isColourful: boolean): Style {
  const { bold, dim, green, yellow, red } = picocolors.createColors(isColourful)
  return { bold, dim, good: green, caution: yellow, bad: red }
}
