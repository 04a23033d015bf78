/** A file that is computed and committed or packed: its path in the folder that it belongs to, and its text. */
export interface EmittedFile {
  readonly path: string
  readonly text: string
}
