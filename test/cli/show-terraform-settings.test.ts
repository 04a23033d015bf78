import { describe, expect, it } from 'vitest'
import { change, everyone, flag, type Parts, role, shownPlan } from '../support/terraform-plan.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { write, read } = workspace
const shown = (changes: readonly object[], more?: { options?: string; more?: Parts }) =>
  shownPlan(workspace(), changes, more)

/** The update of a flag, told as what differs from the usual one before and after it. */
const updated = (name: string, before: Parts, after: Parts) =>
  change(`vexil_feature_flag.${name}`, ['update'], { before: flag(before), after: flag(after) })

describe('a plan of Terraform beside a vexil.yaml', () => {
  it('judges by the settings of the folder, and hides what they hide', async () => {
    const widened = updated('checkout', {}, { filters: everyone(15) })
    const gone = change('vexil_feature_flag.gone', ['forget'], { before: flag({ key: 'gone' }) })
    const risksOf = async () => {
      const { stdout, code } = await shown([widened, gone], { options: '--json' })
      expect(code).toBe(0)
      return (JSON.parse(stdout).changes as { risk: string }[]).map(({ risk }) => risk)
    }
    await write({ 'vexil.yaml': 'version: 1\n' })
    expect(await risksOf()).toEqual(['medium', 'low'])
    await write({ 'vexil.yaml': 'version: 1\nrisk: { widened: critical, unnoticed: high }\n' })
    expect(await risksOf()).toEqual(['critical', 'high'])
    // None of several environments is chosen: what holds for all of them.
    const environments =
      'environments: { a: { project: "1", risk: { widened: low } }, b: { project: "2" } }\n'
    await write({ 'vexil.yaml': `version: 1\nrisk: { widened: high }\n${environments}` })
    expect(await risksOf()).toEqual(['high', 'low'])

    const secret = (percent: number) => {
      const properties = [{ key: 'email', type: 'person', value: ['secret@example.com'] }]
      const groups = [{ properties, rollout_percentage: percent }]
      return { name: `secret ${percent}`, filters: JSON.stringify({ groups }) }
    }
    const hidden = updated('checkout', secret(5), secret(9))
    await write({ 'vexil.yaml': 'version: 1\nredact: [descriptions, values]\n' })
    for (const options of ['', '--json', '--report r.md --report r.html']) {
      const { stdout } = await shown([hidden], { options, more: { resource_drift: [hidden] } })
      expect(stdout).toContain('5% -> 9%')
      expect(stdout).not.toContain('secret')
    }
    for (const report of ['r.md', 'r.html']) expect(await read(report)).not.toContain('secret')

    await write({ 'vexil.yaml': 'version: 1\nrisk: { widened: nonsense }\n' })
    const { code, stderr } = await shown([widened])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('vexil.yaml:2') })
  })

  it('tells whose a change is, by the tags of the resource, and of a grant by those of its flag', async () => {
    const tagged = flag({ tags: ['owner:payments', 'web'] })
    const { stdout } = await shown(
      [
        change('vexil_feature_flag.checkout', ['update'], {
          before: tagged,
          after: { ...tagged, filters: everyone(15) },
        }),
        change('vexil_feature_flag_role_access.support', ['create'], {
          after: { role_id: role, feature_flag_id: 7 },
        }),
        updated('other', { id: 9, key: 'other' }, { id: 9, key: 'other', name: 'x' }),
      ],
      { options: '--json' },
    )
    const { owners, changes } = JSON.parse(stdout)
    expect(changes).toHaveLength(3)
    expect(owners).toEqual({
      'feature_flag.checkout': ['payments'],
      [`feature_flag_role_access.checkout:${role}`]: ['payments'],
    })
  })
})
