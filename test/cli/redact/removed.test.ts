import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, write, read, records } = workspace

describe('a sensitive flag that is deleted', () => {
  const flag = (lines: string) => ({
    'flags.yaml': `feature_flags:
  usual: { active: true, rollout_percentage: 10, tags: [ours] }
${lines}`,
  })
  const prices = `  prices:
    active: true
    rollout_percentage: 100
    payloads: { true: { price: 471123 } }
    tags: [ours]
    sensitive: true
`

  it.each([
    {
      how: 'is declared absent and sensitive',
      lines: '  prices: { ensure: absent, sensitive: true }\n',
      settings: '',
      isShown: false,
    },
    {
      how: 'is declared nowhere, with payloads hidden',
      lines: '',
      settings: 'redact: [payloads]\n',
      isShown: false,
    },
    { how: 'is declared nowhere', lines: '', settings: '', isShown: true },
  ])('tells its payload or not as the pages say, where it $how', async ({ lines, settings, isShown }) => {
    const always = 'version: 1\nownership: { tag: ours, prune: owned }\n'
    await write({ 'vexil.yaml': always, ...flag(prices) })
    const made = await vexil('apply --auto-approve')
    expect(made.code, made.stderr).toBe(0)
    await write({ 'vexil.yaml': always + settings, ...flag(lines) })
    const { code, stdout, stderr } = await vexil('plan --json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).changes).toMatchObject([{ address: 'feature_flag.prices', action: 'delete' }])
    expect(stdout.includes('471123')).toBe(isShown)
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    const record = await read(`.vexil/runs/${(await records()).at(-1)}`)
    expect(record).toContain('"delete"')
    expect(record.includes('471123')).toBe(isShown)
  })
})
