import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf, makeFolder } from '../model/files.ts'
import type { Json } from '../model/text/json.ts'
import { readJson, writeJson } from '../model/text/json-text.ts'
import { messageOf } from '../model/text/message-of.ts'
import type { Row, RowId } from './rows.ts'

/** A row as it is stored; no row means that it is deleted. */
export interface StoredRow {
  readonly collection: string
  readonly id: RowId
  readonly row: Row | undefined
}

/** The first line of the file. */
const format = '{"format":2}'

/**
 * A folder with the content of the store, in one file. After its first line, each line is one transaction: a
 * list of `[collection, id, row]`, with null for a deleted row. A line without an end was never finished, so
 * it does not count: a killed sandbox keeps each transaction as a whole, or nothing of it.
 */
export class Disk {
  readonly #folder: string
  readonly #path: string
  readonly #lock: Server
  #file: number | undefined
  #size = 0

  private constructor(folder: string, lock: Server) {
    this.#folder = folder
    this.#path = join(folder, 'sandbox.jsonl')
    this.#lock = lock
  }

  static async open(folder: string): Promise<Disk> {
    try {
      await makeFolder(folder)
      const lock = await lockFolder(folder)
      if (lock) return new Disk(folder, lock)
    } catch (error) {
      const why = messageOf(error)
      throw new Error(`"${folder}" cannot store the sandbox: ${why}`, { cause: error })
    }
    throw inUse(folder)
  }

  /** The rows of an earlier sandbox; undefined if there was none. */
  read(): readonly StoredRow[] | undefined {
    if (!existsSync(this.#path)) return undefined
    const [first, ...lines] = readFileSync(this.#path, 'utf8').split('\n')
    if (first !== format)
      throw new Error(
        `"${this.#folder}" was written by another version of the sandbox; choose another folder`,
      )
    const unfinished = Buffer.byteLength(lines.pop() ?? '')
    const rows = new Map<string, StoredRow>()
    let stored = 0
    for (const line of lines) {
      // The file holds only transactions.
      for (const [collection, id, row] of readJson(line) as unknown as [string, RowId, Row | null][]) {
        stored += 1
        if (row) rows.set(`${collection}/${id}`, { collection, id, row })
        else rows.delete(`${collection}/${id}`)
      }
    }
    if (stored > 2 * rows.size) this.write(rows.values())
    else this.#use(unfinished)
    return [...rows.values()]
  }

  /** Replaces the whole content. Until it is written to its end, the earlier one counts. */
  write(rows: Iterable<StoredRow>): void {
    const path = `${this.#path}.new`
    const file = openSync(path, 'w')
    let text = `${format}\n`
    for (const row of rows) {
      text += lineOf([row])
      if (text.length < 1_000_000) continue
      writeFileSync(file, text)
      text = ''
    }
    writeFileSync(file, text)
    closeSync(file)
    renameSync(path, this.#path)
    this.#use()
  }

  #use(unfinished = 0): void {
    this.#file = openSync(this.#path, 'a')
    this.#size = fstatSync(this.#file).size - unfinished
    if (unfinished > 0) ftruncateSync(this.#file, this.#size)
  }

  /** Adds one transaction. If that fails, nothing of it is stored. */
  append(rows: readonly StoredRow[]): void {
    const file = this.#file
    if (file === undefined) throw new Error(`"${this.#folder}" is closed`)
    // Only processes of this machine know the lock.
    if (fstatSync(file).size !== this.#size) throw inUse(this.#folder)
    const line = lineOf(rows)
    try {
      writeFileSync(file, line)
    } catch (error) {
      ftruncateSync(file, this.#size)
      throw error
    }
    this.#size += Buffer.byteLength(line)
  }

  async close(): Promise<void> {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    const closed = once(this.#lock, 'close')
    this.#lock.close()
    await closed
  }
}

function lineOf(rows: readonly StoredRow[]): string {
  // Rows hold only JSON.
  return `${writeJson(rows.map(({ collection, id, row }) => [collection, id, (row ?? null) as Json]))}\n`
}

function inUse(folder: string): Error {
  return new Error(`"${folder}" is in use by another sandbox; stop it or choose another folder`)
}

/**
 * Locks a folder by listening on a socket that is named for it. The system closes the socket of a killed
 * process, and then nothing answers at its name. Undefined if another sandbox has the lock.
 */
async function lockFolder(folder: string): Promise<Server | undefined> {
  const name = `vexil-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)}`
  const path = platform() === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
  for (;;) {
    const server = createServer(socket => socket.destroy())
    try {
      const listening = once(server, 'listening')
      server.listen(path)
      await listening
      return server.unref()
    } catch (error) {
      if (codeOf(error, '') !== 'EADDRINUSE') throw error
    }
    if (await isAnswered(path)) return undefined
    rmSync(path, { force: true })
  }
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
