import { describe, expect, it } from 'vitest'
import { jsonLines, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace

/** The lines of standard error without their times. */
function linesOf({ stderr }: { readonly stderr: string }) {
  return jsonLines(stderr).map(({ time, ...line }) => {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return line
  })
}

describe('--log-format', () => {
  it('json gives each problem of a file with its place', async () => {
    await write({
      'some/vexil.yaml': 'version: 1\n',
      'some/flags.yaml': 'feature_flags:\n  a: { actve: true }\n',
    })
    const result = await vexil('plan -C some --log-format json')
    expect(result.code).toBe(1)
    expect(linesOf(result)).toEqual([
      {
        level: 'error',
        message: '"actve" is not a field of a flag',
        code: 'unknown-key',
        hint: 'did you mean "active"?',
        ...{ address: 'feature_flag.a', file: 'some/flags.yaml', line: 2, column: 8 },
      },
      { level: 'error', message: expect.stringContaining('1 error') },
    ])
  })

  it.each([
    ['plan --log-format json --tagret x', 'unknown option'],
    ['plan --log-format=json --tagret x', 'unknown option'],
    ['--log-format json plna', 'unknown command'],
    ['plan --log-format json --quiet --verbose', "option '--quiet' cannot be used with option '--verbose'"],
  ])('json tells wrong usage as JSON too: %s', async (line, words) => {
    const result = await vexil(line)
    expect(result.code).toBe(64)
    const [first] = linesOf(result)
    expect(first).toEqual({ level: 'error', code: 'usage', message: expect.stringContaining(words) })
  })

  it('json says what the service answered apart from the words', async () => {
    const result = await vexil('plan --log-format json', {
      env: { ...service.env, VEXIL_API_KEY: 'phx_another_key' },
    })
    expect(linesOf(result)).toEqual([
      {
        level: 'error',
        code: 'service',
        status: 401,
        request: 'GET /api/projects/1/feature_flags?limit=1000',
        message: expect.stringContaining('401'),
      },
    ])
  })

  it('leaves standard output as it is, and text is what it is without', async () => {
    const plain = await vexil('plan')
    expect(await vexil('plan --log-format text')).toEqual(plain)
    expect((await vexil('plan --log-format json')).stdout).toBe(plain.stdout)
  })

  it('is what VEXIL_LOG_FORMAT says where no option does', async () => {
    const line = 'plan --target nothing'
    const env = { ...service.env, VEXIL_LOG_FORMAT: 'json' }
    expect(linesOf(await vexil(line, { env }))).toHaveLength(1)
    expect((await vexil(`${line} --log-format text`, { env })).stderr).toMatch(/^vexil: /)
    const wrong = await vexil(line, { env: { ...env, VEXIL_LOG_FORMAT: 'xml' } })
    expect(wrong).toMatchObject({
      code: 64,
      stderr: 'vexil: VEXIL_LOG_FORMAT is "xml"; it takes text or json\n',
    })
  })
})

describe('--quiet', () => {
  it('leaves out what to type next and what is a hint, and tells errors and warnings', async () => {
    const plan = await vexil('plan')
    const quiet = await vexil('plan --quiet')
    expect(plan.stdout.startsWith(quiet.stdout.trimEnd())).toBe(true)
    expect(plan.stdout.slice(quiet.stdout.trimEnd().length)).toMatch(/^\s+\S.*vexil apply.*\s+$/)
    expect(await vexil('history')).toMatchObject({ stderr: 'no runs are on record here\n' })
    expect(await vexil('history --quiet')).toMatchObject({ stderr: '', code: 0 })
    await write({ 'flags.yaml': 'feature_flags: {}\n' })
    expect((await vexil('plan --quiet')).stderr).toContain('no declarations found')
    expect((await vexil('plan --quiet --target nothing')).stderr).toMatch(/^vexil: /)
  })

  it('tells the plan that somebody is asked about', async () => {
    const told = await vexil('apply --json', { answer: 'no' })
    expect(await vexil('apply --json --quiet', { answer: 'no' })).toMatchObject({
      stderr: told.stderr,
      code: 3,
    })
    expect(told.stderr).toContain('flag checkout')
  })

  it.each(['--quiet --verbose', '--verbose --quiet'])('cannot go with --verbose: %s', async options => {
    const { code, stderr } = await vexil(`plan ${options}`)
    expect(code).toBe(64)
    expect(stderr).toContain("option '--quiet' cannot be used with option '--verbose'")
  })
})
