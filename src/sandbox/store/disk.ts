import type { ClassicLevel } from 'classic-level'
import { readJson, writeJson } from '../../model/json/json-text.ts'
import type { Row, RowId } from './rows.ts'

/** A row as it is stored; no row means that it is deleted. */
export interface StoredRow {
  readonly collection: string
  readonly id: RowId
  readonly row: Row | undefined
}

const formatKey = 'format'
const format = '1'

/**
 * A folder with the content of the store. Writes are in order, each complete or not at all. Changes that
 * arrive during a write are combined in the next one.
 */
export class Disk {
  readonly #level: ClassicLevel
  #waiting: StoredRow[] | undefined
  #written: Promise<void> = Promise.resolve()

  private constructor(level: ClassicLevel) {
    this.#level = level
  }

  static async open(folder: string): Promise<Disk> {
    const { ClassicLevel } = await import('classic-level').catch(explainMissing)
    const level = new ClassicLevel(folder)
    try {
      await level.open()
    } catch (error) {
      throw new Error(whyClosed(folder, error), { cause: error })
    }
    const found = await level.get(formatKey)
    if (found !== undefined && found !== format) {
      await level.close()
      throw new Error(`"${folder}" was written by another version of the sandbox; choose another folder`)
    }
    return new Disk(level)
  }

  /** Whether a world was ever written here completely. */
  async isSeeded(): Promise<boolean> {
    return (await this.#level.get(formatKey)) !== undefined
  }

  /** Writes a first world. Until the last write is finished, the folder counts as empty. */
  async seed(rows: readonly StoredRow[]): Promise<void> {
    await this.#level.clear()
    for (let start = 0; start < rows.length; start += 10_000)
      await this.#level.batch(rows.slice(start, start + 10_000).map(operation))
    await this.#level.put(formatKey, format)
  }

  async rows(): Promise<readonly StoredRow[]> {
    const entries = await this.#level.iterator().all()
    return entries.filter(([key]) => key !== formatKey).map(([key, value]) => parseEntry(key, value))
  }

  write(rows: readonly StoredRow[]): void {
    if (this.#waiting) {
      for (const row of rows) this.#waiting.push(row)
      return
    }
    const batch = [...rows]
    this.#waiting = batch
    this.#written = this.#written.then(() => {
      this.#waiting = undefined
      return this.#level.batch(batch.map(operation))
    })
    // Callers that wait get the failure; a failure that nobody waits for must not end the process.
    this.#written.catch(() => undefined)
  }

  /** Resolves when everything so far is stored; rejects for ever after a failed write. */
  settled(): Promise<void> {
    return this.#written
  }

  async close(): Promise<void> {
    await this.#written.catch(() => undefined)
    await this.#level.close()
  }
}

type Operation = { readonly type: 'put'; key: string; value: string } | { readonly type: 'del'; key: string }

function operation({ collection, id, row }: StoredRow): Operation {
  const key = `${collection}/${typeof id === 'number' ? `#${String(id).padStart(12, '0')}` : id}`
  return row ? { type: 'put', key, value: writeJson(row) } : { type: 'del', key }
}

function parseEntry(key: string, value: string): StoredRow {
  // The disk holds only rows.
  const row = readJson(value) as unknown as Row
  return { collection: key.slice(0, key.indexOf('/')), id: row.id, row }
}

/** The database is an optional package: few users need it, and its binaries are a third of an install. */
function explainMissing(error: unknown): never {
  // Node's codes, from `import` and from `require`.
  if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(codeOf(error))) throw error
  const message =
    'to keep what the sandbox holds, install its database beside vexil: npm install -D classic-level'
  throw new Error(message, { cause: error })
}

function whyClosed(folder: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (codeOf(cause) === 'LEVEL_LOCKED')
    return `"${folder}" is in use by another sandbox; stop it or choose another folder`
  return `"${folder}" cannot hold the sandbox: ${cause instanceof Error ? cause.message : String(cause)}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
