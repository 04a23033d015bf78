import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const ugly = `feature_flags:
    a: # one
        release: { b: { rollout_percentage: 1 }, a: { rollout_percentage: 2 } }
        name: 'A'
`
const tidy = `feature_flags:
  a: # one
    name: 'A'
    release: { b: { rollout_percentage: 1 }, a: { rollout_percentage: 2 } }
`
const workspace = useWorkspace({
  'vexil.yaml': 'version:   1\n',
  'flags/a.yaml': ugly,
  'flags/b.yaml': tidy.replace('a: #', 'b: #'),
  'compose.yaml': 'services:\n    a: {}\n',
})
const { vexil, write, read } = workspace

describe('vexil fmt', () => {
  it('writes the files of declarations that are not as they are to be, and no others', async () => {
    const { code, stdout, stderr } = await vexil('fmt', { env: {} })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^--- a\/flags\/a\.yaml\n[\s\S]*\nwrote flags\/a\.yaml\n$/)
    expect(await read('flags/a.yaml')).toBe(tidy)
    expect(await read('vexil.yaml')).toBe('version:   1\n')
    expect(await read('compose.yaml')).toBe('services:\n    a: {}\n')
    expect(await vexil('fmt', { env: {} })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await vexil('fmt --check', { env: {} })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('ends in 2 with --check where something would be written, and writes nothing', async () => {
    const { code, stdout } = await vexil('fmt --check', { env: {} })
    expect({ code, last: stdout.split('\n').at(-2) }).toEqual({ code: 2, last: 'would write flags/a.yaml' })
    expect(await read('flags/a.yaml')).toBe(ugly)
    expect(await vexil('fmt --check flags/b.yaml', { env: {} })).toMatchObject({ code: 0 })
    const { stdout: json } = await vexil('fmt --check --json', { env: {} })
    expect(JSON.parse(json)).toMatchObject({ exit_code: 2, dry_run: true, files: [{ path: 'flags/a.yaml' }] })
  })

  it('formats standard input', async () => {
    expect(await vexil('fmt -', { env: {}, stdin: ugly })).toEqual({ code: 0, stdout: tidy, stderr: '' })
    expect(await vexil('fmt - --check', { env: {}, stdin: tidy })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(await vexil('fmt --check -', { env: {}, stdin: ugly })).toMatchObject({ code: 2 })
  })

  it('formats a file with problems that can be read, and writes none where one cannot', async () => {
    await write({ 'flags/b.yaml': 'feature_flags:\n    b:\n        nonsense: 1\n' })
    expect((await vexil('fmt', { env: {} })).code).toBe(0)
    expect(await read('flags/b.yaml')).toBe('feature_flags:\n  b:\n    nonsense: 1\n')
    await write({ 'flags/a.yaml': ugly, 'flags/b.yaml': 'feature_flags: [\n' })
    const { code, stderr } = await vexil('fmt', { env: {} })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('flags/b.yaml') })
    expect(await read('flags/a.yaml')).toBe(ugly)
  })

  it('leaves what export writes as it is', async () => {
    await write({
      'flags/b.yaml':
        'event_definitions: {}\nplugins:\n  p: { plugin_type: source, source: { index.ts: "a\\nb\\n" } }\n',
    })
    await write({
      'flags/a.yaml': `${tidy}  c:\n    tags: [x, y]\n    active: true\n    variants: { q: 50, r: 50 }\n    payloads: { q: { a: [1] } }\n    release: { x: { properties: { plan: [a, b], v: { gte: "2" } }, rollout_percentage: 3 } }\n`,
    })
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    await write({ 'flags/a.yaml': 'feature_flags: {}\n', 'flags/b.yaml': '' })
    expect(await vexil('export -d flags')).toMatchObject({ code: 0 })
    expect(await read('flags/feature_flags.yaml')).toContain('rollout_percentage: 3')
    expect(await vexil('fmt --check', { env: {} })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('knows only files of the repository', async () => {
    expect(await vexil('fmt compose.yaml', { env: {} })).toMatchObject({
      code: 64,
      stderr: 'vexil: "compose.yaml" is not a declaration file of this repository\n',
    })
  })
})
