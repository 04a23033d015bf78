import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { aCodeHost } from '../../support/pipelines/code-host.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner } from '../../support/pipelines/runner.ts'
import { startService } from '../../support/service.ts'

/** What pipelines are tried with: a remote, a runner and a code host, as strict as the real ones. */

afterEach(() => void vi.unstubAllEnvs())

it('gives a script its own environment, and nothing of the tests', async () => {
  vi.stubEnv('VEXIL_API_KEY', 'phx_of_whoever_runs_the_tests')
  const runner = await aRunner()
  const ran = await runner.run('env; false; echo never', { directory: runner.folder, env: { CI: 'true' } })
  expect(ran.code).toBe(1)
  expect(ran.log).toContain('CI=true\n')
  expect(ran.log).not.toMatch(/phx_of|never/)
})

it('plans, merges and plans again in clones of a remote', async () => {
  const service = await startService()
  try {
    const remote = await aRemote({
      'package-lock.json': '{}',
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': 'feature_flags: {}\n',
    })
    await remote.push('more', { 'flags.yaml': 'feature_flags: { a: { active: false } }\n' })
    const runner = await aRunner()
    const planAt = async (ref: string, folder: string) => {
      const directory = join(runner.folder, 'work', folder)
      await remote.clone(directory, ref)
      const script = 'npm ci\nnpx vexil plan --json | node -p "JSON.parse(fs.readFileSync(0)).changes.length"'
      return runner.run(script, { directory, env: service.env })
    }
    expect(await planAt('main', 'before')).toMatchObject({ code: 0, log: expect.stringMatching(/^0$/m) })
    expect(await planAt(await remote.mergePreview('more'), 'preview')).toMatchObject({
      code: 0,
      log: expect.stringMatching(/^1$/m),
    })
    const merged = await remote.merge('more')
    expect(await remote.git('rev-parse', 'main')).toBe(merged)
    expect(await planAt('main', 'after')).toMatchObject({ code: 0, log: expect.stringMatching(/^1$/m) })
  } finally {
    await service.close()
  }
})

it('refuses what a code host does not have, what it does not admit, and what is to fail', async () => {
  const host = await aCodeHost(
    { 'GET /repos/:owner/notes': ({ params, query }) => ({ status: 200, body: { ...params, ...query } }) },
    ({ headers }) => (headers.authorization === 'Bearer good' ? undefined : { status: 401 }),
  )
  const ask = async (path: string, key = 'good') => {
    const answer = await fetch(`${host.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return [answer.status, await answer.text()]
  }
  expect(await ask('/repos/o/notes?page=2')).toEqual([200, '{"owner":"o","page":"2"}'])
  expect(await ask('/repos/o/notes', 'bad')).toEqual([401, ''])
  expect((await ask('/repos/o/other'))[0]).toBe(501)
  host.disturb(() => ({ status: 503 }))
  expect((await ask('/repos/o/notes'))[0]).toBe(503)
  expect(host.log).toEqual([200, 401, 503].map(status => `GET /repos/o/notes ${status}`))
  expect(host.unknown).toEqual(['GET /repos/o/other'])
})
