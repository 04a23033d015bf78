import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tracer } from '../../../src/model/runtime.ts'
import { reportFormats } from '../../../src/report/formats.ts'
import { git } from '../../git/repository.ts'
import { isFull } from '../../suites.ts'
import { canary, filesWithCanary } from '../../support/canaries.ts'
import { nextSecondOfFile } from '../../support/cli.ts'
import { isWrite } from '../../support/workspace.ts'
import { commandLines } from './commands.ts'
import { faults } from './faults.ts'
import { type HiddenWorld, hiddenWorld, sharedRef } from './hidden-world.ts'
import { knownCommands } from './program.ts'

/** The beginnings of command lines that answer with values, which docs/keys.md names, each with the reason. */
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

/** A plan of everything that was saved before anything was hidden. */
const openPlan = 'open.plan.json'

const lines: readonly (readonly string[])[] = [
  ...commandLines('text'),
  ['drift', '--metrics', 'drift.prom'],
  ['fmt', '--check', '--json'],
  ['validate', '--stack', 'stacks/shop'],
  ['test', '--stack', 'stacks/shop'],
  ['plan', '--stack', 'stacks/shop'],
  ['plan', '--reviewed', openPlan],
  ['show', openPlan],
  ['apply', openPlan, '--auto-approve'],
]

interface Row {
  readonly rules: readonly string[]
  readonly lines: readonly (readonly string[])[]
}

/** Every line under every fault; elsewhere each command once, and what writes once more while writes fail. */
function rows(): readonly Row[] {
  if (isFull()) return faults.map(rules => ({ rules, lines }))
  const known = knownCommands().map(({ name }) => name)
  const commandOf = (line: readonly string[]) =>
    known.find(name => `${line.join(' ')} `.startsWith(`${name} `))
  const last = new Map(lines.map(line => [commandOf(line), line]))
  const own = lines.filter(line => line.includes('--terraform-plan') || line.includes(openPlan))
  return [
    { rules: [], lines: [...new Set([...last.values(), ...own])] },
    {
      rules: faults.at(-1) ?? [],
      lines: [
        ['apply', '--auto-approve'],
        ['undo', 'last', '--auto-approve'],
      ],
    },
  ]
}

/** How many lines were made, and how many of them with reports: where one form of each is enough, the next has the next. */
let count = 0
let reported = 0

function reports(): ReturnType<typeof reportFormats> {
  const all = reportFormats()
  const next = reported++ % all.length
  return isFull() ? all : all.filter((_, nth) => nth === next)
}

/** Each command line as text and, where it can, as JSON; with every report that there is. */
function casesOf(given: readonly string[]): readonly Case[] {
  count++
  const text = given.join(' ')
  const command = knownCommands().find(({ name }) => `${text} `.startsWith(`${name} `))
  if (!command) throw new Error(`no command ${text}`)
  const takes = (option: string) => command.options.includes(option) && !given.includes(option)
  const answers = Object.keys(answering).some(each => `${text} `.startsWith(`${each} `))
  const line = [
    ...given,
    ...(takes('--env') && !text.includes('staging') ? ['--env', 'production'] : []),
    ...(takes('--report') && !answers
      ? reports().flatMap(({ extension }) => ['--report', `out/report${extension}`])
      : []),
  ]
  const env = { ...world.env, VEXIL_DEBUG: '1', GITHUB_ACTIONS: 'true' }
  const json = { line: [...line, '--json'], env: { ...env, VEXIL_LOG_FORMAT: 'json' }, answers }
  const isBoth = command.switches.includes('--json') && !given.includes('--json')
  if (!isFull() && isBoth) return [count % 2 === 0 ? json : { line, env, answers }]
  return [{ line, env, answers }, ...(isBoth ? [json] : [])]
}

const declarations = () => Promise.all(['flags.yaml', 'more.yaml'].map(world.read))

describe('a value that redact hides', () => {
  it.each(rows())(
    'is in nothing that a command prints or writes, but what is asked for: $rules',
    async ({ rules, lines: tried }) => {
      const hidden: string[] = []
      const answered = new Set<string>()
      const told = { spans: 0 }
      await saveOpenPlan()
      const cases = tried.flatMap(casesOf)
      for (const { line, env, answers } of cases) {
        const before = await declarations()
        world.service.faults(...rules)
        const { tracer, spans } = tracing()
        const runtime = { ...(await nextSecondOfFile()), tracer }
        const { result, requests } = await world.service.watch(() =>
          world.vexil(line, { env, host: { runtime } }),
        )
        expect({ line, traced: JSON.stringify(spans) }).toEqual({
          line,
          traced: expect.not.stringContaining(canary),
        })
        told.spans += spans.length
        const said = result.stdout + result.stderr
        const shown = said.split('\n').filter(each => each.includes(canary))
        if (!answers) expect({ line, shown }).toEqual({ line, shown: [] })
        else if (shown.length > 0) answered.add(line.slice(0, 1).join(' '))
        hidden.push(...(said.match(/\(sensitive [0-9a-f]{8}\)/g) ?? []))
        const isChanged = JSON.stringify(await declarations()) !== JSON.stringify(before)
        if (isChanged || requests.some(isWrite)) await world.stir()
      }
      expect(cases.length).toBeGreaterThan(rules.length === 0 ? 12 : 1)
      expect(told.spans).toBeGreaterThan(cases.length)
      const ends = new Set(cases.flatMap(({ line }) => line.filter(word => word.startsWith('out/report'))))
      if (rules.length === 0) expect(ends.size).toBe(reportFormats().length)
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
    const page = await readFile('docs/keys.md', 'utf8')
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

/** Saves a plan with all its values, where only whoever made it sees them. */
async function saveOpenPlan(): Promise<void> {
  const { 'vexil.yaml': settings = '' } = { 'vexil.yaml': await world.read('vexil.yaml') }
  await world.write({ 'vexil.yaml': settings.replace(/^redact: .*$/m, '') })
  const { stderr } = await world.vexil(`plan --env production --out ${openPlan}`, { env: world.env })
  await world.write({ 'vexil.yaml': settings })
  expect(await world.read(openPlan), stderr).toContain(canary)
}

/** A tracer that keeps all that it is told of spans. */
function tracing(): { readonly tracer: Tracer; readonly spans: unknown[] } {
  const spans: unknown[] = []
  const note = (what: unknown) => void spans.push(what)
  const tracer: Tracer = {
    within(name, { attributes }, run) {
      note({ name, attributes })
      return run({ set: note, fail: note })
    },
  }
  return { tracer, spans }
}

/** Nothing below the folder has a value, but what people wrote and files for the owner alone; nor has a message of a commit. */
async function expectOnlySealed(): Promise<void> {
  const { path, remote } = world
  const declared = [...(await git(path, 'ls-files')).split('\n'), openPlan]
  const found = (await filesWithCanary(path)).filter(
    file => !file.startsWith('.git/') && !declared.includes(file) && !writtenWithValues.test(file),
  )
  expect(found.filter(file => !sealed.test(file))).toEqual([])
  expect(found.length).toBeGreaterThan(0)
  for (const file of found) expect((await stat(join(path, file))).mode & 0o777).toBe(0o600)
  expect(await git(path, 'log', '--all', '--format=%B')).not.toContain(canary)
  expect(await git(remote, 'for-each-ref', '--format=%(refname)')).toBe(sharedRef)
  expect(await git(remote, 'log', '--patch', '--format=%B', sharedRef)).not.toContain(canary)
}
