import { describe, expect, it } from 'vitest'
import type { ProcessHost } from '../../../src/cli/host/host.ts'
import { guardHost } from '../../../src/cli/host/processes.ts'
import { anOrganization, useWorkspace } from '../../support/workspace.ts'

const commands = ['::notice::harmless', '##[notice]harmless', '##vso[task.debug]harmless']
/** Each where a line may begin: at once, behind blanks, and behind a line end. */
const texts = commands.flatMap(command => [command, `  ${command}`, `a\n\t${command}`])
const filters = { groups: [{ rollout_percentage: 50 }], payloads: { true: JSON.stringify(texts) } }
const seed = anOrganization({
  plugins: [{ name: 'geo', plugin_type: 'source', source: { 'index.ts': texts.join('\n') } }],
  projects: [
    {
      id: 1,
      name: 'P',
      feature_flags: texts.map((name, at) => ({
        key: `f${at}`,
        name,
        active: true,
        filters,
        tags: [name.trim()],
      })),
    },
  ],
})
const declared = texts.map((_, at) => `  f${at}: { name: new, tags: [], active: false }\n`)
const bench = useWorkspace(
  {
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': `feature_flags:\n${declared.join('')}plugins: { geo: { source: { index.ts: new } } }\n`,
  },
  { seed },
)

const on = (env: object) => ({ env: { ...bench().service.env, ...env } })
const runners = [
  { GITHUB_ACTIONS: 'true' },
  { GITEA_ACTIONS: 'true' },
  { TF_BUILD: 'True' },
  { TEAMCITY_VERSION: '1' },
]
const lines = [
  'plan',
  'plan --json',
  'plan --log-format json',
  'drift',
  'export --json',
  'call feature_flag.list',
  'apply --auto-approve',
  'history',
  'undo last --auto-approve',
]
/** As the runners look for them. */
const obeyed = /^\s*::\w|##(?:vso)?\[/m

describe('a live text that is a command of a runner of pipelines', () => {
  it.each(runners)('is shown and not obeyed: %j', async env => {
    let shown = 0
    for (const line of lines) {
      const { code, stdout, stderr } = await bench().vexil(line, on(env))
      expect([line, code === 0 || code === 6]).toEqual([line, true])
      expect(obeyed.exec(`${stdout}\n${stderr}`)?.input.slice(0, 300)).toBeUndefined()
      shown += stdout.split('harmless').length - 1
    }
    expect(shown).toBeGreaterThan(50)
  })

  it('keeps its value in JSON', async () => {
    const { stdout } = await bench().vexil('call feature_flag.list', on({ GITHUB_ACTIONS: 'true' }))
    const names = JSON.parse(stdout).results.map((flag: { name: string }) => flag.name)
    expect(names.sort()).toEqual([...texts].sort())
  })

  it('is not exported into the log, and is into a file', async () => {
    const env = on({ GITHUB_ACTIONS: 'true' })
    const refused = await bench().vexil('export', env)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toBe('')
    expect(refused.stderr).toContain('a line that the runner would read as a command; write it to a file')
    const written: string[] = []
    const stdout = { write: (text: string) => void written.push(text), isTerminal: false, isFile: true }
    expect(await bench().vexil('export', { ...env, host: { stdout } })).toMatchObject({ code: 0 })
    expect(written.join('')).toContain(commands[1])
  })

  it('is looked for in one pass, however many empty lines there are', () => {
    const written: string[] = []
    const stream = { write: (text: string) => void written.push(text), isTerminal: false }
    const outside = { stdout: stream, stderr: stream, env: { GITHUB_ACTIONS: 'true' } }
    const lines = '\n'.repeat(1_000_000)
    // Nothing else of the process is asked for.
    guardHost(outside as unknown as ProcessHost).stdout.write(`${lines}  ::notice::harmless`)
    expect(written.pop() === `${lines}  \\u003a:notice::harmless`).toBe(true)
    guardHost(outside as unknown as ProcessHost).stdout.write(`${lines}x`)
    expect(written.pop() === `${lines}x`).toBe(true)
  })

  it('is shown as it is elsewhere', async () => {
    const { stdout } = await bench().vexil('call feature_flag.list')
    expect(stdout).toMatch(obeyed)
  })
})
