import { once } from 'node:events'
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { execPath, platform, versions } from 'node:process'
import { systemUser } from '../../src/cli/host/processes.ts'
import { runCommandLine } from '../../src/cli/program.ts'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { isFull } from '../suites.ts'
import { processes } from './processes.ts'

/*
 * Most of the time of a short command is the start of Node and the loading of the program. Scripts with many commands
 * have a `vexil` that is loaded once, in this process:
 *
 *     script ── vexil (a few lines of bash) ── "my process has this id" ──> this process
 *                 │                                                          │ reads its words, environment and folder,
 *                 └── ends in <───────────── the exit code ──────────────────┘ and writes to its streams, by /proc
 *
 * So it is where the system has /proc. In `test:full`, each command is a process of the built program.
 */

/** The built program, and what its commands are given. */
export interface ProgramOptions {
  /** What Node is given to start it. */
  readonly words: readonly string[]
  /** Whatever it asks at the terminal is answered so; nobody is there without it. */
  readonly answer?: string
}

/** The text of a command `vexil` for a folder of the PATH. */
export async function vexilCommand({ words, answer = '' }: ProgramOptions): Promise<string> {
  const start = `exec ${[execPath, ...words].map(word => `"${word}"`).join(' ')} "$@"`
  if (isFull() || platform !== 'linux') return `#!/bin/sh\n${start}\n`
  return `#!/usr/bin/env bash
# What stays until it is killed is a process of its own.
case "$1 $2" in
  'sandbox quirks') ;;
  sandbox\\ * | 'terraform serve') ${start} ;;
esac
# Nobody else can open a socket, which is what Node gives to its children.
if [ -S /dev/fd/0 ]; then ${start}; fi
if [ -S /dev/fd/1 ]; then exec > >(cat); fi
if [ -S /dev/fd/2 ]; then exec 2> >(cat >&2); fi
# Under other numbers, since bash has the connection in their place while it writes and reads there.
exec {stdin}<&0 {stdout}>&1 {stderr}>&2 {resident}<> /dev/tcp/127.0.0.1/${await residentPort()}
echo "$$ $stdin $stdout $stderr ${answer}" >&"$resident"
read -r code <&"$resident"
exit "\${code:-1}"
`
}

let port: Promise<number> | undefined

function residentPort(): Promise<number> {
  port ??= listen()
  return port
}

async function listen(): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.once('data', line => {
      const [id = '', stdin, stdout, stderr, ...answer] = String(line).trimEnd().split(' ')
      run({ id, streams: [stdin, stdout, stderr], answer: answer.join(' ') }, socket).then(
        code => socket.end(`${code}\n`),
        error => socket.destroy(error),
      )
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

interface Asked {
  /** Of the process that was asked. */
  readonly id: string
  /** The descriptors of its standard input, output and error. */
  readonly streams: readonly (string | undefined)[]
  readonly answer: string
}

/** Runs what a process was asked, as `main.ts` would in that process. */
async function run({ id, streams, answer }: Asked, caller: Socket): Promise<number> {
  const [stdin = '', ...outputs] = streams.map(each => `/proc/${id}/fd/${each}`)
  const [stdout = nowhere, stderr = nowhere] = outputs.map(outputOf)
  const [, , ...words] = await partsOf(`/proc/${id}/cmdline`)
  const variables = await partsOf(`/proc/${id}/environ`)
  const env = variables.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)])
  const userName = systemUser()
  try {
    return await runCommandLine({
      arguments: words,
      env: Object.fromEntries(env),
      directory: await readlink(`/proc/${id}/cwd`),
      engine: `Node.js ${versions.node} on ${platform}`,
      ...(userName === undefined ? {} : { userName }),
      stdout,
      stderr,
      ask: answer === '' ? undefined : async () => answer,
      readStdin: () => readFile(stdin),
      runtime: realRuntime,
      processes,
      signalGroup: (group, signal) => void process.kill(-group, signal),
      onInterrupt(listener) {
        const tell = () => listener('SIGTERM')
        caller.once('close', tell)
        return () => caller.off('close', tell)
      },
    })
  } finally {
    await stdout.close()
    await stderr.close()
  }
}

/** The texts in a file of /proc, each with a NUL behind it. */
async function partsOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\0').slice(0, -1)
}

interface ClosedOutput {
  write(text: string): void
  readonly isTerminal: false
  /** Once all of it is written. */
  close(): Promise<void>
}

const nowhere: ClosedOutput = { write() {}, isTerminal: false, close: async () => {} }

/** A stream of another process. What nobody reads any more is written nowhere. */
function outputOf(path: string): ClosedOutput {
  const opened = open(path)
  if (opened === undefined) return nowhere
  if (!fstatSync(opened).isFIFO())
    return {
      write: text => void writeSync(opened, text),
      isTerminal: false,
      close: async () => closeSync(opened),
    }
  const pipe = new Socket({ fd: opened, readable: false, writable: true })
  pipe.on('error', () => {})
  return {
    write: text => void pipe.write(text),
    isTerminal: false,
    close: () => new Promise(resolve => pipe.once('close', () => resolve()).end()),
  }
}

/** To write behind what is there. A pipe without a reader is no error, and nothing to wait for. */
function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return undefined
    throw error
  }
}
