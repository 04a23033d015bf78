import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalFilters } from '../../src/targeting/index.ts'
import { loadRepository } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { variants } from '../support/rounds.ts'
import { gitops, useGitops } from './gitops-folder.ts'

const example = useGitops()

it('is written as `vexil fmt` writes it', async () => {
  expect(await example().vexil('fmt --check')).toEqual({ code: 0, stdout: '', stderr: '' })
})

it.each(['production', 'staging'])('is valid in %s', async environment => {
  expect(await example().vexil(`validate --env ${environment}`)).toMatchObject({ code: 0, stderr: '' })
})

/** What is declared in staging for the flag that the README changes, in the form that tells what it means. */
async function filtersIn(directory: string) {
  const { declarations } = await loadRepository({ directory, environment: 'staging', env: {} })
  const changed = declarations.desired.find(({ identity }) => identity === 'checkout_button_text')
  return canonicalFilters(changed?.fields.filters ?? null)
}

it('changes the same by one line as by the twenty of the README', async () => {
  const readme = await readFile(join(gitops, 'README.md'), 'utf8')
  const [long = '', short = '', ...others] = Array.from(
    readme.matchAll(/^```yaml\n(.*?)^```/gms),
    ([, block = '']) => block,
  )
  expect(others).toEqual([])
  expect([long.split('\n').length > 20, short.split('\n').length < 6]).toEqual([true, true])
  const { directory, edit } = example()
  const before = await filtersIn(directory)
  const line = '    ensure_experience_continuity: true\n'
  await edit('flags/checkout.yaml', line, `${line}${short.slice(short.indexOf('    environments:'))}`)
  const inFilters = await folderOfTest({
    'vexil.yaml': 'version: 1\nenvironments: { staging: { project: "1" } }\n',
    'flags.yaml': long,
  })
  expect(await filtersIn(directory)).toEqual(await filtersIn(inFilters))
  expect(await filtersIn(directory)).not.toEqual(before)
})

describe.each(variants(['production', 'staging']))('examples/gitops in %s', environment => {
  const vexil = (line: string) => example().vexil(`${line} --env ${environment}`)

  it('goes plan, apply, empty plan, edit, plan, apply, drift, undo', async () => {
    const first = await vexil('plan --detailed-exitcode')
    expect(first.code).toBe(2)

    const applied = await vexil('apply --auto-approve')
    expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 })
    const empty = await vexil('plan --detailed-exitcode')
    expect(empty.code, empty.stdout).toBe(0)

    await example().edit(
      'flags/checkout.yaml',
      'name: New checkout, one page instead of four',
      'name: Checkout on one page',
    )
    const planned = await vexil('plan --json --out plan.json')
    expect(JSON.parse(planned.stdout).changes).toMatchObject([
      {
        address: 'feature_flag.checkout_v2',
        action: 'update',
        after: { name: 'Checkout on one page' },
        risk: 'low',
      },
    ])
    expect((await vexil('apply plan.json')).code).toBe(0)
    expect((await vexil('drift')).code).toBe(0)

    expect((await vexil('undo last --auto-approve')).code).toBe(0)
    const drifted = await vexil('drift')
    expect(drifted.code).toBe(6)
    expect(drifted.stdout).toContain('1 object not as declared')
  })
})

describe('examples/gitops', () => {
  const vexil = (line: string) => example().vexil(line)

  it('has what its README promises', async () => {
    const planned = JSON.parse((await vexil('plan --env production --json')).stdout)
    const kinds = (kind: string) =>
      planned.changes.filter((change: { kind: string }) => change.kind === kind).length
    expect(kinds('feature_flag')).toBeGreaterThanOrEqual(12)
    expect(kinds('plugin')).toBe(2)
    expect(kinds('feature_flag_role_access')).toBeGreaterThan(3)
    expect(kinds('event_definition')).toBeGreaterThan(2)
  })

  it('holds back a step that is too wide, as its README says', async () => {
    await vexil('apply --env production --auto-approve')
    await example().edit('flags/platform.yaml', 'rollout_percentage: 50', 'rollout_percentage: 100')
    const held = await vexil('plan --env production')
    expect(held.stdout).toContain('blocked by rollout_step')
    const allowed = await vexil('plan --env production --allow rollout_step=feature_flag.dark-mode')
    expect(allowed.stdout).toContain('1 to change')
  })

  it('asks which environment is meant', async () => {
    const asked = await vexil('plan')
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('there are 2 environments, and none is selected')
  })
})
