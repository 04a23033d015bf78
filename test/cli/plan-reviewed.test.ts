import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, declareFlags, read, edit } = workspace
const flag = (percent: number, name = 'New checkout') =>
  `  checkout: { name: ${name}, active: true, filters: { groups: [ { rollout_percentage: ${percent} } ] } }`

/** Plans beside the plan that was saved as reviewed.json. */
async function planAgain(options = '') {
  const { code, stdout, stderr } = await vexil(`plan --reviewed reviewed.json ${options}`)
  const json = JSON.parse((await vexil('plan --reviewed reviewed.json --json')).stdout)
  return { code, told: `${stdout}${stderr}`, reviewed: json.reviewed }
}

describe('plan --reviewed', () => {
  it('ends in 0 where the plan does nothing that was not in the other one', async () => {
    await declareFlags(`${flag(10)}\n  beta: { active: false }`)
    expect((await vexil('plan --out reviewed.json')).code).toBe(0)
    // Another line, and less to do.
    await declareFlags(`# a comment\n${flag(10)}`)
    const { code, told, reviewed } = await planAgain()
    expect([code, reviewed]).toEqual([
      0,
      { as_reviewed: true, added: [], changed: [], gone: ['feature_flag.beta'] },
    ])
    expect(told).toContain(
      'as reviewed: every change is in "reviewed.json" as well; no longer needed: feature_flag.beta',
    )
    expect((await planAgain('--detailed-exitcode')).code).toBe(2)
  })

  it('ends in 5 where it does more, or something else', async () => {
    await declareFlags(flag(10))
    await vexil('plan --out reviewed.json')
    await declareFlags(`${flag(20)}\n  beta: { active: false }`)
    const { code, told, reviewed } = await planAgain()
    expect([code, reviewed]).toEqual([
      5,
      { as_reviewed: false, added: ['feature_flag.beta'], changed: ['feature_flag.checkout'], gone: [] },
    ])
    expect(told).toContain('not as reviewed: "reviewed.json" does not change feature_flag.beta')
    expect(told).toContain('"reviewed.json" has a different change of feature_flag.checkout')
    expect((await planAgain('--detailed-exitcode')).code).toBe(5)
  })

  it('ends in 5 where the live object has changed, and the request would be the same', async () => {
    await declareFlags(flag(10))
    await vexil('apply --auto-approve')
    await declareFlags(flag(20))
    await vexil('plan --out reviewed.json')
    await edit('checkout', { name: 'Somebody was here' })
    const { code, reviewed } = await planAgain()
    expect(code).toBe(5)
    expect(reviewed).toMatchObject({ as_reviewed: false, changed: ['feature_flag.checkout'] })
  })

  it.each([
    ['nothing that was saved', '{}', 'cannot be compared: it is not a plan file'],
    ['a plan that somebody edited', undefined, 'it was edited or cut off; plan again'],
  ])('ends in 5 beside %s, and plans all the same', async (_, text, why) => {
    const { path } = workspace()
    await declareFlags(flag(10))
    await vexil('plan --out reviewed.json')
    const saved = await readFile(join(path, 'reviewed.json'), 'utf8')
    await write({ 'reviewed.json': text ?? saved.replace('New checkout', 'Old checkout') })
    const { code, told, reviewed } = await planAgain('--out again.json')
    expect([code, reviewed]).toEqual([5, { as_reviewed: false, reason: expect.stringContaining('plan') }])
    expect(told).toContain(why)
    expect((await vexil('apply again.json')).code).toBe(0)
  })

  it('compares with a plan that hides values by their digests', async () => {
    const toPlan = (name: string) =>
      declareFlags(
        flag(10).replace(
          '10 }',
          `10, properties: [ { key: plan, value: [${name}], operator: exact, type: person } ] }`,
        ),
      )
    await toPlan('gold')
    expect((await vexil('plan --redact values --out reviewed.json')).code).toBe(0)
    expect((await planAgain()).reviewed).toMatchObject({ as_reviewed: true })
    await toPlan('silver')
    const { code, reviewed } = await planAgain()
    expect([code, reviewed]).toMatchObject([5, { as_reviewed: false, changed: ['feature_flag.checkout'] }])
  })

  it('ends in 1 before anything is asked where there is no such file', async () => {
    const { result, requests } = await service.watch(() => vexil('plan --reviewed nowhere.json'))
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nowhere.json') })
    expect(requests).toEqual([])
  })

  it('tells it in reports too', async () => {
    await declareFlags(flag(10))
    await vexil('plan --out reviewed.json')
    await vexil('plan --reviewed reviewed.json --report plan.md --report plan.html')
    for (const name of ['plan.md', 'plan.html']) expect(await read(name)).toMatch(/as reviewed/)
  })
})
