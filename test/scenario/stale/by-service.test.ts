import { expect, it } from 'vitest'
import type { Through } from '../../support/service.ts'
import { agingWorld, flagsAt } from './aging-world.ts'

/** When code asked for flags last, which services tell since 2026. */
const called =
  (times: Readonly<Record<string, string | null>>): Through =>
  handle =>
  async request => {
    const response = await handle(request)
    if (request.method !== 'GET' || !/\/feature_flags\/(?:\?|$)/.test(request.url)) return response
    const page = (await response.json()) as { results: readonly { key: string }[] }
    const results = page.results.map(flag => ({ ...flag, last_called_at: times[flag.key] ?? null }))
    return Response.json({ ...page, results })
  }

it('a flag that nobody calls for so long is stale; one that is called is told so', async () => {
  const through = called({
    quiet: '2026-01-11T12:00:00Z',
    busy: '2026-02-05T12:00:00Z',
    nav: '2026-02-05T12:00:00Z',
    odd: 'yesterday',
  })
  const { on, deliver, stale, vexil } = await agingWorld(
    flagsAt({ quiet: 20, busy: 20, silent: 20, odd: 20, nav: 100 }),
    { through },
  )
  await deliver({}, '--allow rollout_step')
  on(40)
  expect((await stale()).told).toEqual(['nav everyone 40 run'])
  expect((await stale('--activity')).told).toEqual(['nav everyone 40 trail'])
  on(41)
  expect(await stale('--activity')).toMatchObject({
    code: 6,
    told: ['nav everyone 41 trail', 'quiet uncalled 30 service'],
    notes: [],
  })
  expect((await stale('--activity --days 31')).told).toEqual(['nav everyone 41 trail'])
  const { stdout } = await vexil('retire --activity')
  expect(stdout).toContain('not called since 2026-01-11, 30 days\n')
  expect(stdout).toContain('still called: 2026-02-05, 5 days ago\n')
})

it('where the trail is refused, what is live goes by commits and runs, and what those do not tell is said', async () => {
  const { on, deliver, click, stale, service } = await agingWorld(flagsAt({ nav: 100, dark: 20, used: 20 }))
  await deliver({}, '--allow rollout_step')
  on(10)
  await click('dark', { active: false })
  on(50)
  expect((await stale('--activity')).told).toEqual(['nav everyone 50 trail', 'dark nobody 40 trail'])
  service.faults('GET /feature_flags/activity times=9 status=403')
  expect(await stale('--activity')).toEqual({
    code: 6,
    told: ['nav everyone 50 run'],
    notes: [expect.stringMatching(/^unknown age of 1 flag: .*403/)],
    permanent: 0,
  })
})

it('where the flags themselves are refused, nothing is told', async () => {
  const { vexil, service } = await agingWorld(flagsAt({ nav: 100 }))
  service.faults('GET /feature_flags times=9 status=403')
  expect(await vexil('retire --activity')).toMatchObject({ code: 1, stdout: '' })
})
