/** A step into a value: an attribute's name, an element's index, or an element's key in a map. */
export type PathStep = string | number | { readonly key: string }
/** Where in a value something stands: `['variants', 0, 'key']`. */
export type AttributePath = readonly PathStep[]

/** A path as people read it: `variants[0].key`, `settings["theme"]`. */
export function showPath(path: AttributePath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      if (typeof step === 'object') return `[${JSON.stringify(step.key)}]`
      return index === 0 ? step : `.${step}`
    })
    .join('')
}

/** A value that does not fit its type. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  readonly path: AttributePath

  constructor(path: AttributePath, reason: string) {
    super(path.length === 0 ? reason : `${showPath(path)}: ${reason}`)
    this.path = path
  }
}
