/** The files that expressions may look at: those in the folder of the stack. Paths are relative to it, or absolute. */
export interface Files {
  /** The bytes of a file. Refuses what is not in the folder, is no file, or is too large. */
  read(path: string): Uint8Array
  /** Whether there is a file. Refuses to say so of what is not in the folder, and of folders. */
  exists(path: string): boolean
  /** The files under a folder that fit a pattern, relative to that folder. */
  find(folder: string, pattern: string): readonly string[]
}
