import { describe, expect, it } from 'vitest'
import { git } from '../../git/repository.ts'
import { flagFile, placeOfTest } from './a-place.ts'

/** A place whose flag was applied by somebody who left no record here, and was widened in the product since. */
async function widened() {
  const place = await placeOfTest(flagFile('checkout', 10))
  await place.run('apply -y')
  await git(place.folder, 'clean', '--quiet', '--force', '-d', '-x')
  const { results } = (await place.service.get('/api/projects/1/feature_flags/')) as {
    results: { id: number }[]
  }
  const path = `/api/projects/1/feature_flags/${results[0]?.id}/`
  await place.service.send('PATCH', path, {
    filters: { groups: [{ properties: [], rollout_percentage: 60 }] },
  })
  return place
}

const reasonsIn = (stdout: string) =>
  (JSON.parse(stdout).drift as { reason: string }[]).map(({ reason }) => reason)

describe('--base', () => {
  it('measures from the declarations at a commit, however it is named', async () => {
    const { run, folder } = await widened()
    const commit = await git(folder, 'rev-parse', 'HEAD')
    for (const name of ['HEAD', 'main', commit.slice(0, 12), `${commit}^{commit}`]) {
      const { stdout } = await run(`plan --json --base ${name}`)
      const plan = JSON.parse(stdout)
      expect(plan.base).toBe(commit)
      expect(plan.drift.length + plan.live_edits.length).toBeGreaterThan(0)
    }
  })

  it('measures from nothing where it is none, and by itself from runs on record, of which there are none here', async () => {
    const { run } = await widened()
    const none = await run('plan --json --base none')
    expect([JSON.parse(none.stdout).base, reasonsIn(none.stdout)]).toEqual(['none', []])
    const auto = await run('plan --json --base auto')
    expect([JSON.parse(auto.stdout).base, reasonsIn(auto.stdout)]).toEqual([undefined, []])
  })

  it.each(['plan', 'apply -y', 'drift'])('is refused where it names no commit: %s', async command => {
    const { run, service } = await placeOfTest(flagFile('checkout', 10))
    for (const name of ['nowhere', 'HEAD~7', '--all', 'HEAD..HEAD', 'HEAD:vexil.yaml']) {
      const { result, requests } = await service.watch(() => run(`${command} --base=${name}`))
      expect(result.code).toBe(64)
      expect(result.stderr).toContain(`--base "${name}" is not a commit of this clone; \`git fetch origin`)
      expect(requests.filter(request => !request.startsWith('GET'))).toEqual([])
    }
  })

  it('is refused where the commit has another place for the environment', async () => {
    const { run, commit, service } = await placeOfTest(flagFile('checkout', 10))
    const settings = (project: string) =>
      `version: 1\nenvironments: { only: { base_url: "${service.url}", project: "${project}" } }\n`
    await commit({ 'vexil.yaml': settings('7') })
    await commit({ 'vexil.yaml': settings('1') })
    const { code, stderr } = await run('plan --base HEAD~1')
    expect(code).toBe(1)
    expect(stderr).toContain('this environment was project 7, not project 1')
  })

  it('stays in a saved plan, and cannot change one', async () => {
    const { run, folder } = await widened()
    await run('plan --base HEAD --out plan.json')
    const { stdout } = await run('show plan.json --json')
    expect(JSON.parse(stdout).base).toBe(await git(folder, 'rev-parse', 'HEAD'))
    const { code, stderr } = await run('apply plan.json --base none')
    expect([code, stderr]).toEqual([64, expect.stringContaining('--base cannot change a saved plan')])
  })
})
