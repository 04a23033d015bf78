import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Host } from '../../src/cli/host/host.ts'
import { createProgram, runCommandLine } from '../../src/cli/program.ts'
import { reportFormats } from '../../src/report/formats.ts'
import { useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, declareFlags, read, list } = workspace

const at = (name: string) => join(workspace().path, name)
const extensions = reportFormats().map(({ extension }) => extension)

interface Result {
  readonly locations: readonly [
    { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
  ]
}

interface Call {
  readonly line: string
  readonly code?: number
  readonly after?: readonly string[]
  /** How the first line of the report in Markdown goes on. */
  readonly marker: string
}

/** How each command that takes `--report` is called. A new one has to say it here. */
const calls: Readonly<Record<string, Call>> = {
  validate: { line: 'validate', marker: 'validate' },
  plan: { line: 'plan', marker: 'plan' },
  show: { line: 'show saved.plan', after: ['plan --out saved.plan'], marker: 'plan' },
  apply: { line: 'apply --auto-approve', marker: 'apply' },
  drift: { line: 'drift', code: 6, marker: 'drift' },
  compare: { line: 'compare staging production', marker: 'compare:staging%2C%20production' },
  test: { line: 'test', marker: 'test' },
  history: { line: 'history last', after: ['apply --auto-approve'], marker: 'history' },
}

async function prepare(name: string, { after = [] }: Call): Promise<void> {
  if (name === 'compare') await writeTwoEnvironments(workspace())
  for (const line of after) expect(await vexil(line)).toMatchObject({ code: 0 })
}

describe('--report', () => {
  it('goes with these commands', () => {
    const program = createProgram({} as Host, { code: 0 }, runCommandLine)
    const taking = (command: Command): string[] => [
      ...(command.options.some(({ long }) => long === '--report') ? [command.name()] : []),
      ...command.commands.flatMap(taking),
    ]
    expect(taking(program).sort()).toEqual(Object.keys(calls).sort())
  })

  it.each(Object.entries(calls))(
    'writes a file of each kind for %s, and changes nothing else',
    async (name, call) => {
      await prepare(name, call)
      const reports = extensions.flatMap(extension => ['--report', `reports/r${extension}`])
      const { code, stdout, stderr } = await vexil([...call.line.split(' '), '--json', ...reports])
      expect(code, stderr).toBe(call.code ?? 0)
      expect(await list('reports')).toEqual(extensions.map(extension => `r${extension}`).sort())
      // The JSON is the same as on standard output.
      expect(await readFile(at('reports/r.json'), 'utf8')).toBe(stdout)
      expect(await readFile(at('reports/r.md'), 'utf8')).toMatch(
        new RegExp(`^<!-- vexil:${call.marker} -->\n`),
      )
      expect(await readFile(at('reports/r.junit.xml'), 'utf8')).toContain('<testsuites name="vexil ')
      expect(JSON.parse(await readFile(at('reports/r.sarif'), 'utf8')).version).toBe('2.1.0')
    },
  )

  it('writes as text what a terminal shows, and replaces an earlier report', async () => {
    const line = ['plan', ...extensions.flatMap(extension => ['--report', `r${extension}`])]
    const before = await vexil(line)
    expect(before.code).toBe(0)
    await declareFlags('  other: { active: false }')
    const { code, stdout, stderr } = await vexil(line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await readFile(at('r.txt'), 'utf8')).toBe(stdout)
    for (const extension of extensions) {
      const text = await readFile(at(`r${extension}`), 'utf8')
      if (extension !== '.sarif') expect(text).toContain('other')
      expect(text).not.toContain('checkout')
    }
    expect((await list('.')).filter(name => name.includes('unfinished'))).toEqual([])
  })

  it.each([
    ['an unknown end', ['r.pdf'], 'its name has to end in one of '],
    ['no end', ['report'], 'its name has to end in one of '],
    ['no name', [''], 'its name has to end in one of '],
    ['the same file twice', ['r.md', './r.md'], 'another report goes there; choose another name'],
    ['the file of --out', ['saved.json', '--out', 'saved.json'], 'this command reads or writes it'],
  ])('refuses %s before anything is asked', async (_, [first = '', ...more], why) => {
    const given = more[0] === '--out' ? more : more.flatMap(name => ['--report', name])
    const { result, requests } = await service.watch(() => vexil(['plan', '--report', first, ...given]))
    expect(result.code).toBe(64)
    expect(result.stderr).toContain(why)
    expect(requests).toEqual([])
  })

  it('does not replace the plan that is shown', async () => {
    await vexil('plan --out saved.json')
    const before = await read('saved.json')
    expect(await vexil('show saved.json --report saved.json')).toMatchObject({ code: 64 })
    expect(await read('saved.json')).toBe(before)
  })

  it.each<[string, string, () => Promise<unknown>, string]>([
    ['a folder', 'there.md', () => mkdir(at('there.md')), 'it is a folder'],
    [
      'a page',
      'README.md',
      () => writeFile(at('README.md'), '# Ours\n'),
      'it contains something other than a report',
    ],
    [
      'declarations',
      'flags.json',
      () => writeFile(at('flags.json'), '{"feature_flags":{}}'),
      'it contains something other',
    ],
    [
      'what leads to the settings',
      'v.md',
      () => symlink('vexil.yaml', at('v.md')),
      'it contains something other',
    ],
    ['a device', '/dev/full/r.md', async () => {}, 'a part of its path is not a folder'],
  ])('does not write in place of %s, tells the plan, and ends in 1', async (_, name, prepared, why) => {
    await prepared()
    const before = await list('.')
    const { code, stdout, stderr } = await vexil(['plan', '--report', name, '--report', 'good.txt'])
    expect(code).toBe(1)
    expect(stderr).toContain(`vexil: the report cannot be written to ${JSON.stringify(name)}: ${why}`)
    expect(stdout).toMatch(/^MEDIUM risk: plan for/)
    expect(await list('.')).toEqual([...before, 'good.txt'].sort())
    expect(await readFile(at('good.txt'), 'utf8')).toBe(stdout)
  })

  it('ends in what is worse than a report that cannot be written', async () => {
    const { code } = await vexil('plan --detailed-exitcode --report vexil.yaml/r.md')
    expect(code).toBe(1)
  })

  it('says why a command failed, in the place of what it would have told', async () => {
    const { code } = await vexil('plan --report r.md --report r.junit.xml', { env: {} })
    expect(code).toBe(1)
    const text = await read('r.md')
    expect(text).toMatch(/^<!-- vexil:plan -->\n### Failed: vexil plan\n/)
    expect(text).toContain('#### PROBLEMS')
    expect(await read('r.junit.xml')).toContain('failures="1"')
  })

  it('has the problems of files, with paths from where the command runs', async () => {
    await write({
      'infra/vexil.yaml': 'version: 1\nfiles: [f.yaml]\n',
      'infra/f.yaml': 'feature_flags: { a: { actve: true } }\n',
    })
    for (const command of ['validate', 'plan']) {
      expect(await vexil(`${command} -C infra --report r.sarif --report r.md`)).toMatchObject({ code: 1 })
      const [{ results }] = JSON.parse(await read('r.sarif')).runs
      const uris = results.map((each: Result) => each.locations[0].physicalLocation.artifactLocation.uri)
      expect(uris).toContain('infra/f.yaml')
      expect(uris.filter((uri: string) => !uri.startsWith('infra/'))).toEqual([])
      expect(await read('r.md')).toContain('`infra/f.yaml:1`')
    }
  })

  it('tells what an apply has done, also where it failed half-way', async () => {
    service.faults('POST /feature_flags nth=1 status=400')
    const { code } = await vexil('apply --auto-approve --report r.md')
    expect(code).toBe(4)
    const text = await read('r.md')
    expect(text).toContain(': Partly applied\n')
    expect(text).toContain('failed')
    expect(text).toContain('created')
  })

  it('keeps the plan where nobody agreed to it, with why it was not carried out', async () => {
    const { code } = await vexil('apply --no-input --report r.md')
    expect(code).toBe(3)
    const text = await read('r.md')
    expect(text).toMatch(/^<!-- vexil:plan -->\n### Plan: MEDIUM risk\n/)
    expect(text).toContain('#### PROBLEMS')
    expect(text).toContain('`flag checkout`')
  })

  it('keeps the plan of an apply that had nothing to do', async () => {
    await vexil('apply --auto-approve')
    expect(await vexil('apply --auto-approve --report r.md')).toMatchObject({ code: 0 })
    expect(await read('r.md')).toMatch(/^<!-- vexil:plan -->\n### Plan: No changes\n/)
  })

  it('never holds the key', async () => {
    const key = service.env.VEXIL_API_KEY ?? ''
    await declareFlags(`  checkout: { name: "it is ${key}", active: true }`)
    const given = extensions.flatMap(extension => ['--report', `r${extension}`])
    await vexil(['plan', ...given])
    for (const name of (await readdir(workspace().path)).filter(each => each.startsWith('r.')))
      expect(await readFile(at(name), 'utf8')).not.toContain(key)
  })
})
