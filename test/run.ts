import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { binaryOf, builtEngines, engines, titleOf } from './engines/engines.ts'
import { binFolderOf, nodeNamed, nodeOf, nodes } from './engines/nodes.ts'
import {
  engineVariable,
  onlyInFull,
  plainSuite,
  suiteVariable,
  type Tool,
  tools,
  withoutVariable,
} from './suites.ts'

/*
 * tsx test/run.ts [unit | full [--found] [--engines]] [--node=VERSION] [what vitest takes]
 *
 * - alone: all that needs only Node and npm, in fewer rounds and not everything on every service; says what it left out.
 * - `unit`: what needs no build either.
 * - `full`: everything; fails when a tool is missing. With `--found`: everything that the tools here can run.
 * - `full --engines`: what needs Terraform and nothing else, with each engine of `test/engines`; fails when one is not
 *   built. With `--found`: with those that are.
 * - `--node=24`: the tests and all that they start run on that Node of `test/engines/nodes.ts`; `npm run nodes` fetches it.
 */
const named = argv[2] === 'unit' || argv[2] === 'full' ? argv[2] : undefined
const [suite, given] = named ? [named, argv.slice(3)] : [plainSuite, argv.slice(2)]
const nodeOption = '--node='
const node = nodeAsked()
const onlyFound = suite === 'full' && given.includes('--found')
const rest = given.filter(each => each !== '--found' && each !== '--engines' && !each.startsWith(nodeOption))
if (suite === 'full' && given.includes('--engines')) exit(await tryEngines())
const missing = tools.filter(({ isFound }) => suite !== 'full' || !isFound())

if (suite === 'full' && !onlyFound && missing.length > 0) {
  console.error(`not everything can be tested here: ${list(missing)} missing; --found tests the rest`)
  exit(1)
}
const code = await runVitest(rest, {
  [withoutVariable]: missing.map(({ name }) => name).join(','),
  [suiteVariable]: suite,
})
if (suite !== 'unit') {
  const leftOut = [...missing, ...(suite === 'full' ? [] : onlyInFull)]
  for (const { name, tests } of leftOut) console.log(`left out (${name}): ${tests}`)
  if (suite === plainSuite) console.log('run these with: npm run test:full')
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

/** One engine after the other, each with all that the Terraform on the PATH is tried with. */
async function tryEngines(): Promise<number> {
  const built = builtEngines()
  const absent = engines.filter(engine => !built.includes(engine)).map(titleOf)
  if (absent.length > 0) console.log(`not built here: ${absent.join(', ')}; npm run engines builds them`)
  const files = tools.find(({ name }) => name === 'terraform')?.files ?? []
  let worst = absent.length > 0 && !onlyFound ? 1 : 0
  for (const engine of built) {
    console.log(`with ${titleOf(engine)}:`)
    // Vitest takes parts of paths, not patterns.
    const parts = rest.length > 0 ? rest : files.map(file => file.replace(/\*.*/, ''))
    worst = Math.max(
      worst,
      await runVitest(parts, { [engineVariable]: binaryOf(engine), [suiteVariable]: 'full' }),
    )
  }
  return worst
}

async function runVitest(args: readonly string[], more: Readonly<Record<string, string>>): Promise<number> {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const child = spawn(node.path, [vitest, 'run', ...args], {
    stdio: 'inherit',
    env: { ...env, ...node.env, ...more },
  })
  const [code] = await once(child, 'close')
  return code ?? 1
}

function list(some: readonly Tool[]): string {
  return some.map(({ name }) => name).join(', ')
}
