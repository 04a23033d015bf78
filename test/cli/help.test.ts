import { describe, expect, it } from 'vitest'
import { commandGroups } from '../../src/cli/command-options.ts'
import { version } from '../../src/model/version.ts'
import { cli } from '../support/cli.ts'
import { aProgram } from '../support/program.ts'

const vexil = (line: string) => cli(line, { directory: import.meta.dirname })

const program = aProgram()

// `complete` is for the scripts of shells.
const shownCommands = program.commands.filter(command => command.name() !== 'complete')
const commands = shownCommands.map(command => ({
  name: command.name(),
  options: command.options.map(option => option.flags),
}))

/** The parts of a page of help: the first word of each line below a heading. */
function blocksOf(help: string) {
  return [...help.matchAll(/^([A-Z][^:\n]*):\n((?: {2}.*\n)+)/gm)].map(([, heading = '', lines = '']) => ({
    heading,
    lines: lines.trimEnd().split('\n'),
    names: [...lines.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name),
  }))
}

describe('help', () => {
  it.each(['--version', '-V'])('%s prints the version alone', async flag => {
    expect(await vexil(flag)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(['--help', '-h', 'help'])(
    '%s lists every command and the exit codes, and is no failure',
    async flag => {
      const { code, stdout, stderr } = await vexil(flag)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
      expect(stdout).toContain('Exit codes: 0 done')
    },
  )

  it('lists every command once, in one line, under one of the headings', async () => {
    const { stdout } = await vexil('--help')
    const listed = blocksOf(stdout).filter(({ heading }) => commandGroups.some(each => each === heading))
    expect(listed.map(({ heading }) => heading)).toEqual(commandGroups)
    expect(listed.flatMap(({ names }) => names).sort()).toEqual(
      ['help', ...commands.map(({ name }) => name)].sort(),
    )
    expect(listed.map(({ lines }) => lines.length)).toEqual(listed.map(({ names }) => names.length))
    expect(blocksOf(stdout).filter(({ heading }) => heading === 'Commands')).toEqual([])
    expect(listed.at(-1)?.names).toEqual(expect.arrayContaining(['call', 'unlock', 'demo', 'completion']))
  })

  it.each(['plan', 'apply'])('of %s fits a screen of 50 lines and 80 columns', async name => {
    const lines = (await vexil(`${name} --help`)).stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(50)
    expect(lines.filter(line => line.length > 80)).toEqual([])
  })

  it('has options of stacks under a heading of their own', async () => {
    const { stdout } = await vexil('plan --help')
    const stacks = blocksOf(stdout).find(({ heading }) => heading.startsWith('Stacks'))
    expect(stacks?.names).toEqual(['--stack', '--app', '--var', '--provider', '--engine', '--plan-json'])
  })

  it.each(commands)('of $name says every option in words', async ({ name, options }) => {
    const { code, stdout, stderr } = await vexil(`${name} --help`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const flags of options) {
      const [, words] = stdout.split(flags)
      expect(words?.trim().length, flags).toBeGreaterThan(3)
    }
    expect((await vexil(`help ${name}`)).stdout).toBe(stdout)
  })

  it('without a command is shown as wrong usage', async () => {
    const { code, stdout, stderr } = await vexil('')
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain('Usage: vexil')
  })
})

describe('wrong usage', () => {
  it.each([
    ['plna', "unknown command 'plna'\n(Did you mean plan?)"],
    ['plan --tagret x', "unknown option '--tagret'\n(Did you mean --target?)"],
    ['lint', "unknown command 'lint'\n(Did you mean validate?)\n(vexil --help lists the commands)\n"],
    ['destroy', `unknown command 'destroy'\n(Did you mean "ensure: absent" in a declaration`],
    ['plan --out', "option '-o, --out <file>' argument missing"],
    [
      'plan --color blue',
      "option '--color <when>' argument 'blue' is invalid. Allowed choices are auto, always, never.",
    ],
    ['show', 'show takes one plan: a saved one, or --terraform-plan FILE'],
    ['undo', "missing required argument 'run'"],
    [
      'validate --stack stacks/one stacks/two',
      "too many arguments for 'validate'. Expected 0 arguments but got 1.\n(An option takes one value: repeat the option, and put patterns into quotes.)\n",
    ],
    ['terraform instal', "unknown command 'instal'\n(Did you mean install?)"],
    [
      'terraform install --bogus',
      "unknown option '--bogus'\n(vexil terraform install --help lists the options)\n",
    ],
    ['terraform serve', "missing required argument 'command'"],
  ])('%s ends in 64 and says what was meant', async (line, message) => {
    const { code, stdout, stderr } = await vexil(line)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr.startsWith(`vexil: ${message}`), stderr).toBe(true)
  })

  it('keeps what was typed from moving the cursor', async () => {
    const { stderr } = await vexil('plan --\u001b[2Jout')
    expect(stderr).not.toContain('\u001b')
  })
})

describe('vexil schema', () => {
  it('lists the schemas, and prints one', async () => {
    const { stdout } = await vexil('schema')
    const names = stdout.trim().split('\n')
    expect(names).toEqual(
      expect.arrayContaining(['declarations', 'settings', 'plan', 'world', 'feature_flag']),
    )
    for (const name of names) {
      const schema = JSON.parse((await vexil(`schema ${name}`)).stdout)
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    }
    expect(await vexil('schema setings')).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: there is no schema "setings"; did you mean "settings"?\n',
    })
  })

  it('prints every kind as Markdown', async () => {
    const { code, stdout } = await vexil('schema --markdown')
    expect(code).toBe(0)
    for (const section of ['feature_flags', 'plugins', 'event_definitions'])
      expect(stdout).toContain(`\`${section}\``)
    expect(await vexil('schema plan --markdown')).toMatchObject({ code: 64, stdout: '' })
  })
})
