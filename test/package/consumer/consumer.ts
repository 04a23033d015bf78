import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** A project of somebody else's, in a folder of its own, with the package in it as npm would have put it there. */
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

/** Packs the package as it would be published. The tree has to be built, types and all. */
export async function pack(folder: string): Promise<string> {
  if (!existsSync(join(root, 'dist/cdktf/index.d.ts'))) {
    throw new Error(
      'there is nothing to pack: `npm run build` makes it, `npm run bundle` leaves the types out',
    )
  }
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  })
  return join(folder, JSON.parse(stdout)[0].filename)
}

/**
 * A project with a packed package and nothing else but these modules, by the names under which it has them. They are
 * the ones of this tree, so no network is needed.
 */
export async function aConsumer(
  tarball: string,
  modules: Readonly<Record<string, string>>,
): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-consumer-'))
  const installed = join(folder, 'node_modules')
  await mkdir(join(installed, 'vexil'), { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', join(installed, 'vexil'), '--strip-components=1'])
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
    write: async files => {
      for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
    },
    node: (...given) => attempt(process.execPath, given),
    nodeWith: (env, ...given) => attempt(process.execPath, given, { PATH: process.env.PATH, ...env }),
    vexil: async (given, env) => {
      const program = join(installed, 'vexil/dist/vexil.js')
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

/** Packs once for a test file; makes projects with these modules, and removes them at the end. */
export function useConsumers(): (modules: Readonly<Record<string, string>>) => Promise<Consumer> {
  const consumers: Consumer[] = []
  let folder: string
  let tarball: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vexil-packed-'))
    tarball = await pack(folder)
  })
  afterAll(async () => {
    for (const consumer of consumers) await consumer.remove()
    await rm(folder, { recursive: true, force: true })
  })
  return async modules => {
    const consumer = await aConsumer(tarball, { constructs: 'constructs', ...modules })
    consumers.push(consumer)
    return consumer
  }
}
