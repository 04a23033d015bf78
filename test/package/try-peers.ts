/**
 * Installs the packed package beside the lowest and the newest version of each engine and of `constructs` that go with
 * it, as npm does it for somebody, and runs the example there: its types, its synthesis, its tests. Asks the npm registry,
 * so it is no part of `npm test`: `npm run peers`.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { pack } from '../support/consumer.ts'

const run = promisify(execFile)
const semver = createRequire(import.meta.resolve('cdktn'))('semver')

/** Versions that the registry has, in rising order. */
async function versions(name: string, range: string): Promise<readonly string[]> {
  const all = await asked(name, 'versions')
  const among = (Array.isArray(all) ? all : [all]).filter(version => semver.satisfies(version, range))
  return semver.sort(among)
}

async function asked(of: string, field: string): Promise<unknown> {
  const { stdout } = await run('npm', ['view', of, field, '--json'])
  return JSON.parse(stdout)
}

function ends(sorted: readonly string[]): readonly string[] {
  return [...new Set([sorted[0], sorted.at(-1)])].filter(each => each !== undefined)
}

/** Everything of the example that can go wrong, in order; throws what did. */
async function tryWith(engine: string, version: string, constructs: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-peers-'))
  try {
    const tarball = await pack()
    await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=3', 'package/examples/cdktf'])
    await useEngine(folder, engine, { [engine]: version, constructs, vexil: `file:${tarball}` })
    for (const [command, ...given] of [
      ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
      ['npm', 'run', 'types', '--', '--skipLibCheck', 'false'],
      ['npm', 'run', 'synth'],
      ['npm', 'test'],
    ]) {
      await run(command as string, given, { cwd: folder }).catch(({ stdout, stderr }) => {
        throw new Error(`${command} ${given.join(' ')}\n${stdout}${stderr}`)
      })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The example is written for cdktn. */
async function useEngine(folder: string, engine: string, dependencies: object): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.ts')) continue
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll('cdktn', engine))
  }
  const path = join(folder, 'package.json')
  const own = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...own, dependencies }))
}

let failures = 0
for (const [engine, range] of Object.entries(manifest.peerDependencies).filter(([name]) =>
  name.startsWith('cdkt'),
)) {
  for (const version of ends(await versions(engine, range))) {
    const peers = (await asked(`${engine}@${version}`, 'peerDependencies')) as { readonly constructs: string }
    const fitting = (await versions('constructs', peers.constructs)).filter(each =>
      semver.satisfies(each, manifest.peerDependencies.constructs),
    )
    for (const constructs of ends(fitting)) {
      const told = await tryWith(engine, version, constructs).then(
        () => 'installs, type-checks, synthesizes, passes its tests',
        error => {
          failures += 1
          return `FAILS: ${error.message}`
        },
      )
      console.log(`${engine} ${version} with constructs ${constructs}: ${told}`)
    }
  }
}
process.exitCode = failures === 0 ? 0 : 1
