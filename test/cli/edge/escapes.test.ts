import { describe, expect, it } from 'vitest'
import { variants } from '../../support/rounds.ts'
import { useWorkspace } from '../../support/workspace.ts'
import { apart, commandLines, filesOfOthers, hostileLines } from './commands.ts'
import { formsIn, key } from './key-forms.ts'
import { knownCommands } from './program.ts'

/** Sets a title, clears the screen, colours, turns the reading direction, hides, starts the line again. */
const evil = '\u001b]0;x\u0007\u001b[2J\u001b[35m\u001b[31;1m\u202egnp\u200b\u009b31m\u0085\r'
const trick = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** The colours of this house, which nothing else is taken for. */
const ownColour = /\u001b\[(?:1|2|22|31|32|33|39)m/g

const quoted = JSON.stringify(evil)
const workspace = useWorkspace(
  {
    ...filesOfOthers(evil),
    'vexil.yaml': 'version: 1\nownership: { tag: ours, prune: owned }\n',
    'flags.yaml': `feature_flags:
  ${quoted}: { name: ${quoted}, active: false, tags: [${quoted}], filters: {} }
`,
    'broken/vexil.yaml': `version: 1\n${quoted}: ${quoted}\n`,
    'broken/flags.yaml': `feature_flags:\n  ${quoted}: { ${quoted}: ${quoted} }\n`,
  },
  { apiKey: key },
)
const { vexil, service } = workspace

const commands = knownCommands().filter(({ name }) => !apart.includes(name) && !name.startsWith('terraform'))

/** Where a command writes. A pipeline has no spinner, which is drawn with control characters of our own. */
const places = [
  { place: 'a terminal with colours', isTerminal: true, env: { CI: '1' } },
  { place: 'a terminal', isTerminal: true, env: { CI: '1', NO_COLOR: '1' } },
  { place: 'a pipe', isTerminal: false, env: {} },
]

describe.each(variants(places))('on $place', ({ isTerminal, env }) => {
  const printed = async (line: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const written: string[] = []
    const stream = { isTerminal, write: (text: string) => void written.push(text) }
    await vexil(line, {
      env: { ...service.env, ...env, ...more },
      host: { stdout: stream, stderr: stream },
    })
    const text = written.join('')
    return isTerminal && !('NO_COLOR' in env) ? text.replaceAll(ownColour, '') : text
  }

  it('no argument and no option reaches the output raw, and none with the key of the service', async () => {
    for (const line of hostileLines(`${evil}${key}`, commands)) {
      const text = await printed(line)
      expect({ line, text }).toMatchObject({ text: expect.not.stringMatching(trick) })
      expect({ line, forms: formsIn(text) }).toEqual({ line, forms: [] })
    }
  }, 60_000)

  it('no text of a file reaches it raw', async () => {
    for (const line of commandLines('x')) {
      expect({ line, printed: await printed(line) }).toMatchObject({
        printed: expect.not.stringMatching(trick),
      })
    }
    for (const line of ['validate', 'plan', 'export', 'doctor', 'validate --json']) {
      const text = await printed([...line.split(' '), '-C', 'broken'])
      expect({ line, text }).toMatchObject({ text: expect.not.stringMatching(trick) })
    }
  }, 60_000)

  it.each([
    'VEXIL_BASE_URL',
    'VEXIL_API_KEY',
    'VEXIL_API_KEY_FILE',
    'VEXIL_PROJECT_ID',
    'VEXIL_ORGANIZATION_ID',
    'VEXIL_PROFILE',
    'VEXIL_PARALLELISM',
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
  ])('%s does not reach it raw', async name => {
    for (const line of ['plan', 'doctor', 'call feature_flag.list']) {
      const own: Record<string, string> = name === 'VEXIL_API_KEY_FILE' ? { VEXIL_API_KEY: '' } : {}
      const text = await printed(line.split(' '), { ...own, [name]: evil })
      expect(text).not.toMatch(trick)
      expect(text.length).toBeGreaterThan(10)
    }
  })
})

describe('what a program reads', () => {
  it('is as it is in a pipe', async () => {
    await service.send('POST', '/api/projects/1/feature_flags/', { key: 'a', name: 'a\u200bb', filters: {} })
    expect((await vexil('export')).stdout).toMatch(/a(\u200b|\\u200[bB])b/)
  })
})
