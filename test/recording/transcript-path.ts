import { join } from 'node:path'

/** What a scene is played with; each has a folder of recordings. */
export type Door = 'worlds' | 'terraform'

export function recordedFolder(door: Door): string {
  return join(import.meta.dirname, door)
}

/** Where the recording of a scene is. */
export function transcriptPath(door: Door, name: string): string {
  return join(recordedFolder(door), `${name}.txt`)
}
