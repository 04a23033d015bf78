import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { aConsumer, type Consumer } from '../support/consumer.ts'

/** Where the examples say that the sandbox listens. Here that may be taken, so it is another one. */
const port = '8100'

/** Whatever is asked at the terminal is answered with yes. */
const answered = `yes yes | bash -c "$SCRIPT"; exit "\${PIPESTATUS[1]}"`

const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']

export interface Told {
  readonly code: number | null
  readonly output: string
}

/** Somebody who follows a page: in a project with the packed package, at a terminal, answering yes. */
export interface Reader {
  readonly directory: string
  run(script: string): Promise<Told>
  leave(): Promise<void>
}

/** What a project has beside the package, so that no registry is asked. */
const modules = ['classic-level', 'cdktn', 'constructs', 'tsx', 'typescript', 'vitest', '@types']

export async function aReader(): Promise<Reader> {
  const consumer = await aConsumer(Object.fromEntries(modules.map(name => [name, name])))
  const home = await mkdtemp(join(tmpdir(), 'vexil-home-'))
  const free = await freePort()
  await prepare(consumer, free)
  return {
    directory: consumer.directory,
    async run(script) {
      const { PATH = '', SSL_CERT_FILE, HTTPS_PROXY } = process.env
      const passed = Object.entries({ SSL_CERT_FILE, HTTPS_PROXY }).filter(([, value]) => value !== undefined)
      const env = {
        PATH: [join(consumer.directory, 'node_modules/.bin'), PATH].join(delimiter),
        HOME: home,
        ...Object.fromEntries(passed),
        SCRIPT: script.replaceAll(port, String(free)),
      }
      // In a group of its own, to end what a page leaves running.
      const child = spawn('bash', ['-c', answered], { cwd: consumer.directory, env, detached: true, stdio })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
      const [code] = await once(child, 'exit')
      endGroup(child.pid)
      return { code, output }
    },
    async leave() {
      await consumer.remove()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The commands as npm would have linked them, and examples that name the port of this reader. */
async function prepare({ directory, write }: Consumer, free: number): Promise<void> {
  const bin = join(directory, 'node_modules/.bin')
  const program = join(directory, 'node_modules/vexil/dist/vexil.js')
  await write({ 'package.json': '{ "private": true, "type": "module" }\n' })
  await mkdir(bin)
  // Questions are only asked at a terminal, and there is none.
  await writeFile(
    join(bin, 'terminal.cjs'),
    "Object.defineProperty(process.stdin, 'isTTY', { value: true })\n",
  )
  await writeFile(
    join(bin, 'vexil'),
    `#!/bin/sh\nexec "${process.execPath}" --require "${bin}/terminal.cjs" "${program}" "$@"\n`,
  )
  await chmod(join(bin, 'vexil'), 0o755)
  await symlink('../tsx/dist/cli.mjs', join(bin, 'tsx'))
  const examples = join(directory, 'node_modules/vexil/examples')
  for (const entry of await readdir(examples, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!/\.(yaml|tf|ts|json)$/.test(entry.name)) continue
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(port, String(free)))
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // All of it has ended by itself.
  }
}

/** A port below those that systems give to connections by themselves: one of these may be taken at any moment. */
async function freePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(20_000, 30_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(candidate, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return candidate
  }
}
