import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/report/formats.ts'
import { git } from '../../git/repository.ts'
import { canary, filesWithCanary } from '../../support/canaries.ts'
import { isWrite } from '../../support/workspace.ts'
import { commandLines } from './commands.ts'
import { faults, some } from './faults.ts'
import { type HiddenWorld, hiddenWorld } from './hidden-world.ts'
import { knownCommands } from './program.ts'

/** The beginnings of command lines that answer with values, which docs/redaction.md names, each with the reason. */
const answering: Readonly<Record<string, string>> = {
  'validate --show': 'shows what is declared',
  evaluate: 'shows what somebody gets, and why',
  'test --coverage': 'names conditions that no test meets',
  'test --json': 'names conditions that no test meets',
  export: 'writes declarations',
  call: 'shows an answer of the service',
  keys: 'writes code with the descriptions',
}

/** What commands write by purpose with values in it. */
const writtenWithValues = /^(?:keys|live)\//

const sealed = /^\.vexil\/runs\/values\/[^/]+\.json$|\.values$/

let world: HiddenWorld
beforeEach(async () => {
  world = await hiddenWorld()
  await world.stir()
}, 30_000)
afterEach(() => world.close())

interface Case {
  readonly line: readonly string[]
  readonly env: HiddenWorld['env']
  readonly answers: boolean
}

const lines = [...commandLines('text'), ['drift', '--metrics', 'drift.prom'], ['fmt', '--check', '--json']]

/** Each command line as text and, where it can, as JSON; with every report that there is. */
function casesOf(given: readonly string[]): readonly Case[] {
  const text = given.join(' ')
  const command = knownCommands().find(({ name }) => `${text} `.startsWith(`${name} `))
  if (!command) throw new Error(`no command ${text}`)
  const takes = (option: string) => command.options.includes(option) && !given.includes(option)
  const answers = Object.keys(answering).some(each => `${text} `.startsWith(`${each} `))
  const line = [
    ...given,
    ...(takes('--env') && !text.includes('staging') ? ['--env', 'production'] : []),
    ...(takes('--report') && !answers
      ? reportFormats().flatMap(({ extension }) => ['--report', `out/report${extension}`])
      : []),
  ]
  const env = { ...world.env, VEXIL_DEBUG: '1', GITHUB_ACTIONS: 'true' }
  const json = { line: [...line, '--json'], env: { ...env, VEXIL_LOG_FORMAT: 'json' }, answers }
  const isBoth = command.switches.includes('--json') && !given.includes('--json')
  return [{ line, env, answers }, ...(isBoth ? [json] : [])]
}

const declarations = () => Promise.all(['flags.yaml', 'more.yaml'].map(world.read))

describe('a value that redact hides', () => {
  it.each(faults.map((rules, nth) => ({ rules, nth })))(
    'is in nothing that a command prints or writes, but what is asked for: $rules',
    async ({ rules, nth }) => {
      const hidden: string[] = []
      const answered = new Set<string>()
      const cases = some(lines, nth, 8).flatMap(casesOf)
      for (const { line, env, answers } of cases) {
        const before = await declarations()
        world.service.faults(...rules)
        const { result, requests } = await world.service.watch(() => world.vexil(line, { env }))
        const said = result.stdout + result.stderr
        const told = said.split('\n').filter(each => each.includes(canary))
        if (!answers) expect({ line, told }).toEqual({ line, told: [] })
        else if (told.length > 0) answered.add(line.slice(0, 1).join(' '))
        hidden.push(...(said.match(/\(sensitive [0-9a-f]{8}\)/g) ?? []))
        const isChanged = JSON.stringify(await declarations()) !== JSON.stringify(before)
        if (isChanged || requests.some(isWrite)) await world.stir()
      }
      expect(cases.length).toBeGreaterThan(12)
      await expectOnlySealed()
      if (rules.length === 0) {
        expect(hidden.length).toBeGreaterThan(50)
        expect(answered.size).toBeGreaterThan(1)
      }
    },
    300_000,
  )

  it('is told to change, to be new, to be held and to be in conflict all the same', async () => {
    const { stdout } = await world.vexil('plan --json --env production', { env: world.env })
    const { changes, live_edits: edits } = JSON.parse(stdout)
    const address = (each: { address: string }) => each.address
    expect(changes.map(address)).toEqual(
      expect.arrayContaining(['feature_flag.checkout', 'feature_flag.fresh', 'plugin.geoip']),
    )
    for (const { hidden } of changes) expect(hidden.length).toBeGreaterThan(0)
    const edited = ['feature_flag.gone', 'feature_flag.held', 'feature_flag.known']
    expect(edits.map(address).sort()).toEqual(edited)
  })

  it('is shown by the commands alone that the documentation names, with the same reason', async () => {
    const page = await readFile('docs/redaction.md', 'utf8')
    const named = [...page.matchAll(/^\| (`[^|]*) \| ([^|]*) \|$/gm)].flatMap(
      ([, command = '', reason = '']) =>
        [...command.matchAll(/`(--\w+)`/g)].length > 0
          ? [...command.matchAll(/`(--\w+)`/g)].map(([, option]) => [
              `${/`(\w+)`/.exec(command)?.[1]} ${option}`,
              reason,
            ])
          : [[command.replaceAll('`', ''), reason]],
    )
    expect(named).toEqual(expect.arrayContaining(Object.entries(answering)))
    expect(named.filter(([, reason]) => Object.values(answering).includes(reason ?? ''))).toHaveLength(
      Object.keys(answering).length,
    )
  })
})

/** Nothing below the folder has a value, but what people wrote and files for the owner alone; nor has a message of a commit. */
async function expectOnlySealed(): Promise<void> {
  const { path } = world
  const declared = (await git(path, 'ls-files')).split('\n')
  const found = (await filesWithCanary(path)).filter(
    file => !file.startsWith('.git/') && !declared.includes(file) && !writtenWithValues.test(file),
  )
  expect(found.filter(file => !sealed.test(file))).toEqual([])
  expect(found.length).toBeGreaterThan(0)
  for (const file of found) expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
  expect(await git(path, 'log', '--all', '--format=%B')).not.toContain(canary)
}
