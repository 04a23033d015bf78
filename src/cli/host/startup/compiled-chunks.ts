import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { type CompiledChunk, type CompiledCode, compiledFile } from './compiled-file.ts'

export interface GivenChunks {
  /** Where the chunks are. */
  readonly folder: string
  /** What commands before have compiled. */
  readonly kept: CompiledCode
  /** What runs. Another command runs other functions. */
  readonly command: string
  /** Loads what is no chunk. */
  readonly require: (name: string) => unknown
}

interface Loaded {
  readonly script: Script
  /** The checksum of the text. */
  readonly checksum: number
  exports: unknown
}

/**
 * The chunks of the program, loaded with what the engine compiled of them before.
 *
 * The engine compiles a function when it is called first. Its own cache (`module.enableCompileCache`) has what was
 * compiled by the time a file was loaded. This one is taken when a command has ended, so it has all that the command ran.
 *
 * | what is kept of a chunk                                | what a command does                                |
 * |--------------------------------------------------------|----------------------------------------------------|
 * | is whole, and the engine takes it                      | runs it                                            |
 * | is not there, or the engine refuses it                 | compiles, and keeps what it compiled               |
 * | comes from other commands alone                        | runs it, and adds to it what it compiled besides   |
 */
export class CompiledChunks {
  readonly #given: GivenChunks
  readonly #loaded = new Map<string, Loaded>()
  #isComplete: boolean

  constructor(given: GivenChunks) {
    this.#given = given
    this.#isComplete = given.kept.commands.includes(given.command)
  }

  load(name: string): unknown {
    const before = this.#loaded.get(name)
    if (before !== undefined) return before.exports
    const filename = join(this.#given.folder, name)
    const loaded = this.#compile(name, filename)
    this.#loaded.set(name, loaded)
    const requireFrom = (asked: string) =>
      asked.startsWith('./') ? this.load(basename(asked)) : this.#given.require(asked)
    loaded.script.runInThisContext()(requireFrom, loaded, filename, this.#given.folder)
    return loaded.exports
  }

  /** Whether this command has compiled what the file should have. */
  hasMore(): boolean {
    return !this.#isComplete
  }

  /** What the file is to hold from now on. */
  toKeep(): Buffer {
    const { command, kept } = this.#given
    const compiled = [...this.#loaded].map(([name, { script, checksum }]): [string, CompiledChunk] => {
      const code = script.createCachedData()
      return [name, { code, checksum: crc32(code, checksum) }]
    })
    return compiledFile({
      commands: [...new Set([...kept.commands, command])],
      chunks: new Map([...kept.chunks, ...compiled]),
    })
  }

  #compile(name: string, filename: string): Loaded {
    const text = readFileSync(filename)
    const checksum = crc32(text)
    const kept = this.#given.kept.chunks.get(name)
    const isWhole = kept !== undefined && crc32(kept.code, checksum) === kept.checksum
    // The build writes ASCII alone, which is read faster as this.
    const script = new Script(
      `(function(require,module,__filename,__dirname){${text.toString('latin1')}\n})`,
      {
        filename,
        cachedData: isWhole ? kept.code : undefined,
      },
    )
    if (!isWhole || script.cachedDataRejected) this.#isComplete = false
    return { script, checksum, exports: {} }
  }
}
