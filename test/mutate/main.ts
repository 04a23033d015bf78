import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process, { exit } from 'node:process'
import { parseArgs } from 'node:util'
import { globSync } from 'tinyglobby'
import { suiteVariable } from '../suites.ts'
import { drawMutants } from './draw.ts'
import { killedIn, readLines, writeLine } from './log.ts'
import { parts, slowTests, tests } from './parts.ts'

/*
 * npm run mutate [-- [SEED] [--root FOLDER]]
 *
 * Draws small changes of the code by a seed, and prints how many of them the tests notice, and which they do not.
 * Works in a clone of this checkout, or of the one in FOLDER, with what is committed there.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { root: { type: 'string' } } })
const seed = positionals[0] ?? '1'
const source = resolve(values.root ?? '.')
/** A file that is run with one mutant ends before that, or hangs. */
const silentMs = 300_000

const began = performance.now()
const root = realpathSync(mkdtempSync(join(tmpdir(), 'vexil-mutate-')))
const log = join(root, '.mutate/log')
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => exit(130))

execFileSync('git', ['clone', '--quiet', '--shared', source, root])
// An earlier commit may lack it.
cpSync(import.meta.dirname, join(root, 'test/mutate'), { recursive: true })
symlinkSync(join(source, 'node_modules'), join(root, 'node_modules'))
mkdirSync(join(root, '.mutate'))
writeFileSync(log, '')
const mutants = await drawMutants(root, seed)
console.error(`${minutes()}: drew ${mutants.length} mutants with seed ${seed}`)
const files = tests.flatMap(pattern => globSync(pattern, { cwd: root, ignore: [...slowTests] }).sort())
const shares = [0, 1].map(share => files.filter((_, at) => at % 2 === share))
await Promise.all(shares.map(runAll))
print()
exit()

/** Runs test files in one process, and in another one from there on where it hangs or breaks. */
async function runAll(some: readonly string[], by: number): Promise<void> {
  let left = some
  while (left.length > 0) {
    await runVitest(left, by)
    const last = linesOf(by).at(-1)
    const hasHung = last !== undefined && 'trying' in last
    if (hasHung) writeLine(log, { ...last, killed: [last.trying] })
    // Between two files it is the next one that has hung, without any mutant.
    left = left.slice(left.indexOf(last?.file ?? '') + (hasHung ? 0 : 2))
  }
}

async function runVitest(some: readonly string[], by: number): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/mutate/vitest.config.ts'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        [suiteVariable]: 'unit',
        MUTATE_FILES: some.join(' '),
        MUTATE_IDS: mutants.map(({ id }) => id).join(' '),
        MUTATE_LOG: log,
        MUTATE_BY: String(by),
      },
    },
  )
  running.add(child)
  let seen = 0
  let since = performance.now()
  const watch = setInterval(() => {
    const { length } = linesOf(by)
    if (length > seen) since = performance.now()
    else if (performance.now() - since > silentMs) child.kill('SIGKILL')
    seen = length
  }, 10_000)
  await once(child, 'close')
  clearInterval(watch)
  running.delete(child)
}

function print(): void {
  const lines = readLines(log)
  const killed = killedIn(lines)
  const reached = new Set(lines.flatMap(line => ('reached' in line ? line.reached : [])))
  const hung = new Set(lines.flatMap(line => ('trying' in line && 'killed' in line ? line.trying : [])))
  for (const line of lines) if ('isUsable' in line && !line.isUsable) console.log(`not used: ${line.file}`)
  for (const { id, title } of mutants)
    if (hung.has(id)) console.log(`killed, since it hung: ${title}`)
    else if (!killed.has(id)) console.log(`${reached.has(id) ? 'survived' : 'not reached'}: ${title}`)
  console.log(`\n| mutants killed, seed ${seed} | ${minutes()} |\n|---|---:|`)
  for (const name of [...parts.map(part => part.name), 'all parts']) {
    const some = mutants.filter(({ part }) => name === 'all parts' || part === name)
    const share = (100 * some.filter(({ id }) => killed.has(id)).length) / some.length
    console.log(`| mutants killed, ${name} | ${share.toFixed(1)} % |`)
  }
}

function linesOf(by: number) {
  return readLines(log).filter(line => line.by === by)
}

function minutes(): string {
  return `${((performance.now() - began) / 60_000).toFixed(1)} minutes`
}
