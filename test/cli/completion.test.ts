import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Host } from '../../src/cli/host/host.ts'
import { createProgram, runCommandLine } from '../../src/cli/program.ts'
import { sources, takesValue, valueWord } from '../../src/cli/tools/candidates.ts'
import { guardRules } from '../../src/model/guard-rules.ts'
import { built } from '../support/built.ts'
import { useWorkspace, type Workspace } from '../support/workspace.ts'

const vexilFile = built('vexil.cjs')

const workspace = useWorkspace({
  'vexil.yaml': `version: 1
environments: { staging: { project: "2" }, production: { project: "1" } }
roles: { support: 01900000-0000-0000-0000-0000000000aa }
`,
  'flags.yaml': `feature_flags: { checkout: { active: true }, checkout_v2: {} }
feature_flag_role_access: [{ flag: checkout, role: support }]
event_definitions: { paid: { tags: [payments] } }
`,
  'notes.txt': '',
})
const { vexil, write } = workspace

/** What `vexil complete` offers after a line that ends in the given words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await vexil(['complete', 'bash', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').filter(line => line !== '')
}

/** Asks bash itself, with the program as it is packed. */
async function offeredInBash({ vexil, path }: Workspace, ...words: readonly string[]): Promise<string[]> {
  const { stdout: script } = await vexil('completion bash')
  const quoted = words.map(word => `'${word}'`).join(' ')
  const asking = `vexil() { '${process.execPath}' '${vexilFile}' "$@"; }
${script}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _vexil; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-u', '-c', asking], {
    encoding: 'utf8',
    cwd: path,
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.split('\n').filter(line => line !== '')
}

describe('vexil complete', () => {
  it.each([
    ['commands', ['pl'], ['plan']],
    ['commands below a command', ['terraform', ''], ['install', 'serve', 'help']],
    ['no hidden command', ['comp'], ['compare', 'completion']],
    ['options of a command', ['plan', '--de'], ['--detailed-exitcode']],
    ['the other form of an option', ['plan', '--no-c'], ['--no-color']],
    ['choices of an option', ['plan', '--prune', ''], ['never', 'owned', 'all']],
    ['choices behind the sign', ['plan', '--prune=o'], ['--prune=owned']],
    ['environments', ['plan', '--env', ''], ['staging', 'production']],
    ['environments for the short form', ['plan', '-e', 'p'], ['production']],
    ['environments to compare', ['compare', 'staging', ''], ['staging', 'production']],
    ['objects to compare', ['compare', 'staging', 'production', 'ev'], ['event_definition.paid']],
    ['addresses', ['plan', '-t', 'feature_flag.'], ['feature_flag.checkout', 'feature_flag.checkout_v2']],
    ['addresses of grants', ['drift', '-t', 'feature_flag_'], ['feature_flag_role_access.checkout:support']],
    ['addresses as arguments', ['claim', 'feature_flag.checkout', 'ev'], ['event_definition.paid']],
    ['rules', ['plan', '--allow', 'rollout'], ['rollout_step']],
    ['what holds a flag', ['retire', 'checkout', '--allow', 're'], ['references']],
    ['rules beside it', ['retire', 'checkout', '--allow=exp'], ['--allow=experiment']],
    [
      'addresses of a rule beside it',
      ['retire', '--allow', 'rollback=ev'],
      ['rollback=event_definition.paid'],
    ],
    ['addresses of a rule', ['plan', '--allow', 'rollback=ev'], ['rollback=event_definition.paid']],
    ['operations', ['call', 'feature_flag.re'], ['feature_flag.read', 'feature_flag.readByKey']],
    ['arguments of an operation', ['call', 'event.values', ''], ['project_id=', 'format=']],
    ['arguments that were not given', ['call', 'event.values', 'format=csv', ''], ['project_id=']],
    ['schemas', ['schema', 'pl'], ['plugin', 'plan']],
    ['quirks', ['sandbox', '--quirk', 'survey_flags='], ['survey_flags=shown', 'survey_flags=hidden']],
    ['scopes', ['sandbox', '--scope', 'event'], ['event_definition:read', 'event_definition:write']],
    ['profiles', ['plan', '--profile', ''], ['auto', 'documented', 'posthog', 'posthog-2026']],
    ['kinds', ['export', '--kind', 'pl'], ['plugin']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['files', ['apply', ''], [':files']],
    ['files after an option', ['plan', '--out', ''], [':files']],
    ['nothing where nobody knows', ['plan', '--project', ''], []],
    ['nothing where an argument too much is', ['plan', ''], []],
    ['nothing for options after the end of them', ['claim', '--', '--a'], []],
  ])('offers %s: %j', async (_, words, offers) => {
    expect(await offered(...words)).toEqual(offers)
  })

  it('offers every rule', async () => {
    expect(await offered('plan', '--allow', '')).toEqual([...guardRules])
  })

  it('offers runs, the newest first', async () => {
    await write({ 'vexil.yaml': 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n' })
    await vexil('apply --auto-approve -t checkout')
    await vexil('apply --auto-approve -t checkout_v2')
    const [last, newest, older, ...more] = await offered('undo', '')
    expect({ last, more }).toEqual({ last: 'last', more: [] })
    expect(newest! > older!).toBe(true)
  })

  it('reads the folder that the line names, and a repository with problems', async () => {
    await write({ 'other/vexil.yaml': 'version: 1\nenvironments: { only: { project: "3" } }\n' })
    await write({ 'other/flags.yaml': 'feature_flags: { banner: { actve: true } }\n' })
    expect(await offered('plan', '-C', 'other', '--env', '')).toEqual(['only'])
    expect(await offered('plan', '-C', 'other', '-t', 'f')).toEqual(['feature_flag.banner'])
    expect(await offered('plan', '-C', 'nowhere', '-t', 'f')).toEqual([])
  })

  it('offers nothing that a terminal would not show as it is', async () => {
    await write({ 'flags.yaml': 'feature_flags: { "a\\e]0;x\\a": {}, b: {} }\n' })
    expect(await offered('plan', '-t', '')).toEqual(['feature_flag.b'])
  })

  it('knows of every option and argument what it can be', () => {
    const all = commandsBelow(createProgram({} as Host, { code: 0 }, runCommandLine))
    const options = all.flatMap(each => each.options).filter(each => takesValue(each) && !each.argChoices)
    const words = all.flatMap(each => each.registeredArguments).map(argument => argument.name())
    const keys = options.map(each => (each.long! in sources ? each.long! : valueWord(each)))
    expect(new Set([...keys, ...words])).toEqual(new Set([...Object.keys(sources), ...freeWords]))
  })
})

/** Words of help whose values nobody can know. */
const freeWords = [
  ...[
    'alias',
    'command',
    'commit',
    'date',
    'host',
    'host:port',
    'id',
    'key',
    'n',
    'name',
    'name=value',
    'number',
  ],
  ...[
    'percent',
    'percentage',
    'rule',
    'text',
    'time',
    'type.name=value',
    'type=key',
    'url',
    'value',
    'words',
  ],
]

describe('vexil completion', () => {
  it('is a script that bash reads and registers', async () => {
    const { stdout: script } = await vexil('completion bash')
    expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    const registered = spawnSync('bash', ['--norc', '-c', `${script}\ncomplete -p vexil`], {
      encoding: 'utf8',
    })
    expect(registered.stdout).toContain('-F _vexil vexil')
  })

  it.each([
    ['commands', ['vexil', 'und'], ['undo']],
    ['values of an option', ['vexil', 'plan', '--prune', ''], ['never', 'owned', 'all']],
    ['environments', ['vexil', 'plan', '--env', 'st'], ['staging']],
    // Bash takes "=" and ":" for words of their own, and wants what comes after the last of them.
    ['values behind a sign', ['vexil', 'plan', '--prune', '=', 'o'], ['owned']],
    ['addresses of a rule', ['vexil', 'plan', '--allow', 'rollback', '=', 'ev'], ['event_definition.paid']],
    [
      'what follows a colon',
      ['vexil', 'plan', '-t', 'feature_flag_role_access.checkout', ':', ''],
      ['support'],
    ],
    ['files', ['vexil', 'apply', 'no'], ['notes.txt']],
  ])('offers %s in bash: %j', async (_, words, offers) => {
    expect(await offeredInBash(workspace(), ...words)).toEqual(offers)
  })

  it('gives zsh and fish what a value means beside it', async () => {
    const zsh = await vexil(['complete', 'zsh', '--', 'plan', '-t', 'feature_flag_'])
    expect(zsh.stdout).toBe('feature_flag_role_access.checkout\\:support\n')
    const fish = await vexil(['complete', 'fish', '--', 'und'])
    expect(fish.stdout).toMatch(/^undo\trestore what a run changed/)
    for (const shell of ['zsh', 'fish']) {
      expect((await vexil(`completion ${shell}`)).stdout).toContain(`vexil complete ${shell} --`)
    }
  })

  it('says which shells there are', async () => {
    expect(await vexil('completion powershell')).toEqual({
      code: 64,
      stdout: '',
      stderr: 'vexil: "powershell" is not a shell that has completion; there are bash, zsh and fish\n',
    })
  })
})

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap(below => [below, ...commandsBelow(below)])
}
