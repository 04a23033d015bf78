import type { Exportable } from '../../core/exportable.ts'

/** `vexil export`. */
export interface ExportDocument {
  readonly is: 'export'
  readonly exitCode: number
  /** Each with its environment, where there are several. */
  readonly objects: readonly (Exportable & { readonly environment?: string })[]
  /** The same as declarations, and what is to be known of them: a line each. Give a getter: not every format asks. */
  readonly declarations: {
    /** Everything as one text; undefined where it was written to files. */
    readonly yaml?: string
    /** The paths of those files. */
    readonly written: readonly string[]
    readonly notes: readonly string[]
  }
}
