import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const nul = 'a\u0000b'
const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': 'feature_flags: { checkout: { active: false, filters: {} } }\n',
})
const { vexil, write } = workspace

describe('a NUL in a path', () => {
  it.each([
    ['validate', '-C', nul],
    ['validate', '--stack', nul],
    ['plan', '--out', nul],
    ['plan', '--report', `html=${nul}`],
    ['plan', '--plan-json', nul],
    ['apply', nul],
    ['show', '--terraform-plan', nul],
    ['drift', '--metrics', nul],
    ['export', '--from-state', nul],
    ['init', nul],
    ['call', 'feature_flag.create', '--body', `@${nul}`],
    ['sandbox', '--port', '0', '--world', nul],
  ])('is one line of %s %s', async (...argv) => {
    const { code, stdout, stderr } = await vexil(argv)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(/^vexil: the argument ".*a\\u0000b" has a NUL character\n$/)
  })

  it.each([
    ['a list of files', { 'vexil.yaml': 'version: 1\nfiles: ["a\\0b.yaml"]\n' }],
    [
      'the source of a plugin',
      { 'flags.yaml': 'plugins: { p: { plugin_type: source, source: { a.ts: { file: "a\\0b" } } } }\n' },
    ],
  ])('is a problem in %s', async (_, files) => {
    await write(files)
    const { code, stdout, stderr } = await vexil('validate')
    expect(code).toBe(1)
    expect(stdout + stderr).not.toMatch(/ERR_|null bytes|\0/)
  })
})
