import childProcess, { type ChildProcess, type ExecFileException, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'

/*
 * To start a process, Node copies the tables of all memory that it has: 4 ms of the processor for each 100 MB, and a
 * worker of these tests has some hundreds. They start twenty thousand processes, most of them git. So `execFile` lets a
 * small process start them, one for each worker; what is run, and what it answers, is the same.
 */

type Options = childProcess.ExecFileOptions & { readonly encoding?: string | null }
type Callback = (error: ExecFileException | null, stdout: string | Buffer, stderr: string | Buffer) => void

interface Ended {
  readonly id: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly error: Partial<ExecFileException> | null
}

const waiting = new Map<number, (ended: Ended) => void>()
let helper: ChildProcess | undefined
let last = 0

function helperOfWorker(): ChildProcess {
  if (helper) return helper
  helper = spawn(process.execPath, [join(import.meta.dirname, 'starter.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  helper.on('message', (ended: Ended) => {
    const end = waiting.get(ended.id)
    waiting.delete(ended.id)
    if (waiting.size === 0) unhold()
    end?.(ended)
  })
  unhold()
  return helper
}

/** Whoever waits for nothing may end. */
function unhold(): void {
  helper?.unref()
  helper?.channel?.unref()
}

function execFile(file: string, ...given: readonly unknown[]): ChildProcess {
  const words = given.find(each => Array.isArray(each)) ?? []
  const options = (given.find(each => typeof each === 'object' && each !== null && !Array.isArray(each)) ??
    {}) as Options
  const callback = given.find(each => typeof each === 'function') as Callback | undefined
  const starter = helperOfWorker()
  const id = ++last
  const child = new EventEmitter() as unknown as ChildProcess
  const written = (is: string) => (bytes: Uint8Array | undefined, done: () => void) => {
    starter.send({ id, is, bytes }, () => done())
  }
  child.stdin = new Writable({
    write: (bytes, _, done) => written('input')(bytes, done),
    final: done => written('end')(undefined, done),
  })
  child.kill = signal => starter.send({ id, is: 'kill', signal })
  const { encoding = 'utf8', env = process.env, cwd = process.cwd(), ...rest } = options
  const text = (bytes: Uint8Array) => {
    const buffer = Buffer.from(bytes)
    return encoding === 'buffer' || encoding === null ? buffer : buffer.toString(encoding as BufferEncoding)
  }
  waiting.set(id, ({ stdout, stderr, error }) => {
    const failure =
      error && Object.assign(new Error(error.message), error, { stdout: text(stdout), stderr: text(stderr) })
    callback?.(failure as ExecFileException | null, text(stdout), text(stderr))
    child.emit('close', error?.code ?? 0, error?.signal ?? null)
  })
  starter.channel?.ref()
  starter.send({ id, is: 'start', file, words, options: { ...rest, env: { ...env }, cwd: String(cwd) } })
  return child
}

Object.assign(execFile, {
  [promisify.custom]: (...given: [string, ...unknown[]]) =>
    new Promise((resolve, reject) => {
      execFile(...given, ((error, stdout, stderr) =>
        error ? reject(error) : resolve({ stdout, stderr })) satisfies Callback)
    }),
})
childProcess.execFile = execFile as unknown as typeof childProcess.execFile
syncBuiltinESMExports()
