import { execFile } from 'node:child_process'
import { copyFile, cp, link, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import { afterAll, beforeAll } from 'vitest'
import { built } from './built.ts'
import { writeFiles } from './cli.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/**
 * A project of somebody else's, in a folder of its own, with the package in it as npm would have put it there: how tests
 * arrange what has to be the built program, in a process of its own. All else is arranged by `workspace.ts`.
 */
export interface Consumer {
  readonly directory: string
  /** Writes files by their paths in the project. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs Node in the project; what it prints, or why it failed. */
  node(...given: readonly string[]): Promise<string>
  /** The same with nothing in its environment but this. */
  nodeWith(env: Readonly<Record<string, string>>, ...given: readonly string[]): Promise<string>
  /** Runs the packed command line in the project. Rejects when it does not end in 0. */
  vexil(given: readonly string[], env: Readonly<Record<string, string>>): Promise<string>
  /** Type-checks and compiles by a settings file; what the compiler has to say. */
  compile(settings: string): Promise<string>
  remove(): Promise<void>
}

let tarball: Promise<string> | undefined

/** The package as it would be published, packed once for all test files of a worker. The tree has to be built, types and all. */
export function pack(): Promise<string> {
  tarball ??= packAnew()
  return tarball
}

async function packAnew(): Promise<string> {
  // `npm run bundle` leaves the types out.
  built('cdktf/index.d.ts')
  const folder = await ownFolder(join(root, 'node_modules/.cache/vexil-packed'))
  const given = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', given, { cwd: root })
  return join(folder, JSON.parse(stdout)[0].filename)
}

/**
 * A folder for this worker alone: vitest may give its number to two that work at the same time. Nothing tells a worker
 * of its end, so the next run removes what the processes of earlier ones have left.
 */
async function ownFolder(above: string): Promise<string> {
  await mkdir(above, { recursive: true })
  for (const name of await readdir(above)) {
    const [, id] = /^(\d+)-\d+$/.exec(name) ?? []
    if (id === undefined || !isRunning(Number(id)))
      await rm(join(above, name), { recursive: true, force: true })
  }
  const folder = join(above, `${process.pid}-${threadId}`)
  await mkdir(folder, { recursive: true })
  return folder
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * A project with a packed package and nothing else but these modules, by the names under which it has them. They are
 * the ones of this tree, so no network is needed.
 */
export async function aConsumer(modules: Readonly<Record<string, string>>): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-consumer-'))
  const installed = join(folder, 'node_modules')
  await unpack(join(installed, 'vexil'))
  for (const [name, module] of Object.entries(modules)) {
    await symlink(join(root, 'node_modules', module), join(installed, name))
  }
  const attempt = (command: string, given: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
    run(command, given, { cwd: folder, env }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
  return {
    directory: folder,
    write: files => writeFiles(folder, files),
    node: (...given) => attempt(process.execPath, given),
    nodeWith: (env, ...given) => attempt(process.execPath, given, { PATH: process.env.PATH, ...env }),
    vexil: async (given, env) => {
      const program = join(installed, 'vexil/dist/vexil.cjs')
      const { PATH } = process.env
      const { stdout } = await run(process.execPath, [program, ...given], {
        cwd: folder,
        env: { PATH, ...env },
      })
      return stdout
    },
    compile: settings =>
      attempt(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', settings]),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Makes projects with these modules, and removes them at the end of a test file. */
export function useConsumers(): (modules: Readonly<Record<string, string>>) => Promise<Consumer> {
  const consumers: Consumer[] = []
  // Packed before the first test, which has a time of its own.
  beforeAll(async () => {
    await pack()
  })
  afterAll(async () => {
    for (const consumer of consumers) await consumer.remove()
  })
  return async modules => {
    const consumer = await aConsumer({ constructs: 'constructs', ...modules })
    consumers.push(consumer)
    return consumer
  }
}

/** What is in the package as it would be published. */
export interface Packed {
  readonly tarball: string
  readonly folder: string
  /** Paths of all files, relative to the folder. */
  readonly files: readonly string[]
}

/** Unpacks it for a test file; what is returned is filled when the first test runs. */
export function usePacked(): Packed {
  const packed = { tarball: '', folder: '', files: [] as readonly string[] }
  let scratch: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vexil-package-'))
    packed.tarball = await pack()
    packed.folder = join(scratch, 'vexil')
    await unpack(packed.folder)
    const entries = await readdir(packed.folder, { recursive: true, withFileTypes: true })
    packed.files = entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(packed.folder.length + 1))
      .sort()
  })
  afterAll(() => rm(scratch, { recursive: true, force: true }))
  return packed
}

/**
 * The package in this folder. Its examples are files of its own, which a test may change; all else are links to what
 * was unpacked once, which takes a tenth of the time.
 */
async function unpack(into: string): Promise<void> {
  const whole = await unpackedOnce()
  await mkdir(into, { recursive: true })
  const isExample = (path: string) => path.startsWith(join('examples', '/'))
  for (const entry of await readdir(whole, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(whole, from)
    const to = join(into, path)
    if (entry.isDirectory()) await mkdir(to, { recursive: true })
    else if (isExample(path)) await copyFile(from, to)
    else await link(from, to).catch(() => copyFile(from, to))
  }
}

let unpacked: Promise<string> | undefined

function unpackedOnce(): Promise<string> {
  unpacked ??= (async () => {
    const packed = await pack()
    const whole = join(dirname(packed), 'package')
    await rm(whole, { recursive: true, force: true })
    await run('tar', ['-xzf', packed, '-C', dirname(packed)])
    return whole
  })()
  return unpacked
}

/** The example of constructs as somebody has it who installed the package: no link into this tree, and no network. */
export async function installedExample(): Promise<Consumer> {
  const modules = ['cdktn', 'constructs', 'tsx', 'typescript', 'vitest', '@types']
  const consumer = await aConsumer(Object.fromEntries(modules.map(name => [name, name])))
  // As its page says: out of the installed package.
  await cp(join(consumer.directory, 'node_modules/vexil/examples/cdktf'), consumer.directory, {
    recursive: true,
  })
  return consumer
}

/** Runs the example's own program, which writes all of its stacks; the folder that they are in. */
export async function synthesized(consumer: Consumer): Promise<string> {
  const said = await consumer.node('--import', import.meta.resolve('tsx'), 'main.ts')
  if (said !== '') throw new Error(`the example does not synthesize:\n${said}`)
  return join(consumer.directory, 'cdktf.out/stacks')
}
