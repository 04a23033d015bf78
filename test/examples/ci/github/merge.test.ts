import { expect, it } from 'vitest'
import type { PlayedRun } from '../../../support/pipelines/github/play.ts'
import { variants } from '../../../support/rounds.ts'
import { aCompany, flagsAt, shownIn } from './a-company.ts'

const resultsOf = ({ jobs }: PlayedRun) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]))
const rolloutsOf = (flags: readonly { key: string; filters: unknown }[]) =>
  flags.map(({ key, filters }) => [
    key,
    (filters as { groups: { rollout_percentage: number }[] }).groups.map(each => each.rollout_percentage),
  ])
const applied = { plan: 'success', apply: 'success' }

it('applies what was reviewed without asking again, and nothing the second time', async () => {
  const { host, remote, pullRequest, merge, onMain, flags, keys, service } = await aCompany()
  const reviewed = await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  // What is in the artifact of the pull request is what the merge asks for.
  const merged = await merge(1)
  expect(resultsOf(merged), merged.jobs.plan?.log).toEqual(applied)
  expect(merged.jobs.apply?.environment).toBe('production')
  expect(merged.jobs.plan?.summary).toContain('as reviewed')
  expect(rolloutsOf(await flags())).toEqual([['checkout', [25]]])
  expect(await remote.git('ls-tree', '--name-only', '-r', 'refs/vexil/runs')).toMatch(/\.json$/m)

  const { result: again, requests } = await service.watch(() => onMain('merge'))
  expect(resultsOf(again)).toEqual(applied)
  expect(again.jobs.apply?.environment).toBe('production')
  expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
  const drift = await onMain('drift', 'schedule')
  expect([drift.jobs.drift?.result, host.issues]).toEqual(['success', []])
  expect(host.unknown).toEqual([])
  const shown = shownIn(host, reviewed, merged, again, drift)
  for (const key of Object.values(keys)) expect(shown).not.toContain(key)
})

it('has somebody approve what is no longer as it was reviewed', async () => {
  let isApproved = false
  const { service, pullRequest, merge, onMain, flags, click } = await aCompany({ approve: () => isApproved })
  await service.send('POST', '/api/projects/1/feature_flags/', {
    key: 'checkout',
    name: 'Checkout',
    active: true,
    filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
  })
  await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  await click('checkout', { name: 'Somebody was here' })
  const merged = await merge(1)
  expect(resultsOf(merged)).toEqual({ plan: 'success', apply: 'rejected' })
  expect(merged.jobs.apply?.environment).toBe('production-approval')
  expect(merged.jobs.plan?.summary).toMatch(/not as reviewed.*checkout/)
  expect(rolloutsOf(await flags())).toEqual([['checkout', [10]]])

  isApproved = true
  expect(resultsOf(await onMain('merge'))).toEqual(applied)
  expect(rolloutsOf(await flags())).toEqual([['checkout', [25]]])
})

it('compares and applies plans of which no value is published, if the settings hide them', async () => {
  const company = await aCompany({ settings: 'redact: [payloads]\n' })
  const { host, pullRequest, merge, onMain, service, flags: live } = company
  const secret = 'price-of-tomorrow'
  const flags = `feature_flags:
  checkout:
    filters: { groups: [ { rollout_percentage: 10 } ], payloads: { "true": '"${secret}"' } }
`
  const reviewed = await pullRequest(1, { 'flags.yaml': flags })
  const merged = await merge(1)
  expect(resultsOf(merged), merged.jobs.apply?.log).toEqual(applied)
  expect(merged.jobs.apply?.environment).toBe('production')
  expect(JSON.stringify(await live())).toContain(secret)
  const { result: again, requests } = await service.watch(() => onMain('merge'))
  expect(resultsOf(again)).toEqual(applied)
  expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
  expect(host.artifacts.flatMap(({ files }) => Object.keys(files)).sort()).toContain('plan.json')
  expect(shownIn(host, reviewed, merged, again)).not.toContain(secret)
})

const unreviewed: readonly [string, Parameters<typeof play>[0]][] = [
  ['a fork has kept a plan of its own', { isOfFork: true }],
  ['nobody has opened a pull request', { isPushed: true }],
  ['the plan is gone', { isExpired: true }],
]

it.each(variants(unreviewed))('has somebody approve where %s', async (_, options) => {
  const { merged, flags } = await play(options)
  expect(resultsOf(merged), merged.jobs.plan?.log).toEqual({ plan: 'success', apply: 'rejected' })
  expect(merged.jobs.apply?.environment).toBe('production-approval')
  expect(await flags()).toEqual([])
})

async function play(options: { isPushed?: true; isOfFork?: true; isExpired?: true }) {
  const company = await aCompany()
  const { host, remote, pullRequest, merge, onMain } = company
  if (options.isPushed) {
    await remote.push('main', { 'flags.yaml': flagsAt(25) })
    return { ...company, merged: await onMain('merge') }
  }
  await pullRequest(1, { 'flags.yaml': flagsAt(25) })
  const [artifact] = host.artifacts
  if (!artifact) throw new Error('the pull request has kept no plan')
  // The same plan, as if others had kept it.
  const run = { ...artifact.workflow_run, ...(options.isOfFork ? { head_repository_id: 99 } : {}) }
  host.artifacts[0] = { ...artifact, workflow_run: run, expired: options.isExpired ?? false }
  return { ...company, merged: await merge(1) }
}
