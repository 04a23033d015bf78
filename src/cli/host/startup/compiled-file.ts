import { readFileSync } from 'node:fs'

/** What is kept of a chunk: the bytes of the engine, and the checksum of the chunk's text and of these together. */
export interface CompiledChunk {
  readonly code: Buffer
  readonly checksum: number
}

/** What commands have left for later ones. */
export interface CompiledCode {
  /** The commands whose functions are in it. */
  readonly commands: readonly string[]
  readonly chunks: ReadonlyMap<string, CompiledChunk>
}

export const noCode: CompiledCode = { commands: [], chunks: new Map() }

interface Table {
  readonly commands: readonly string[]
  /** By the name of a chunk: where its bytes begin after the table, how many they are, and their checksum. */
  readonly chunks: Readonly<Record<string, readonly [from: number, length: number, checksum: number]>>
}

/** The engine copies what does not begin at a whole word. */
const alignment = 8

/** A table as JSON after its length, then the bytes of each chunk. Who reads it compares checksums, so that a file which was cut off does no harm. */
export function compiledFile({ commands, chunks }: CompiledCode): Buffer {
  let from = 0
  const entries = [...chunks].map(([name, { code, checksum }]) => {
    const entry = [name, [from, code.length, checksum]] as const
    from = aligned(from + code.length)
    return entry
  })
  const table: Table = { commands, chunks: Object.fromEntries(entries) }
  const head = Buffer.from(`${JSON.stringify(table)}\n`)
  const file = Buffer.alloc(aligned(4 + head.length) + from)
  file.writeUInt32LE(head.length)
  file.set(head, 4)
  for (const [name, [at]] of entries) {
    file.set(chunks.get(name)?.code ?? [], aligned(4 + head.length) + at)
  }
  return file
}

/** What such a file holds; nothing where it is none, or is not there. */
export function readCompiledFile(path: string): CompiledCode {
  try {
    const file = readFileSync(path)
    const end = 4 + file.readUInt32LE()
    const table: Table = JSON.parse(file.toString('utf8', 4, end))
    const codeAt = aligned(end)
    const chunks = Object.entries(table.chunks).map(
      ([name, [from, length, checksum]]) =>
        [name, { code: file.subarray(codeAt + from, codeAt + from + length), checksum }] as const,
    )
    return { commands: [...table.commands], chunks: new Map(chunks) }
  } catch {
    return noCode
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment
}
