import { expect, it } from 'vitest'
import { agingWorld, flagsAt } from './aging-world.ts'

const all = 'active: true, filters: { groups: [{ rollout_percentage: 100 }] }'
const some = 'active: true, filters: { groups: [{ rollout_percentage: 20 }] }'
const two = 'version: 1\nenvironments: { staging: { project: "1" }, production: { project: "2" } }\n'

it('flags of one owner are told by themselves, also where the settings or a tag say whose they are', async () => {
  const { on, stale, vexil } = await agingWorld({
    'vexil.yaml': 'version: 1\ndefaults: [{ files: shop.yaml, owner: checkout }]\n',
    ...flagsAt({ pay: all, fast: `${all}, owner: growth` }, 'shop.yaml'),
    ...flagsAt({ nav: `${all}, tags: ["owner:checkout"]`, dark: all, used: `${some}, owner: checkout` }),
  })
  on(40)
  expect((await stale('--owner checkout')).told).toEqual(['nav everyone 40 commit', 'pay everyone 40 commit'])
  expect((await stale('--owner growth')).told).toEqual(['fast everyone 40 commit'])
  expect((await stale('--owner checkout --owner growth')).told).toHaveLength(3)
  expect((await vexil('retire --owner checkout')).stdout).toContain('2 of 3 flags are stale')
  expect(await vexil('retire --owner chekout')).toMatchObject({
    code: 64,
    stdout: '',
    stderr: expect.stringContaining('did you mean "checkout"?'),
  })
  expect((await vexil('retire')).stdout).toMatch(/^checkout\n.*^growth\n.*^No owner\n/ms)
})

it('what the settings say is here to stay is left out, unless the flag or an environment says otherwise', async () => {
  const { on, stale } = await agingWorld({
    'vexil.yaml': `${two}defaults: [{ files: stay.yaml, permanent: true }]\n`,
    'shop.ts': 'pay()\n',
    ...flagsAt(
      {
        kill: `active: false, ${all.replace('active: true, ', '')}`,
        done: `${all}, permanent: false`,
        partly: `${all}, environments: { production: { permanent: false } }`,
      },
      'stay.yaml',
    ),
    ...flagsAt({ nav: `${all}, environments: { production: { permanent: true } }` }),
  })
  on(40)
  expect(await stale('--in shop.ts')).toMatchObject({
    code: 6,
    permanent: 1,
    told: [
      'done staging everyone 40 commit',
      'done production everyone 40 commit',
      'done unreferenced',
      '... nav staging everyone 40 commit',
      '... nav unreferenced',
      '... partly production everyone 40 commit',
      '... partly unreferenced',
    ],
  })
  expect((await stale('--env production')).told).toEqual([
    'done production everyone 40 commit',
    'partly production everyone 40 commit',
  ])
  expect(await stale('--env staging')).toMatchObject({
    told: ['done staging everyone 40 commit', 'nav staging everyone 40 commit'],
    permanent: 2,
  })
})

it('a flag that no code names is stale at once, but for what is to be absent', async () => {
  const code = { 'app/shop.ts': "isFeatureEnabled('used')\n", 'lib/other.ts': 'isFeatureEnabled("other")\n' }
  const { stale, vexil } = await agingWorld({
    ...code,
    ...flagsAt({ used: some, other: some, gone: 'ensure: absent', kill: `${some}, permanent: true` }),
  })
  expect(await stale()).toMatchObject({ code: 0, told: [] })
  expect(await stale('--in app')).toMatchObject({ code: 6, told: ['other unreferenced'], permanent: 1 })
  expect((await stale('--in app --in lib')).told).toEqual([])
  expect((await stale('--in lib')).told).toEqual(['used unreferenced'])
  expect(
    (await vexil('retire --in app')).stdout,
  ).toBe(`  other                                             flags.yaml:3
      not found in code
      next: vexil retire other

1 of 3 flags is stale (--days 30), 1 permanent skipped, 1 file searched
`)
  expect(await vexil('retire --in nowhere')).toMatchObject({ code: 64, stdout: '' })
  expect(await vexil('retire --in flags.yaml')).toMatchObject({ code: 1, stdout: '' })
})

it('a flag that no code names waits for the environment that has it absent', async () => {
  const { on, stale } = await agingWorld({
    'vexil.yaml': two,
    'shop.ts': 'pay()\n',
    ...flagsAt({ nav: `${some}, environments: { production: { ensure: absent } }` }),
  })
  on(40)
  expect(await stale('--in shop.ts')).toMatchObject({ code: 0, told: ['... nav unreferenced'] })
  expect(await stale('--in shop.ts --env staging')).toMatchObject({ code: 6, told: ['nav unreferenced'] })
})
