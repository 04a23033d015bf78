import { join } from 'node:path'

export const recordedFolder = join(import.meta.dirname, 'worlds')

/** Where the recording of a world is. */
export function transcriptPath(name: string): string {
  return join(recordedFolder, `${name}.txt`)
}
