import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const flags = `persons:
  ada: { distinct_id: ada, properties: { country: DE } }
feature_flags:
  checkout:
    active: true
    owner: shop
    release:
      dach: { properties: { country: [DE, AT] }, variant: one_page }
      rest: { rollout_percentage: 50 }
    variants: { one_page: 50, classic: 50 }
    environments: { staging: { release: { rest: { rollout_percentage: 100 } } } }
    tests:
      - { person: ada, expect: one_page, because: dach }
      - { person: ada, expect: classic, env: staging }
      - { person: { properties: { country: FR } }, expect: false }
  search: { active: true, rollout_percentage: 100, tests: [{ person: ada, expect: true, because: everyone }] }
  later: { active: true, rollout_percentage: 10 }
  off: { active: false, rollout_percentage: 100 }
`
const settings = `version: 1
environments:
  staging: { project: "2" }
  production: { project: "1" }
`
const workspace = useWorkspace({ 'vexil.yaml': settings, 'flags.yaml': flags })

describe('vexil test', () => {
  it('tells each test that does not pass at its line, and asks no service', async () => {
    const { vexil, service } = workspace()
    const { result, requests } = await service.watch(() => vexil('test', { env: {} }))
    expect(requests).toEqual([])
    expect(result).toMatchObject({
      code: 1,
      stdout: '7 tests of 2 flags: 4 passed, 1 failed, 2 undecided\n',
    })
    const told = result.stderr.split('\n').filter(line => line.startsWith('flags.yaml'))
    expect(told).toEqual([
      'flags.yaml:14:9 feature_flag "checkout": in staging, test of "ada": expected classic, got one_page (condition 1: country is DE or AT); correct the flag or the test',
      'flags.yaml:15:9 feature_flag "checkout": in staging and production, test of somebody: expected false, got undecided: the distinct id is not known here; give the person what is missing; what only the service knows cannot be tested here',
    ])
    expect(result.stderr).toContain('> 14 |       - { person: ada, expect: classic, env: staging }\n')
  })

  it.each([
    ['search', 0, '2 tests of 1 flag: 2 passed\n'],
    ['feature_flag.search --env staging', 0, '1 test of 1 flag: 1 passed\n'],
    ['--owner shop -e production', 1, '2 tests of 1 flag: 1 passed, 1 undecided\n'],
    ['later', 0, 'no tests: they stand under "tests", beside a flag or in a file of their own\n'],
  ])('runs those of %s', async (line, code, stdout) => {
    expect(await workspace().vexil(`test ${line}`)).toMatchObject({ code, stdout })
  })

  it.each([
    ['nothing', 64, 'vexil: "nothing" is not declared\n'],
    ['s* --owner shop', 64, 'vexil: nothing that is named is of "shop"\n'],
    ['--owner nobody', 64, 'vexil: "nobody" owns nothing that is declared\n'],
    ['--min-coverage much', 64, 'vexil: --min-coverage takes a percentage from 0 to 100; not "much"\n'],
    ['--min-coverage 101', 64, 'vexil: --min-coverage takes a percentage from 0 to 100; not "101"\n'],
    ['--profile posthog-2030', 64, expect.stringContaining('posthog-2030')],
  ])('refuses %s', async (line, code, stderr) => {
    expect(await workspace().vexil(`test ${line}`)).toEqual({ code, stdout: '', stderr })
  })

  it('lists what no test reaches, environments that are alike in one line', async () => {
    const { stdout } = await workspace().vexil('test --coverage')
    expect(stdout.split('\n').slice(1)).toEqual([
      'reached by tests: 4 of 8 conditions, 2 of 4 variants (50%)',
      '  feature_flag.checkout in staging, production: not reached: condition 2: everyone; variant classic',
      '  feature_flag.later in staging, production: no tests',
      '',
    ])
  })

  it.each([
    [100, 1],
    [75.1, 1],
    [75, 0],
  ])('ends as coverage is asked for: %s', async (least, code) => {
    const { write, vexil } = workspace()
    const texts = flags.replace(/ {6}- \{ person: ada, expect: classic.*\n.*\n/, '')
    await write({
      'flags.yaml': texts
        .replace(/ {2}later.*\n/, '')
        .replace(/, classic: 50/, '')
        .replace('one_page: 50', 'one_page: 100'),
    })
    const result = await vexil(`test -e production --min-coverage ${least}`)
    expect(result.stdout).toContain('2 of 3 conditions, 1 of 1 variant (75%)')
    expect(result.code).toBe(code)
    expect(
      result.stderr.includes(`tests reach 75% of conditions and variants, less than the ${least}% of`),
    ).toBe(code === 1)
  })

  it('tells nothing of tests while the files have errors', async () => {
    const { write, vexil } = workspace()
    await write({ 'flags.yaml': flags.replace('because: dach', 'because: dahc') })
    const { code, stdout, stderr } = await vexil('test')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('"dahc" is neither a condition of the flag nor a reason; did you mean "dach"?')
  })

  it('annotates the lines of a pull request in GitHub Actions', async () => {
    const { vexil, service } = workspace()
    const { stderr } = await vexil('test -e staging', { env: { ...service.env, GITHUB_ACTIONS: 'true' } })
    expect(stderr).toContain(
      '::error file=flags.yaml,line=14,col=9::feature_flag "checkout": in staging, test of "ada"',
    )
  })

  it('gives every test as data with --json', async () => {
    const { code, stdout, stderr } = await workspace().vexil('test --json --coverage -e staging')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { tests, coverage, errors } = JSON.parse(stdout)
    expect(tests.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'passed',
      'failed',
      'undecided',
      'passed',
    ])
    expect(tests[0]).toEqual({
      address: 'feature_flag.checkout',
      environment: 'staging',
      person: 'ada',
      verdict: 'passed',
      expected: { value: 'one_page', because: { condition: 1 } },
      got: {
        value: 'one_page',
        variant: 'one_page',
        payload: null,
        reason: 'condition_match',
        condition: { number: 1, summary: 'country is DE or AT' },
        undecided: null,
        by: expect.any(String),
        others: [],
      },
      source: { file: 'flags.yaml', line: 13, column: 9 },
    })
    expect(coverage).toMatchObject({
      percent: 50,
      conditions: { total: 4, reached: 2 },
      variants: { total: 2, reached: 1 },
    })
    expect(errors).toMatchObject([{ code: 'test-failed' }, { code: 'test-undecided' }])
  })

  it('is what validate tells too', async () => {
    const { vexil } = workspace()
    const [tested, validated] = [await vexil('test'), await vexil('validate')]
    expect(validated).toMatchObject({ code: 1, stderr: tested.stderr })
  })

  it('reports every test by itself to a pipeline, in each environment, with the verdicts that it prints', async () => {
    const { vexil, read } = workspace()
    const { stdout } = await vexil('test --json --report r.junit.xml')
    const { tests } = JSON.parse(stdout) as { tests: { verdict: string; source: { line: number } }[] }
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      await read('r.junit.xml'),
    )
    const cases: {
      name: string
      classname: string
      file: string
      line: string
      failure?: { type: string }
    }[] = testsuites.testsuite.testcase
    // Those that did not pass come first.
    const told = cases.map(({ file, line, failure }) => `${file}:${line} ${failure?.type ?? 'test-passed'}`)
    const wanted = tests.map(({ verdict, source: { line } }) => `flags.yaml:${line} test-${verdict}`)
    expect(told.sort()).toEqual(wanted.sort())
    expect(new Set(cases.map(({ name, classname }) => `${classname} ${name}`)).size).toBe(tests.length)
  })
})
