import { expect, it } from 'vitest'
import { bot } from '../../../support/pipelines/github/github-host.ts'
import { aCompany, shownIn } from './a-company.ts'

it('opens one issue, writes it again while there is drift, and closes it when there is none', async () => {
  const { host, service, onMain, keys } = await aCompany()
  const nightly = async () => {
    const { result, requests } = await service.watch(() => onMain('drift', 'schedule'))
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
    return result
  }
  // Nobody has applied anything, so what is declared and not there is a difference that nobody can explain.
  const first = await nightly()
  expect(first.jobs.drift?.result, first.jobs.drift?.log).toBe('success')
  const opened = {
    number: expect.any(Number),
    user: { login: bot },
    title: 'Drift in production',
    state: 'open',
  }
  expect(host.issues).toEqual([{ ...opened, body: expect.stringContaining('checkout') }])

  const before = host.issues[0]?.body
  await nightly()
  expect(host.issues).toEqual([{ ...opened, body: expect.stringMatching(/checkout[\s\S]*run \d+/) }])
  expect(host.issues[0]?.body).not.toBe(before)
  expect(host.comments).toEqual([])

  await service.send('POST', '/api/projects/1/feature_flags/', {
    key: 'checkout',
    name: 'New checkout',
    active: true,
    filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
  })
  const last = await nightly()
  expect(last.jobs.drift?.result, last.jobs.drift?.log).toBe('success')
  expect(host.issues.map(({ state }) => state)).toEqual(['closed'])
  expect(host.comments.map(({ issue, body }) => [issue, body])).toEqual([
    [host.issues[0]?.number, expect.stringContaining('as it is declared again')],
  ])
  await nightly()
  expect(host.comments).toHaveLength(1)
  expect(host.unknown).toEqual([])
  expect(shownIn(host, first, last)).not.toContain(keys.read)
})

it('fails where drift cannot be told, and leaves the issue alone', async () => {
  const { host, service, onMain } = await aCompany()
  service.faults('status=401')
  const unread = await onMain('drift', 'schedule')
  expect(unread.jobs.drift?.result).toBe('failure')
  expect(unread.jobs.drift?.log).toContain('no issue: vexil drift ended in 1')
  service.faults()

  host.disturb(() => ({ status: 403, body: { message: 'Resource not accessible by integration' } }))
  const unwritten = await onMain('drift', 'schedule')
  expect(unwritten.jobs.drift?.result).toBe('failure')
  expect(unwritten.jobs.drift?.log).toContain('the job needs `permissions: { issues: write }`')
  expect(host.issues).toEqual([])
})
