import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { binFolderOf, nodeNamed, nodeOf, nodes } from './engines/nodes.ts'
import { leftOut, type Suite, suiteVariable, tools, withoutVariable } from './suites.ts'

/*
 * tsx test/run.ts [unit | full [--found] | laws] [--node=VERSION] [what vitest takes]
 *
 * - alone: all that needs only Node and npm; with CI in the environment, what the tools here can run as well, and deeper.
 * - `unit`: what needs no build either.
 * - `full`: everything; fails when a tool is missing. With `--found`: everything that the tools here can run.
 * - `laws`: the files with laws, in 10,000 rounds, and a table of how long they took.
 * - `--node=24`: the tests and all that they start run on that Node of `test/engines/nodes.ts`; `npm run nodes` fetches it.
 *
 * The last lines say what was left out. `suites.ts` has which tests are in which suite.
 */
const named = (['unit', 'full', 'laws'] as const).find(suite => suite === argv[2])
const given = argv.slice(named ? 3 : 2)
const suite: Suite = named ?? (env.CI ? 'ci' : 'plain')
const nodeOption = '--node='
const node = nodeAsked()
const rest = given.filter(each => each !== '--found' && !each.startsWith(nodeOption))
const missing = tools.filter(({ isFound }) => suite === 'plain' || suite === 'unit' || !isFound())
env[suiteVariable] = suite
env[withoutVariable] = missing.map(({ name }) => name).join(',')

if (suite === 'full' && !given.includes('--found') && missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ')
  console.error(`not everything can be tested here: ${names} missing; --found tests the rest`)
  exit(1)
}
const results = join(import.meta.dirname, '../coverage/laws.json')
// A law of 10,000 rounds takes minutes.
const forLaws = ['--reporter=default', '--reporter=json', `--outputFile=${results}`, '--testTimeout=3600000']
const code = await runVitest(suite === 'laws' ? [...rest, ...forLaws] : rest)
if (suite === 'laws') printLaws()
else if (suite !== 'unit') {
  for (const { name, tests } of [...missing, ...leftOut()]) console.log(`left out (${name}): ${tests}`)
  if (suite !== 'full') console.log('run these with: npm run test:full')
}
exit(code)

/** The Node to run on: this one, or the one that is named. Ends the program where that is not there. */
function nodeAsked(): { readonly path: string; readonly env: NodeJS.ProcessEnv } {
  const start = given.find(each => each.startsWith(nodeOption))?.slice(nodeOption.length)
  if (start === undefined) return { path: execPath, env: {} }
  const version = nodeNamed(start)
  if (version !== undefined && existsSync(nodeOf(version)))
    return {
      path: nodeOf(version),
      env: { PATH: [binFolderOf(version), env.PATH].filter(Boolean).join(delimiter) },
    }
  console.error(
    version === undefined
      ? `--node=${start}: there are ${nodes.join(', ')}`
      : `Node ${version} is not here; npm run nodes fetches it`,
  )
  return exit(1)
}

async function runVitest(args: readonly string[]): Promise<number> {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const child = spawn(node.path, [vitest, 'run', ...args], { stdio: 'inherit', env: { ...env, ...node.env } })
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** Each file of laws with its seconds, the longest first. */
function printLaws(): void {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: readonly {
      readonly name: string
      readonly assertionResults: readonly { readonly status: string; readonly duration?: number | null }[]
    }[]
  }
  const rows = testResults
    .map(({ name, assertionResults: all }) => ({
      file: relative(join(import.meta.dirname, '..'), name),
      seconds: all.reduce((sum, { duration }) => sum + (duration ?? 0), 0) / 1000,
      failed: all.filter(({ status }) => status === 'failed').length,
    }))
    .sort((one, other) => other.seconds - one.seconds)
  console.log('| file | seconds | failed |\n|---|---:|---:|')
  for (const { file, seconds, failed } of rows) console.log(`| ${file} | ${seconds.toFixed(1)} | ${failed} |`)
}
