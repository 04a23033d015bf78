import { describe, expect, it } from 'vitest'
import type { ProcessHost } from '../../src/cli/host/host.ts'
import { startProgress, viewOf } from '../../src/cli/host/output.ts'
import { guardHost } from '../../src/cli/host/processes.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service } = workspace

const isColourful = (
  env: Record<string, string>,
  flags: { color?: boolean | string },
  isTerminal: boolean,
) => {
  const stream = { write() {}, isTerminal }
  const host = guardHost({ env, stdout: stream, stderr: stream } as unknown as ProcessHost)
  return viewOf(host, flags).isColourful
}

describe('colours', () => {
  it.each([
    ['on a terminal', {}, {}, true, true],
    ['in a pipe', {}, {}, false, false],
    ['NO_COLOR on a terminal', { NO_COLOR: '1' }, {}, true, false],
    ['an empty NO_COLOR', { NO_COLOR: '' }, {}, true, true],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, {}, false, true],
    ['FORCE_COLOR=0 in a pipe', { FORCE_COLOR: '0' }, {}, false, false],
    ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, {}, true, false],
    ['TERM=dumb', { TERM: 'dumb' }, {}, true, false],
    ['--color always in a pipe', { NO_COLOR: '1' }, { color: 'always' }, false, true],
    ['--color never on a terminal', { FORCE_COLOR: '1' }, { color: 'never' }, true, false],
    ['--color auto', { NO_COLOR: '1' }, { color: 'auto' }, true, false],
    ['--no-color on a terminal', { FORCE_COLOR: '1' }, { color: false }, true, false],
  ])('%s', (_, env, flags, isTerminal, expected) => {
    expect(isColourful(env, flags, isTerminal)).toBe(expected)
  })

  it('carry no meaning: the text is the same without them', async () => {
    const plain = await vexil('plan')
    const coloured = await vexil('plan --color always')
    expect(coloured.stdout).toContain('\u001b[')
    expect(coloured.stdout.replaceAll(/\u001b\[\d+m/g, '').replace(' --color always', '')).toBe(plain.stdout)
    expect((await vexil('plan --no-color', { env: { ...service.env, FORCE_COLOR: '1' } })).stdout).toBe(
      plain.stdout,
    )
  })
})

describe('progress', () => {
  async function shown(env: Record<string, string>, isTerminal: boolean, sleeps: number): Promise<string> {
    const runtime = testRuntime()
    const written: string[] = []
    const stream = { isTerminal, write: (text: string) => void written.push(text) }
    const host = guardHost({ env, runtime, stdout: stream, stderr: stream } as unknown as ProcessHost)
    const progress = startProgress(host, true)
    progress.update('reading')
    for (let slept = 0; slept < sleeps; slept++) await runtime.sleep(0)
    progress.stop()
    return written.join('')
  }

  it('is shown to a person once a second has passed, and wiped', async () => {
    expect(await shown({}, true, 3)).toMatch(
      /^\r\u001b\[2K\| reading(\r\u001b\[2K[/\\|-] reading)*\r\u001b\[2K$/,
    )
    expect(await shown({}, true, 0)).toBe('')
  })

  it.each([
    ['in a pipe', {}, false],
    ['in a pipeline', { CI: 'true' }, true],
    ['on a dumb terminal', { TERM: 'dumb' }, true],
  ])('is not shown %s', async (_, env, isTerminal) => {
    expect(await shown(env, isTerminal, 3)).toBe('')
  })
})
