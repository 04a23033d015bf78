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
const { vexil, write } = workspace
const { service, read } = workspace

describe('vexil test', () => {
  it('tells each test that does not pass at its line, and asks no service', async () => {
    const { result, requests } = await service.watch(() => vexil('test', { env: {} }))
    expect(requests).toEqual([])
    expect(result).toMatchObject({
      code: 1,
      stdout: '7 tests of 2 flags: 4 passed, 1 failed, 2 undecided\n',
    })
    const told = result.stderr.split('\n').filter(line => line.startsWith('flags.yaml'))
    expect(told).toEqual([
      'flags.yaml:14:9 feature_flag "checkout": in staging, test of "ada": expected classic, got one_page (condition 1: country is DE or AT); correct the flag or the test',
      'flags.yaml:15:9 feature_flag "checkout": in staging and production, test of somebody: expected false, got undecided: the distinct id is unknown; add what is missing to the person; facts that only the service knows cannot be tested here',
    ])
    expect(result.stderr).toContain('> 14 |       - { person: ada, expect: classic, env: staging }\n')
  })

  it.each([
    ['search', 0, '2 tests of 1 flag: 2 passed\n'],
    ['feature_flag.search --env staging', 0, '1 test of 1 flag: 1 passed\n'],
    ['--owner shop -e production', 1, '2 tests of 1 flag: 1 passed, 1 undecided\n'],
    ['later', 0, 'no tests: add them under "tests", in a flag or in a file of tests\n'],
  ])('runs those of %s', async (line, code, stdout) => {
    expect(await vexil(`test ${line}`)).toMatchObject({ code, stdout })
  })

  it.each([
    ['nothing', 64, 'vexil: "nothing" is not declared\n'],
    ['s* --owner shop', 64, 'vexil: none of the named flags belongs to "shop"\n'],
    ['--owner nobody', 64, 'vexil: "nobody" owns nothing that is declared\n'],
    ['--min-coverage much', 64, 'vexil: --min-coverage takes a percentage from 0 to 100; not "much"\n'],
    ['--min-coverage 101', 64, 'vexil: --min-coverage takes a percentage from 0 to 100; not "101"\n'],
    ['--profile posthog-2030', 64, expect.stringContaining('posthog-2030')],
  ])('refuses %s', async (line, code, stderr) => {
    expect(await vexil(`test ${line}`)).toEqual({ code, stdout: '', stderr })
  })

  it('lists what no test reaches, environments that are alike in one line', async () => {
    const { stdout } = await vexil('test --coverage')
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
    await write({ 'flags.yaml': flags.replace('because: dach', 'because: dahc') })
    const { code, stdout, stderr } = await vexil('test')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('"dahc" is neither a condition of the flag nor a reason; did you mean "dach"?')
  })

  it('annotates the lines of a pull request in GitHub Actions', async () => {
    const { stderr } = await vexil('test -e staging', { env: { ...service.env, GITHUB_ACTIONS: 'true' } })
    expect(stderr).toContain(
      '::error file=flags.yaml,line=14,col=9::feature_flag "checkout": in staging, test of "ada"',
    )
  })

  it('gives every test as data with --json', async () => {
    const { code, stdout, stderr } = await vexil('test --json --coverage -e staging')
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
    const [tested, validated] = [await vexil('test'), await vexil('validate')]
    expect(validated).toMatchObject({ code: 1, stderr: tested.stderr })
  })

  it('reports every test by itself to a pipeline, in each environment, with the verdicts that it prints', async () => {
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

describe('vexil test --sdk', () => {
  const shares = `feature_flags:
  pro_only:
    active: true
    release: { pro: { properties: { plan: pro }, rollout_percentage: 0 } }
    tests: [{ person: { properties: { plan: pro } }, expect: EXPECTED }]
`
  const { vexil, write } = useWorkspace({
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': shares.replace('EXPECTED', 'false'),
  })

  it('shows what each SDK answers, with a mark and a reason where it is something else', async () => {
    const { code, stdout, stderr } = await vexil('test --sdk all', { env: {} })
    expect(code).toBe(1)
    expect(
      stdout,
    ).toBe(`  flag      person    service  node 5.70.0  python 7.91.1  go 1.5.2  rs 0.30.0  server 2.3.3
! pro_only  somebody  false    false        false          true      false      false
! feature_flag.pro_only: engines differ: posthog-go 1.5.2 gives the flag to everyone in condition 1, not to 0%; engines also differ in another part of this flag
1 test of 1 flag: 1 with different values in services or SDKs
`)
    expect(stderr).toContain(
      'expected false, got false by the service with profile posthog-2026, true by posthog-go 1.5.2',
    )
  })

  it('passes where a test says what an SDK gives', async () => {
    await write({ 'flags.yaml': shares.replace('EXPECTED', '{ value: false, sdks: { posthog-go: true } }') })
    expect(await vexil('test --sdk posthog-go')).toMatchObject({ code: 0 })
    expect(await vexil('test')).toMatchObject({ code: 0, stdout: '1 test of 1 flag: 1 passed\n' })
    await write({ 'flags.yaml': shares.replace('EXPECTED', '{ value: false, sdks: { posthog-go: false } }') })
    expect(await vexil('test')).toMatchObject({ code: 1 })
  })

  it('goes by the versions of the settings, for every test and every check', async () => {
    const use = (versions: string) => write({ 'vexil.yaml': `version: 1\nsdks: { ${versions} }\n` })
    await use('posthog-go: "1.5.2"')
    expect(await vexil('test')).toMatchObject({ code: 1 })
    expect((await vexil('validate')).stderr).toContain(
      'posthog-go 1.5.2 gives the flag to everyone in condition 1',
    )
    await use('posthog-python: ">=7.79"')
    expect(await vexil('test')).toMatchObject({ code: 0 })
    expect(await vexil('validate')).toMatchObject({ code: 0, stderr: '' })
  })

  it('warns where an SDK counts people in place of devices, in validate as in a stack', async () => {
    const devices = { active: true, bucketing_identifier: 'device_id', rollout_percentage: 10 }
    const resource = { vexil_feature_flag: { halves: { key: 'halves', ...devices, rollout_percentage: 10 } } }
    await write({
      'flags.yaml': JSON.stringify({ feature_flags: { halves: devices } }),
      'stack/cdk.tf.json': JSON.stringify({ resource }),
    })
    const words =
      '"bucketing_identifier" has no effect in posthog-go 1.5.2, posthog-rs 0.30.0 and posthog-server 2.3.3'
    for (const command of ['validate', 'validate --stack stack'])
      expect((await vexil(command)).stderr, command).toContain(`${words}: they count people; have the flag`)
    await write({ 'vexil.yaml': 'version: 1\nsdks: { posthog-node: 5.70.0 }\n' })
    expect((await vexil('validate')).stderr).toBe('')
    await write({ 'vexil.yaml': 'version: 1\nsdks: { posthog-go: 1.5.2 }\n' })
    expect((await vexil('validate')).stderr).toContain('has no effect in posthog-go 1.5.2: they count people')
  })

  it('refuses a flag that would stop an SDK which is named', async () => {
    await write({ 'flags.yaml': 'feature_flags: { third: { active: true, rollout_percentage: 33.3 } }\n' })
    expect(await vexil('validate')).toMatchObject({ code: 0, stderr: '' })
    await write({ 'vexil.yaml': 'version: 1\nsdks: { posthog-go: 1.5.2, posthog-server: 2.3.3 }\n' })
    const { code, stderr } = await vexil('validate')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'with 33.3% posthog-go 1.5.2 and posthog-server 2.3.3 cannot load any flag; write a whole percentage',
    )
  })

  it.each([
    ['posthog-ruby: "3.0.0"', 0, 'warning: posthog-ruby was never tested; known SDKs: posthog-node,'],
    ['posthog-node: "4.0.0"', 0, 'warning: versions of posthog-node before 5.51.2'],
    [
      'posthog-python: "9.0.0"',
      0,
      'warning: posthog-python 9.0.0 is newer than 7.91.1, the newest tested version',
    ],
    [
      'posthog-go: latest',
      1,
      '"latest" is not a version of posthog-go; write a version such as 1.5.2, or a range such as >=7.79',
    ],
  ])('says what is not known of %s', async (versions, code, words) => {
    await write({ 'vexil.yaml': `version: 1\nsdks: { ${versions} }\n` })
    const validated = await vexil('validate')
    expect([validated.code, validated.stderr]).toEqual([code, expect.stringContaining(words)])
  })

  it.each([
    [
      'posthog-ruby',
      'vexil: --sdk: posthog-ruby was never tested; known SDKs: posthog-node, posthog-python, posthog-go, posthog-rs, posthog-server\n',
    ],
    ['posthog-go@latest', 'vexil: --sdk: "posthog-go@latest" names no version\n'],
  ])('refuses %s', async (sdk, stderr) => {
    expect(await vexil(`test --sdk ${sdk}`)).toEqual({ code: 64, stdout: '', stderr })
  })
})
