import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { argv, env, exit, stderr, stdout } from 'node:process'
import { promisify } from 'node:util'
import { binaryOf, type Engine, engines, titleOf } from './engines.ts'
import { type GoMod, writeMainModule } from './main-module.ts'

/*
 * tsx test/engines/build.ts [NAME ...]
 *
 * Builds, with Go, the programs of Terraform's family that the provider is tried with, each from its module and checked
 * against its `go.sum`, into the folder that VEXIL_ENGINES names. Without names: all. One package at a time, so that a
 * machine which is used for something else stays usable; `GOFLAGS=-p=8` makes it faster.
 */
const run = promisify(execFile)
const names = argv.slice(2)
const unknown = names.filter(name => !engines.some(engine => titleOf(engine) === name))
if (unknown.length > 0) {
  stderr.write(`${unknown.join(', ')}: no engine; there are ${engines.map(titleOf).join(', ')}\n`)
  exit(1)
}
for (const engine of engines) {
  if (names.length === 0 || names.includes(titleOf(engine))) await build(engine)
}

async function build(engine: Engine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-engine-'))
  const started = performance.now()
  try {
    const { GoMod: goMod, Dir: source } = await json<{ GoMod: string; Dir: string }>(folder, [
      'mod',
      'download',
      '-json',
      `${engine.module}@v${engine.version}`,
    ])
    const described = await json<GoMod>(folder, ['mod', 'edit', '-json', goMod])
    await writeMainModule(folder, engine, described, join(source, 'go.sum'))
    const built = join(folder, 'terraform')
    await go(folder, [
      'build',
      ...flags(engine),
      '-o',
      built,
      [engine.module, engine.folder].filter(Boolean).join('/'),
    ])
    const binary = binaryOf(engine)
    await mkdir(dirname(binary), { recursive: true })
    // Not a moment with half a program: somebody may be running the one before.
    await run('cp', [built, `${binary}.new`])
    await rename(`${binary}.new`, binary)
    const said = await saysVersion(binary)
    if (said !== engine.version) throw new Error(`${binary} says that it is ${said}`)
    const { length } = await readFile(binary)
    const seconds = Math.round((performance.now() - started) / 1000)
    stdout.write(`${binary}  ${(length / 1e6).toFixed(1)} MB in ${seconds} s\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Without symbols and paths of this machine; `dev` is what these programs put after the version of what is no release. */
function flags({ module }: Engine): string[] {
  return ['-trimpath', '-ldflags', `-s -w -X ${module}/version.dev=no`]
}

async function saysVersion(binary: string): Promise<unknown> {
  const { stdout: said } = await run(binary, ['version', '-json'], {
    env: { ...env, TF_CLI_CONFIG_FILE: '/dev/null', CHECKPOINT_DISABLE: '1' },
  })
  return (JSON.parse(said) as { terraform_version: unknown }).terraform_version
}

async function json<T>(directory: string, args: readonly string[]): Promise<T> {
  return JSON.parse(await go(directory, args)) as T
}

async function go(directory: string, args: readonly string[]): Promise<string> {
  const { stdout: said } = await run('go', [...args], {
    cwd: directory,
    env: { ...env, CGO_ENABLED: '0', GOFLAGS: `-mod=mod -p=1 ${env.GOFLAGS ?? ''}`.trim() },
    maxBuffer: 64 * 1024 * 1024,
  })
  return said
}
