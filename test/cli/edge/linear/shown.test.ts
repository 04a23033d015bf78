import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../../support/workspace.ts'

const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n' })
const { vexil, write } = workspace

const flag = (key: string, more = '') =>
  `  ${key}: { active: false, filters: { groups: [{ rollout_percentage: 10 }] }${more} }\n`
const warned = (count: number) =>
  Array.from({ length: count }, (_, at) => flag(`"key with blanks ${at}"`)).join('')
const misspelt = flag('checkout', ', actve: true')

describe('very many problems', () => {
  it('are all shown as long as there are a thousand', async () => {
    await write({ 'flags.yaml': `feature_flags:\n${warned(999)}${misspelt}` })
    const { stdout, stderr } = await vexil('validate')
    expect(stderr.match(/^flags\.yaml:\d+:\d+ /gm)).toHaveLength(1000)
    expect(stderr).not.toContain('more')
    expect(stdout).toBe('2 files checked: 1 error, 999 warnings\n')
  })

  it('never hide an error, and are counted', async () => {
    await write({ 'flags.yaml': `feature_flags:\n${warned(1200)}${misspelt}` })
    const { code, stdout, stderr } = await vexil('validate')
    const shown = stderr.match(/^flags\.yaml:\d+:\d+ /gm) ?? []
    expect(shown).toHaveLength(1000)
    expect(shown.at(0)).toBe('flags.yaml:2:3 ')
    expect(shown.at(-2)).toBe('flags.yaml:1000:3 ')
    expect(stderr).toContain('"actve" is not a field of a flag; did you mean "active"?')
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'and 201 warnings more; with --json a command lists all of them',
    )
    expect([code, stdout]).toEqual([1, '2 files checked: 1 error, 1200 warnings\n'])
  })

  it('are listed whole for programs', async () => {
    await write({ 'flags.yaml': `feature_flags:\n${warned(1200)}${misspelt}` })
    const { problems, errors } = JSON.parse((await vexil('validate --json')).stdout)
    expect([problems.length, errors.length]).toEqual([1201, 1])
  })

  it('are annotated as far as they are shown', async () => {
    await write({ 'flags.yaml': `feature_flags:\n${warned(1200)}${misspelt}` })
    const { stderr } = await vexil('validate --json', { env: { GITHUB_ACTIONS: 'true' } })
    expect(stderr.match(/^::(error|warning) /gm)).toHaveLength(1000)
    expect(stderr.match(/^::error /gm)).toHaveLength(1)
  })
})
