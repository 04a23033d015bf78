import { describe, expect, it } from 'vitest'
import { flag as resource, flags as resources } from '../../cli/stack-app.ts'
import { everyoneAt, nothing, sharesOf, worldOf } from './clones.ts'

const file = 'cdktf.out/stacks/shop/cdk.tf.json'
const stack = '--stack cdktf.out/stacks/shop'

/** A stack as its program has synthesized it. */
function synthesized(checkout: object, other: object = {}) {
  const all = resources({ a: resource('checkout', checkout), b: resource('other', other) })
  return { [file]: `${JSON.stringify(all, undefined, 2)}\n` }
}

const share = (percent: number) => ({ release: [{ rollout_percentage: percent }] })

describe('a stack', () => {
  it('whose flag on-call turned off leaves it off over an unrelated change', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(synthesized({}))
    expect((await apply(stack)).code).toBe(0)
    expect(await plan(stack)).toMatchObject(nothing)
    await click('checkout', { active: false })
    await commit(synthesized({}, share(20)))
    const planned = await plan(stack)
    expect(planned).toMatchObject({
      code: 0,
      changes: ['update other: filters'],
      blocked: [],
      edits: ['checkout active held'],
    })
    expect(planned.text).toContain('--allow live_edit=feature_flag.checkout')
    await apply(stack)
    expect((await flag('checkout')).active).toBe(false)
    expect(sharesOf(await flag('other'))).toEqual([20])
    expect(await plan(stack)).toMatchObject({ ...nothing, edits: ['checkout active held'] })
    await apply(`${stack} --allow live_edit=feature_flag.checkout`)
    expect((await flag('checkout')).active).toBe(true)
    expect(await plan(stack)).toMatchObject(nothing)
  })

  it('that changed on both sides is a conflict in that field, and the other fields go on', async () => {
    const { apply, click, commit, flag, plan } = await worldOf(synthesized({ name: 'Checkout' }))
    await apply(stack)
    await click('checkout', { filters: everyoneAt(60) })
    await commit(synthesized({ name: 'New', ...share(30) }))
    expect(await plan(stack)).toMatchObject({
      code: 3,
      changes: ['update checkout: name'],
      edits: ['checkout filters conflict'],
    })
    expect((await apply(stack)).code).toBe(3)
    const live = await flag('checkout')
    expect([live.name, sharesOf(live)]).toEqual(['New', [60]])
  })

  it('is measured from runs on record or from nothing, and from no commit: a stack cannot be read there', async () => {
    const { apply, click, plan, service, vexil } = await worldOf(synthesized({}))
    await apply(stack)
    await click('checkout', { active: false })
    for (const command of ['plan', 'drift', 'apply --auto-approve']) {
      const { result, requests } = await service.watch(() => vexil(`${command} ${stack} --base HEAD`))
      expect(result.code).toBe(64)
      expect(result.stderr).toContain(
        '--base HEAD reads the YAML files of that commit, but a stack has none; --base auto uses recorded runs, also for stacks',
      )
      expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
    }
    expect(await plan(`${stack} --base auto`)).toMatchObject({ changes: [], edits: ['checkout active held'] })
    expect(await plan(`${stack} --base none`)).toMatchObject({
      code: 0,
      changes: ['update checkout: active'],
      edits: [],
    })
  })
})
