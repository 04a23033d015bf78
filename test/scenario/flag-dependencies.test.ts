import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace as useBench } from '../support/workspace.ts'

const bench = useBench({ 'vexil.yaml': 'version: 1\n' })

const dependent = (name: string, value = 'true') =>
  `  fast_checkout:
    active: true
    filters:
      groups:
        - properties: [ { key: ${name}, type: flag, operator: flag_evaluates_to, value: ${value} } ]
          rollout_percentage: 50
`
const everybody = 'filters: { groups: [ { rollout_percentage: 100 } ] }'
const naming = (name: string) =>
  `filters: { groups: [ { properties: [ { key: ${name}, type: flag, operator: flag_evaluates_to, value: true } ] } ] }`

/** What the conditions of a live flag name, as the service holds it. */
async function liveNames(key: string): Promise<unknown[]> {
  const { filters } = await bench().flag(key)
  const { groups } = filters as { groups: { properties?: { key: unknown }[] }[] }
  return groups.flatMap(({ properties = [] }) => properties.map(property => property.key))
}

async function idOf(key: string): Promise<string> {
  return String((await bench().flag(key)).id)
}

async function applies(text: string): Promise<string> {
  const { vexil, declareFlags } = bench()
  await declareFlags(text)
  const { code, stdout } = await vexil('apply --auto-approve')
  expect(code, stdout).toBe(0)
  expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  return stdout
}

describe('a flag that depends on another', () => {
  it.each([
    ['id', 'true', 'flag "checkout" is on for the person at 50%'],
    ['key', 'false', 'flag "checkout" is off for the person at 50%'],
  ])('goes from plan to apply to an empty plan, named by its %s', async (by, value, words) => {
    const { vexil, service, declareFlags } = bench()
    await service.send('POST', `${flagsPath}/`, { key: 'checkout' })
    const id = await idOf('checkout')
    const name = by === 'id' ? `"${id}"` : 'checkout'
    await declareFlags(dependent(name, value))

    const planned = await vexil('plan --detailed-exitcode')
    expect(planned).toMatchObject({ code: 2, stderr: '' })
    expect(planned.stdout).toContain(words)
    const applied = await vexil('apply --auto-approve')
    expect(applied.code, applied.stdout).toBe(0)
    expect(await liveNames('fast_checkout')).toEqual([id])
    const again = await service.watch(() => vexil('plan --detailed-exitcode'))
    expect(again.result.code, again.result.stdout).toBe(0)
    expect(again.requests.filter(isWrite)).toEqual([])

    await declareFlags(dependent(name, value === 'true' ? 'false' : 'true'))
    const changed = await vexil('plan')
    expect(changed.stdout).toContain(value === 'true' ? 'is off for the person' : 'is on for the person')
  })

  it('is created with it, and told its id', async () => {
    await applies(`${dependent('base')}  base: { active: true, ${everybody} }\n`)
    expect(await liveNames('fast_checkout')).toEqual([await idOf('base')])
  })

  it('is created with it from a saved plan, which shows the key', async () => {
    const { vexil, declareFlags, read } = bench()
    await declareFlags(`${dependent('base')}  base: { active: true, ${everybody} }\n`)
    const saved = await vexil('plan --out plan.json')
    expect(saved.stdout).toContain('flag "base" is on')
    const [first] = JSON.parse(await read('plan.json')).changes.filter(
      ({ identity }: { identity: string }) => identity === 'fast_checkout',
    )
    expect(first).toMatchObject({
      names: [{ $ref: 'feature_flag.base', identity: 'base' }],
      depends_on: ['feature_flag.base'],
    })
    const applied = await vexil('apply plan.json')
    expect(applied.code, applied.stdout).toBe(0)
    expect(await liveNames('fast_checkout')).toEqual([await idOf('base')])
  })

  it('is changed from a saved plan that was made when both were there', async () => {
    const { vexil, declareFlags } = bench()
    await applies(`  base: { active: true, ${everybody} }\n  other: { active: true, ${everybody} }\n`)
    await applies(dependent('base'))
    await declareFlags(dependent('other'))
    await vexil('plan --out plan.json')
    const applied = await vexil('apply plan.json')
    expect(applied.code, applied.stdout).toBe(0)
    expect(await liveNames('fast_checkout')).toEqual([await idOf('other')])
  })

  it('is made, turned off and deleted together with it, in the order that the service takes', async () => {
    const { vexil, flag } = bench()
    const both = (active: boolean) =>
      `  base: { active: ${active}, ${everybody} }\n  a_naming: { active: ${active}, ${naming('base')} }\n`
    for (const text of [
      both(true),
      both(false),
      both(true),
      '  base: { ensure: absent }\n  a_naming: { ensure: absent }\n',
    ])
      expect(await applies(text)).toContain('2 changes applied')
    const undone = await vexil('undo last --auto-approve')
    expect(undone.code, undone.stdout).toBe(0)
    expect((await flag('base')).deleted).toBe(false)
    expect((await flag('a_naming')).deleted).toBe(false)
    expect(await liveNames('a_naming')).toEqual([await idOf('base')])
  })

  it('changes places with it', async () => {
    await applies(`  a: { active: true, ${naming('b')} }\n  b: { active: true, ${everybody} }\n`)
    await applies(`  a: { active: true, ${everybody} }\n  b: { active: true, ${naming('a')} }\n`)
    await applies(`  a: { active: true, ${naming('b')} }\n  b: { active: true, ${everybody} }\n`)
    expect(await liveNames('a')).toEqual([await idOf('b')])
  })

  it('is put back to naming it when that is undone', async () => {
    const { vexil } = bench()
    const base = `  base: { active: true, ${everybody} }\n`
    await applies(base + dependent('base'))
    await applies(`${base}  fast_checkout: { active: true, ${everybody} }\n`)
    const undone = await vexil('undo last --auto-approve')
    expect(undone.code, undone.stdout).toBe(0)
    expect(await liveNames('fast_checkout')).toEqual([await idOf('base')])
  })

  it('is pruned before it', async () => {
    const { vexil, write, declareFlags } = bench()
    const kept = `  kept: { ${everybody} }\n  kept_too: { ${everybody} }\n`
    await write({ 'vexil.yaml': 'version: 1\nownership: { tag: ours, prune: owned }\n' })
    await applies(`${kept}  base: { active: true, ${everybody} }\n${dependent('base')}`)
    await declareFlags(kept)
    const pruned = await vexil('apply --auto-approve')
    expect(pruned.code, pruned.stdout).toBe(0)
    expect(pruned.stdout).toContain('2 changes applied')
  })

  it('is exported with its key, as what plans nothing', async () => {
    const { vexil, write } = bench()
    await applies(`  checkout: { active: true, ${everybody} }\n${dependent('checkout')}`)
    const exported = await vexil('export --kind feature_flag')
    expect(exported.stdout).toContain('key: checkout')
    await write({ 'flags.yaml': exported.stdout })
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('is left alone by a plan that only says otherwise what it depends on', async () => {
    const { vexil, declareFlags } = bench()
    await applies(`  base: { active: true, ${everybody} }\n${dependent('base')}`)
    await declareFlags(dependent(`"${await idOf('base')}"`))
    expect((await vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('is told to have drifted by the key of the flag that it names in the product', async () => {
    const { vexil, edit } = bench()
    const two = `  base: { active: true, ${everybody} }\n  other: { active: true, ${everybody} }\n`
    await applies(two + dependent('base'))
    const [group] = [{ key: await idOf('other'), type: 'flag', operator: 'flag_evaluates_to', value: true }]
    await edit('fast_checkout', { filters: { groups: [{ properties: [group], rollout_percentage: 50 }] } })
    expect((await vexil('drift')).stdout).toContain('flag "other" is on for the person')
  })

  it.each([
    ['another operator', 'operator: exact, value: true', 'use flag_evaluates_to'],
    ['no value', 'operator: flag_evaluates_to', 'true, false or the key of a variant'],
  ])('is found to have %s before anything is sent', async (_, members, words) => {
    const { vexil, declareFlags } = bench()
    await declareFlags(
      `  fast: { filters: { groups: [ { properties: [ { key: "1", type: flag, ${members} } ] } ] } }\n`,
    )
    const { code, stderr } = await vexil('plan')
    expect(code).toBe(1)
    expect(stderr).toContain(words)
  })
})

describe('a plan that the service would refuse', () => {
  it.each([
    ['a key', 'nowhere', 'name the flag "nowhere", which does not exist and is not declared'],
    ['an id', '"99"', 'name a flag by the id 99, and there is no such flag'],
  ])('blocks a flag that names another by %s that is nowhere', async (_, name, words) => {
    const { vexil, declareFlags, service } = bench()
    await declareFlags(dependent(name))
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve --fail-on-blocked'))
    expect(result.code).toBe(3)
    expect(result.stdout).toContain(words)
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('is not made of flags that wait for each other: validate says on which way', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(`  a: { ${naming('b')} }\n  b: { ${naming('c')} }\n  c: { ${naming('a')} }\n`)
    for (const line of ['validate', 'plan']) {
      const { code, stdout, stderr } = await vexil(line)
      expect(code).toBe(1)
      expect((stdout + stderr).match(/its conditions lead back to it: .*/g)).toEqual([
        expect.stringContaining('a -> b -> c -> a'),
      ])
      expect(stdout + stderr).toContain('flags.yaml:2')
    }
  })

  it('is told when a text of digits is the key of another flag and read as an id', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(`  "17": { active: true, ${everybody} }\n${dependent('"17"')}`)
    const { code, stdout, stderr } = await vexil('validate')
    expect(code).toBe(0)
    expect(stdout + stderr).toContain('a condition names a flag by "17", which is read as an id')
  })

  it('blocks a circle over a flag that nobody declares, with the way', async () => {
    const { vexil, declareFlags, service } = bench()
    await applies(`  base: { active: true, ${everybody} }\n${dependent('base')}`)
    await declareFlags(`  base: { active: true, ${naming('fast_checkout')} }\n`)
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve --fail-on-blocked'))
    expect(result.code).toBe(3)
    expect(result.stdout).toContain('base -> fast_checkout -> base')
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('blocks the deletion of a flag that another, declared nowhere, names', async () => {
    const { vexil, declareFlags, service } = bench()
    await applies(`  base: { active: true, ${everybody} }\n${dependent('base')}`)
    await declareFlags('  base: { ensure: absent }\n')
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve --fail-on-blocked'))
    expect(result.code).toBe(3)
    expect(result.stdout).toContain('a flag that is on names it in conditions')
    expect(result.stdout).toContain('fast_checkout')
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('blocks a flag that names one which is left out of the plan', async () => {
    const { vexil, declareFlags } = bench()
    await declareFlags(`  base: { active: true, ${everybody} }\n${dependent('base')}`)
    const { stdout } = await vexil('plan --target feature_flag.fast_checkout')
    expect(stdout).toContain('is not part of this plan')
    expect(stdout).toContain('plan feature_flag.base too')
  })
})
