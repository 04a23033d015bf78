import { expect, it } from 'vitest'
import type { PlayedRun } from '../../../support/pipelines/github/play.ts'
import { isWrite } from '../../../support/workspace.ts'
import { aCompany, type CompanyOptions, shownIn } from './a-company.ts'

const secret = 'price-of-tomorrow'
const flags = `feature_flags:
  checkout:
    filters: { groups: [ { rollout_percentage: 10 } ], payloads: { "true": '"${secret}"' } }
`
const resultsOf = ({ jobs }: PlayedRun) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]))

/** Main has a flag whose payload nobody may see. */
async function merged(options: CompanyOptions) {
  const company = await aCompany({ settings: 'redact: [payloads]\n', ...options })
  await company.remote.push('main', { 'flags.yaml': flags })
  const deliver = () => company.service.watch(() => company.onMain('merge-redacted'))
  return { ...company, deliver }
}

it('applies values that it shows to nobody, once somebody has approved, and nothing the second time', async () => {
  let isApproved = false
  const { host, deliver, flags: live, keys } = await merged({ approve: () => isApproved })
  const waiting = await deliver()
  expect(resultsOf(waiting.result)).toEqual({ plan: 'success', apply: 'rejected' })
  expect(waiting.result.jobs.plan?.summary).toContain('checkout')
  expect(await live()).toEqual([])

  isApproved = true
  const applied = await deliver()
  expect(resultsOf(applied.result), applied.result.jobs.apply?.log).toEqual({
    plan: 'success',
    apply: 'success',
  })
  expect(JSON.stringify(await live())).toContain(secret)
  const again = await deliver()
  expect(resultsOf(again.result)).toEqual({ plan: 'success', apply: 'success' })
  expect(again.requests.filter(isWrite)).toEqual([])

  const shown = shownIn(host, waiting.result, applied.result, again.result)
  for (const hidden of [secret, ...Object.values(keys)]) expect(shown).not.toContain(hidden)
  expect(host.unknown).toEqual([])
})

it('writes nothing where the service has changed since somebody approved', async () => {
  const {
    service,
    deliver,
    flags: live,
  } = await merged({
    approve: () => true,
    meanwhile: async () =>
      void (await service.send('POST', '/api/projects/1/feature_flags/', { key: 'checkout', active: false })),
  })
  const { result } = await deliver()
  expect(resultsOf(result)).toEqual({ plan: 'success', apply: 'failure' })
  expect(result.jobs.apply?.log).toContain('run the whole workflow again')
  expect(await live()).toMatchObject([{ key: 'checkout', active: false }])
  expect(JSON.stringify(await live())).not.toContain(secret)
})
