import { type AttributePath, showPath } from './attribute-path.ts'

/** A value that does not fit its type. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  readonly path: AttributePath

  constructor(path: AttributePath, reason: string) {
    super(path.length === 0 ? reason : `${showPath(path)}: ${reason}`)
    this.path = path
  }
}
