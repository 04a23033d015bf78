import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { onlyInFull, plainSuite, suiteVariable, type Tool, tools, withoutVariable } from './suites.ts'

/*
 * tsx test/run.ts [unit | full [--found]] [what vitest takes]
 *
 * - alone: all that needs only Node and npm, in fewer rounds and not everything on every service; says what it left out.
 * - `unit`: what needs no build either.
 * - `full`: everything; fails when a tool is missing. With `--found`: everything that the tools here can run.
 */
const named = argv[2] === 'unit' || argv[2] === 'full' ? argv[2] : undefined
const [suite, rest] = named ? [named, argv.slice(3)] : [plainSuite, argv.slice(2)]
const onlyFound = suite === 'full' && rest.includes('--found')
const missing = tools.filter(({ isFound }) => suite !== 'full' || !isFound())

if (suite === 'full' && !onlyFound && missing.length > 0) {
  console.error(`not everything can be tested here: ${list(missing)} missing; --found tests the rest`)
  exit(1)
}
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
const child = spawn(execPath, [vitest, 'run', ...rest.filter(each => each !== '--found')], {
  stdio: 'inherit',
  env: {
    ...env,
    [withoutVariable]: missing.map(({ name }) => name).join(','),
    [suiteVariable]: suite,
  },
})
const [code] = await once(child, 'close')
if (suite !== 'unit') {
  const leftOut = [...missing, ...(suite === 'full' ? [] : onlyInFull)]
  for (const { name, tests } of leftOut) console.log(`left out (${name}): ${tests}`)
  if (suite === plainSuite) console.log('run these with: npm run test:full')
}
exit(code ?? 1)

function list(some: readonly Tool[]): string {
  return some.map(({ name }) => name).join(', ')
}
