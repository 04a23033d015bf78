import { expect, it } from 'vitest'
import { bot } from '../../../support/pipelines/github/github-host.ts'
import { variants } from '../../../support/rounds.ts'
import { aCompany, flagsAt, type PullOptions, shownIn } from './a-company.ts'

const settled = { validate: 'success', plan: 'success' }
const resultsOf = ({ jobs }: { jobs: Readonly<Record<string, { result: string }>> }) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]))

it('tells the plan in one comment, and writes that again after the next push', async () => {
  const { host, pullRequest, keys, flags } = await aCompany()
  const first = await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  expect(resultsOf(first), first.jobs.plan?.log).toEqual(settled)
  expect(host.comments).toEqual([
    { id: expect.any(Number), issue: 1, user: { login: bot }, body: expect.stringContaining('25%') },
  ])
  expect(first.jobs.plan?.summary).toContain('checkout')
  const [artifact] = host.artifacts
  expect(Object.keys(artifact?.files ?? {}).sort()).toEqual([
    'plan.json',
    'report.json',
    'report.junit.xml',
    'report.md',
    'report.sarif',
  ])

  const second = await pullRequest(1, { 'flags.yaml': flagsAt(20) })
  expect(resultsOf(second)).toEqual(settled)
  expect(host.comments.map(({ body }) => body)).toEqual([expect.stringMatching(/20%[\s\S]*run \d+/)])
  expect(host.comments[0]?.body).not.toContain('25%')
  expect(host.unknown).toEqual([])
  expect(await flags()).toEqual([])

  const shown = shownIn(host, first, second)
  for (const key of [keys.read, keys.write]) expect(shown).not.toContain(key)
  // The key is with the step that plans, the token with the one that writes the comment, and neither anywhere else.
  const steps = Object.values(first.jobs).flatMap(({ environments }) => environments)
  const having = (text: string) =>
    steps.filter(({ env }) => JSON.stringify(env).includes(text)).map(({ step }) => step)
  expect(having(keys.read)).toEqual([expect.stringContaining('run-vexil.mjs')])
  expect(having('ghs_')).toEqual([expect.stringContaining('tell-code-host.mjs')])
  expect(having(keys.write)).toEqual([])
})

const withoutKeys: readonly [string, PullOptions][] = [
  ['a fork', { isOfFork: true }],
  ['Dependabot', { actor: 'dependabot[bot]' }],
]

it.each(variants(withoutKeys))(
  'validates and tests what %s sends, without a key and without a request',
  async (_, options) => {
    const { host, pullRequest, keys, service } = await aCompany()
    const { result, requests } = await service.watch(() =>
      pullRequest(1, { 'flags.yaml': flagsAt(25) }, options),
    )
    expect(resultsOf(result)).toEqual({ validate: 'success', plan: 'skipped' })
    expect(result.jobs.validate?.summary).toContain('No plan')
    expect([...requests, ...host.log, ...host.comments, ...host.artifacts, ...host.scans]).toEqual([])
    const { environments = [] } = result.jobs.validate ?? {}
    expect(environments.map(({ step }) => step)).toContainEqual(expect.stringMatching(/^npx vexil validate /))
    expect(JSON.stringify(environments)).not.toContain(keys.read)
  },
)

it('gives code scanning what is found in files, at its lines, and what is blocked', async () => {
  const { host, pullRequest } = await aCompany({ settings: 'policies: { owner: warning }\n' })
  const { jobs } = await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  const scan = (category: string, results: unknown) => ({
    commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    ref: 'refs/pull/1/merge',
    sarif: { version: '2.1.0', runs: [{ automationDetails: { id: `${category}/` }, results }] },
  })
  const at = { physicalLocation: { artifactLocation: { uri: 'flags.yaml' }, region: { startLine: 2 } } }
  expect(host.scans, jobs.plan?.log).toMatchObject([
    scan('vexil-files', [{ ruleId: 'policy-owner', level: 'warning', locations: [at] }]),
    scan('vexil-production', []),
  ])
  await pullRequest(1, { 'flags.yaml': flagsAt(25).replace('active', 'actve') })
  expect(host.scans.slice(2)).toMatchObject([
    scan(
      'vexil-files',
      expect.arrayContaining([expect.objectContaining({ ruleId: 'unknown-key', level: 'error' })]),
    ),
  ])
})

it('goes on where there is no code scanning', async () => {
  const { host, pullRequest } = await aCompany()
  host.disturb(({ path }) =>
    path.endsWith('/sarifs')
      ? { status: 403, body: { message: 'Code Security must be enabled' } }
      : undefined,
  )
  const { jobs } = await pullRequest(1, { 'flags.yaml': flagsAt(20) })
  expect(resultsOf({ jobs })).toEqual(settled)
  expect(jobs.plan?.log).toContain('Code Security must be enabled')
})

it('tells a fork what is wrong with its files', async () => {
  const { pullRequest } = await aCompany()
  const options = { isOfFork: true }
  const broken = await pullRequest(1, { 'flags.yaml': flagsAt(25).replace('active', 'actve') }, options)
  expect(resultsOf(broken)).toEqual({ validate: 'failure', plan: 'skipped' })
  expect(broken.jobs.validate?.log).toContain('did you mean "active"')
})

it('replaces the plan in the comment by what went wrong', async () => {
  const { host, pullRequest, service } = await aCompany()
  await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  service.faults('status=401')
  const { jobs } = await pullRequest(1, { 'flags.yaml': flagsAt(20) })
  expect(jobs.plan?.result).toBe('failure')
  expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining('Failed: vexil plan')])
  expect(host.comments[0]?.body).not.toContain('25%')
})
