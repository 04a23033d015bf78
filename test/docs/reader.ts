import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { aConsumer, type Consumer } from '../support/consumer.ts'
import { vexilCommand } from '../support/resident-program.ts'

/** Where the pages say that the sandbox listens. Here that may be taken, so it is another one. */
const port = '8100'

/** The descriptor under which all that a page starts has the socket that listens there. */
const heldDescriptor = 3

/** Whatever is asked at the terminal is answered with yes. */
const answered = `yes yes | bash -c "$SCRIPT"; exit "\${PIPESTATUS[1]}"`

export interface Finished {
  readonly code: number | null
  readonly output: string
}

/** Somebody who follows a page: in a project with the packed package, at a terminal, answering yes. */
export interface Reader {
  readonly directory: string
  /** Once: what it starts has the port from then on. */
  run(script: string): Promise<Finished>
  leave(): Promise<void>
}

/** What a project has beside the package, so that no registry is asked. */
const modules = ['cdktn', 'constructs', 'tsx', 'typescript', 'vitest', '@types']

export async function aReader(): Promise<Reader> {
  const consumer = await aConsumer(Object.fromEntries(modules.map(name => [name, name])))
  const home = await mkdtemp(join(tmpdir(), 'vexil-home-'))
  const held = await aHeldPort()
  await prepare(consumer, held.port)
  return {
    directory: consumer.directory,
    async run(script) {
      const { PATH = '', SSL_CERT_FILE, HTTPS_PROXY } = process.env
      const passed = Object.entries({ SSL_CERT_FILE, HTTPS_PROXY }).filter(([, value]) => value !== undefined)
      const env = {
        PATH: [join(consumer.directory, 'node_modules/.bin'), PATH].join(delimiter),
        HOME: home,
        ...Object.fromEntries(passed),
        SCRIPT: script.replaceAll(port, String(held.port)),
      }
      const output = await open(join(home, 'output.txt'), 'a+')
      // In a group of its own, to end what a page leaves running.
      const child = spawn('bash', ['-c', answered], {
        cwd: consumer.directory,
        env,
        detached: true,
        stdio: ['ignore', output.fd, output.fd, held.descriptor],
      })
      held.handOver()
      const [code] = await once(child, 'exit')
      endGroup(child.pid)
      await output.close()
      return { code, output: await readFile(join(home, 'output.txt'), 'utf8') }
    },
    async leave() {
      held.handOver()
      await consumer.remove()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The commands as npm would have linked them, and examples that name the port of this reader. */
async function prepare({ directory, write }: Consumer, held: number): Promise<void> {
  const bin = join(directory, 'node_modules/.bin')
  const program = join(directory, 'node_modules/vexil/dist/vexil.cjs')
  await write({ 'package.json': '{ "private": true, "type": "module" }\n' })
  await mkdir(bin)
  await writeFile(join(bin, 'arranged.cjs'), arranged(held))
  const words = ['--require', join(bin, 'arranged.cjs'), program]
  await writeFile(join(bin, 'vexil'), await vexilCommand({ words, answer: 'yes' }))
  // What npx does where the command is installed, in all those processes without the second that npm takes to start.
  await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n')
  for (const command of ['vexil', 'npx']) await chmod(join(bin, command), 0o755)
  await symlink('../tsx/dist/cli.mjs', join(bin, 'tsx'))
  const examples = join(directory, 'node_modules/vexil/examples')
  for (const entry of await readdir(examples, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!/\.(yaml|tf|ts|json)$/.test(entry.name)) continue
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(port, String(held)))
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // All of it has ended by itself.
  }
}

/** What is loaded before the program. */
const arranged = (held: number) => `
// Questions are only asked at a terminal, and there is none.
Object.defineProperty(process.stdin, 'isTTY', { value: true })
// The port is taken: by the socket that this process was given.
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (at, ...more) {
  return listen.call(this, at === ${held} ? { fd: ${heldDescriptor} } : at, ...more)
}
`

interface HeldPort {
  readonly port: number
  readonly descriptor: number
  /** Ends the part of this process in it, which would take connections else. */
  handOver(): void
}

/** A port that nobody else can get, as its socket listens from now on. */
async function aHeldPort(): Promise<HeldPort> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    // Node passes no server on to a process that is none of Node's; the system passes any descriptor.
    descriptor: (server as unknown as { _handle: { fd: number } })._handle.fd,
    handOver: () => void server.close(),
  }
}
