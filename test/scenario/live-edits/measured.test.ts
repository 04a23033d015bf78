import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { type Clone, declared, everyoneAt, worldOf } from './clones.ts'

/** What `plan` says on standard error, and in its document, of what it was measured from. */
async function toldBy({ vexil }: Pick<Clone, 'vexil'>, options = '', env = {}) {
  const { stderr, stdout } = await vexil(`plan --json ${options}`, env)
  const { notes, measured_from } = JSON.parse(stdout)
  expect(stderr).toBe((notes ?? []).map((note: string) => `${note}\n`).join(''))
  return { notes, measured_from }
}

const silent = { notes: undefined, measured_from: undefined }
const runName = /^\d{8}T\d{9}Z-\w{8}$/

describe('what a plan was measured from', () => {
  it('is the newest run that found an object as declared, by name, commit and age', async () => {
    const { apply, commit, vexil } = await worldOf(declared({ checkout: {}, other: {} }))
    await apply()
    const last = await commit(declared({ checkout: { percent: 20 }, other: {} }))
    await apply('--target checkout')
    await commit({ 'notes.txt': 'nothing' })
    const { stdout } = await vexil('plan --json --out plan.json')
    const { measured_from } = JSON.parse(stdout)
    expect(measured_from).toEqual({
      run: expect.stringMatching(runName),
      at: expect.stringContaining('T'),
      commit: last,
      dirty: false,
      earlier: 1,
    })
    const said = `measured from run ${measured_from.run} at ${last.slice(0, 12)}`
    expect((await vexil('plan')).stdout).toMatch(
      new RegExp(`\n${said}, \\d+ seconds? ago; 1 object from earlier runs\n`),
    )
    // A saved plan may be shown at any time.
    const time = measured_from.at.slice(0, 19).replace('T', ' ')
    expect((await vexil('show plan.json')).stdout).toContain(`\n${said}, of ${time} UTC; 1 object from`)
  })

  it.each([
    ['none', 'measured without a base: the declared values are compared with the live values'],
    ['HEAD', 'measured from the declarations at COMMIT'],
  ])('is what --base says: %s', async (base, words) => {
    const { apply, click, git, vexil } = await worldOf(declared({ checkout: {} }))
    await apply()
    await click('checkout', { filters: everyoneAt(60) })
    const head = (await git('rev-parse', 'HEAD')).slice(0, 12)
    for (const command of ['plan', 'drift', 'plan --out plan.json']) {
      const { stdout, stderr } = await vexil(`${command} --base ${base}`)
      expect(stdout).toContain(`\n${words.replace('COMMIT', head)}\n`)
      expect(stderr).toBe('')
    }
    expect((await vexil('show plan.json')).stdout).toContain(`\n${words.replace('COMMIT', head)}\n`)
  })
})

describe('a plan without a record', () => {
  it('says so where somebody may have changed what differs, and how to have records', async () => {
    const { apply, click, commit, folder, vexil } = await worldOf(declared({ checkout: {}, other: {} }))
    expect(await toldBy({ vexil })).toEqual(silent)
    await apply()
    await rm(join(folder, '.vexil'), { recursive: true })
    expect(await toldBy({ vexil })).toEqual(silent)
    await click('checkout', { filters: everyoneAt(60) })
    const { notes } = await toldBy({ vexil })
    expect(notes).toEqual([
      expect.stringMatching(
        /^no recorded apply to project 1, .*: 1 live object will be overwritten with the declared values; the first apply starts the records; .*`runs: \{ ref: refs\/vexil\/runs \}`/,
      ),
    ])
    await vexil('plan --out plan.json')
    expect((await vexil('show plan.json')).stderr).toBe(`${notes[0]}\n`)
    await commit({ 'vexil.yaml': 'version: 1\nruns: { ref: refs/vexil/runs }\n' })
    expect((await vexil('plan')).stderr).toMatch(/the first apply starts the records\n$/)
    expect((await apply()).stderr).toContain('no recorded apply to project 1')
    expect((await vexil('plan')).stderr).not.toContain('no recorded apply to')
  })

  it('says that the environment was applied to another place', async () => {
    const { apply, commit, service, vexil } = await worldOf(declared({ checkout: {} }))
    const other = await startService()
    onTestFinished(other.close)
    const env = { VEXIL_BASE_URL: undefined, VEXIL_PROJECT_ID: undefined, VEXIL_ORGANIZATION_ID: undefined }
    const placedAt = ({ url }: Service) => ({
      'vexil.yaml': `version: 1\nenvironments: { production: { base_url: "${url}", project: "1" } }\n`,
    })
    await commit(placedAt(service))
    expect(await toldBy({ vexil }, '--env production', env)).toEqual(silent)
    await apply('--env production', env)
    await commit(placedAt(other))
    const { notes } = await toldBy({ vexil }, '--env production', env)
    expect(notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^no recorded apply to project 1, ${other.url}: the last apply of production was to project 1, ${service.url} \\(run `,
        ),
      ),
    ])
    await apply('--env production', env)
    expect((await vexil('plan --env production', env)).stderr).toBe('')
  })

  it('of a field with something from the environment names the field, where it differs', async () => {
    const { apply, click, vexil } = await worldOf({
      'flags.yaml': `feature_flags:\n  checkout: { name: "\${env:NAME}", active: true, rollout_percentage: 10 }\n`,
    })
    await apply('', { NAME: 'first' })
    expect((await toldBy({ vexil }, '', { NAME: 'first' })).notes).toBe(undefined)
    await click('checkout', { name: 'second' })
    const { notes } = await toldBy({ vexil }, '', { NAME: 'first' })
    expect(notes).toEqual([
      expect.stringMatching(
        /^feature_flag\.checkout name: values from `\$\{env:NAME\}` are not recorded, .* `environments`$/,
      ),
    ])
    expect((await vexil('drift', { NAME: 'first' })).stderr).toBe(`${notes[0]}\n`)
  })
})
