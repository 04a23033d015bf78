import { expect, it } from 'vitest'
import { useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'

const on = 'active: true, filters: { groups: [{ rollout_percentage: 100 }] }'

const workspace = useWorkspace({ 'shop.ts': 'pay()\n' })
const { vexil, write } = workspace

it.each<[string, string, string, boolean]>([
  ['the declaration', 'permanent: true', '', true],
  ['an override', 'environments: { production: { permanent: true } }', '', true],
  ['the settings', '', 'true', true],
  [
    'the settings, beside an override of something else',
    `environments: { production: { ${on} } }`,
    'true',
    true,
  ],
  [
    'an override against the declaration',
    'permanent: true, environments: { production: { permanent: false } }',
    '',
    false,
  ],
  ['the declaration against the settings', 'permanent: false', 'true', false],
  ['an override against the settings', 'environments: { production: { permanent: false } }', 'true', false],
  ['an override for another environment', 'environments: { staging: { permanent: true } }', '', false],
])('a flag is held that is here to stay, by %s', async (_, members, byDefault, isHeld) => {
  const defaults = byDefault === '' ? '' : `defaults: [{ files: flags.yaml, permanent: ${byDefault} }]\n`
  const env = await writeTwoEnvironments(workspace(), defaults)
  await write({
    'flags.yaml': `feature_flags:\n  checkout: { ${[on, members].filter(Boolean).join(', ')} }\n`,
  })
  const { stdout, stderr, code } = await vexil(
    'retire checkout --dry-run --offline --json --env production',
    { env },
  )
  const held = JSON.parse(stdout).retire?.holds.filter(({ kind }: { kind: string }) => kind === 'permanent')
  const remedy = byDefault === '' ? 'remove `permanent: true`' : 'write `permanent: false`'
  expect({ code, held }, stderr).toEqual(
    isHeld
      ? { code: 3, held: [expect.objectContaining({ remedy: expect.stringContaining(remedy) })] }
      : { code: 0, held: [] },
  )
})
