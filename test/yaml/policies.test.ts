import { describe, expect, it } from 'vitest'
import { problemLine } from '../../src/report/line-text.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { inFolder } from '../support/folder.ts'

const today = '2026-11-21'

/** What is said of files, each in the line that a person sees, without what to do about it. */
function saidOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  return inFolder(files, async directory => {
    const { problems } = await readDeclared({ directory, env: {}, today })
    return problems.map(({ hint: _, ...problem }) => problemLine(problem))
  })
}

const environments = (policies: Readonly<Record<string, string>>) =>
  ['staging', 'production'].map(name => `  ${name}: { policies: { ${policies[name] ?? ''} } }`).join('\n')

function settings(policies: string, own: Readonly<Record<string, string>> = {}): string {
  return `version: 1\nenvironments:\n${environments(own)}\npolicies: { ${policies} }\n`
}

const open = 'feature_flags:\n  open: { active: true, rollout_percentage: 100 }\n'

describe('policies in the settings', () => {
  it.each([
    [
      'the same everywhere',
      'max_rollout: 50',
      {},
      [
        'flags.yaml:2:45 feature_flag "open": condition 1 (everyone) goes to 100%; the ceiling is 50% (policy max_rollout)',
      ],
    ],
    [
      'off in one',
      'max_rollout: 50',
      { staging: 'max_rollout: off' },
      [
        'flags.yaml:2:45 feature_flag "open": in production, condition 1 (everyone) goes to 100%; the ceiling is 50% (policy max_rollout)',
      ],
    ],
    [
      'another level in one',
      'max_rollout: 50',
      { staging: 'max_rollout: warning' },
      [
        'flags.yaml:2:45 warning: feature_flag "open": in staging, condition 1 (everyone) goes to 100%; the ceiling is 50% (policy max_rollout)',
        'flags.yaml:2:45 feature_flag "open": in production, condition 1 (everyone) goes to 100%; the ceiling is 50% (policy max_rollout)',
      ],
    ],
    [
      'off, and turned on in one by its option',
      'max_rollout: { at_most: 5, level: off }',
      { production: 'max_rollout: 60' },
      [
        'flags.yaml:2:45 feature_flag "open": in production, condition 1 (everyone) goes to 100%; the ceiling is 60% (policy max_rollout)',
      ],
    ],
    [
      'off, and turned on in one by its level',
      'max_rollout: { at_most: 5, level: off }',
      { staging: 'max_rollout: warning' },
      [
        'flags.yaml:2:45 warning: feature_flag "open": in staging, condition 1 (everyone) goes to 100%; the ceiling is 5% (policy max_rollout)',
      ],
    ],
    [
      'left alone in one',
      'max_rollout: 50',
      { staging: 'max_rollout: { except: [open] }' },
      [
        'flags.yaml:2:45 feature_flag "open": in production, condition 1 (everyone) goes to 100%; the ceiling is 50% (policy max_rollout)',
      ],
    ],
  ] as const)('hold in each environment: %s', async (_, shared, own, said) => {
    expect(await saidOf({ 'vexil.yaml': settings(shared, own), 'flags.yaml': open })).toEqual(said)
  })

  it('are told at the override of an environment', async () => {
    const flags = `feature_flags:
  open:
    active: true
    rollout_percentage: 10
    environments:
      production: { rollout_percentage: 60 }
`
    expect(await saidOf({ 'vexil.yaml': settings('max_rollout: 50'), 'flags.yaml': flags })).toEqual([
      'flags.yaml:6:41 feature_flag "open": in production, condition 1 (everyone) goes to 60%; the ceiling is 50% (policy max_rollout)',
    ])
  })

  it('are told at the audience that says what is against them', async () => {
    const flags = `audiences:
  staff: { properties: { email: ada@example.com } }
feature_flags:
  open: { active: true, release: { a: { audience: staff, rollout_percentage: 10 } } }
`
    expect(await saidOf({ 'vexil.yaml': settings('no_personal_email: error'), 'flags.yaml': flags })).toEqual(
      [
        `flags.yaml:2:33 feature_flag "open": condition 1 contains a person's e-mail address, in the values of "email" (policy no_personal_email)`,
      ],
    )
  })

  it('take members of declarations, and defaults, for tags', async () => {
    const flags = (more: string) =>
      `feature_flags:\n  open: { active: true, rollout_percentage: 50, ${more} }\n`
    const asked = settings('owner: error, expiry: error')
    const none =
      'feature_flag "open": no tag names an owner; a tag must match /^(owner|team)[:-]/u (policy owner)'
    const endless = 'feature_flag "open": it has no `expires` date (policy expiry)'
    const both = [`flags.yaml:2:3 ${endless}`, `flags.yaml:2:3 ${none}`]
    const said = (more: string, how = asked) => saidOf({ 'vexil.yaml': how, 'flags.yaml': flags(more) })
    expect(await said('')).toEqual(both)
    expect(await said('owner: payments, expires: 2027-01-01')).toEqual([])
    expect(await said('owner: payments, permanent: true')).toEqual([])
    expect(
      await said('', `${asked}defaults: [{ files: flags.yaml, owner: pay, permanent: true }]\n`),
    ).toEqual([])
    // They are known whether or not the service keeps them.
    expect(await said('owner: payments, expires: 2027-01-01', `${asked}live_tags: false\n`)).toEqual([])
    expect(await said('permanent: true, ensure: absent')).toEqual([])
  })

  const everywhere = (staging: string) => `feature_flags:
  open:
    active: true
    rollout_percentage: 100
    environments: { staging: ${staging} }
`

  it.each([
    ['declared so', '{ name: x }', true],
    ['off', '{ active: false }', false],
    ['for fewer people', '{ rollout_percentage: 99 }', false],
    [
      'for some of them',
      '{ rollout_percentage: null, release: { de: { properties: { country: DE } } } }',
      false,
    ],
    ['absent', '{ ensure: absent }', false],
    ['left alone', '{ skip: true }', false],
  ])('ask for another environment first: where it is %s there', async (_, staging, isFirst) => {
    const files = { 'vexil.yaml': settings('first_in: staging'), 'flags.yaml': everywhere(staging) }
    expect(await saidOf(files)).toEqual(
      isFirst
        ? []
        : [
            'flags.yaml:4:25 feature_flag "open": in production, condition 1 (everyone) goes to 100%, but not in staging (policy first_in)',
          ],
    )
  })

  it.each([
    ['ownr: error', 'vexil.yaml:5:13 "ownr" is not a policy'],
    ['owner: warned', 'vexil.yaml:5:20 "owner" must be error, warning, warn or off, not "warned"'],
    ['max_rollout: error', 'vexil.yaml:5:13 "at_most" of "max_rollout" is missing'],
    ['max_rollout: 200', 'vexil.yaml:5:26 "max_rollout" must be 100 or less, not 200'],
    ['max_rollout: { at_mots: 5 }', 'vexil.yaml:5:28 "at_mots" is not an option of this policy'],
    [
      'name_pattern: { feature_flags: "(" }',
      'vexil.yaml:5:44 "feature_flags" of "name_pattern": Invalid regular expression: /(/u: Unterminated group',
    ],
    ['first_in: stagin', 'vexil.yaml:5:23 "stagin" is not an environment'],
    ['expiry: 3 moons', 'vexil.yaml:5:21 "expiry" must be a time such as "14 days", not "3 moons"'],
    [
      'grants_only_to: { roles: [a], at_most: boss }',
      'vexil.yaml:5:52 "at_most" must be none, viewer, editor or manager, not "boss"',
    ],
  ])('are errors where they are wrong: %s', async (written, said) => {
    expect(await saidOf({ 'vexil.yaml': settings(written), 'flags.yaml': open })).toEqual([said])
  })

  it('need in each environment what they need, once they are laid over each other', async () => {
    const shared = settings('max_rollout: error', { production: 'max_rollout: 100' })
    expect(await saidOf({ 'vexil.yaml': shared, 'flags.yaml': open })).toEqual([
      'vexil.yaml:5:13 "at_most" of "max_rollout" is missing',
    ])
    const own = settings('owner: off', { production: 'max_rollout: warning' })
    expect(await saidOf({ 'vexil.yaml': own, 'flags.yaml': open })).toEqual([
      'vexil.yaml:4:29 "at_most" of "max_rollout" is missing',
    ])
    const both = settings('max_rollout: error', {
      production: 'max_rollout: 100',
      staging: 'max_rollout: off',
    })
    expect(await saidOf({ 'vexil.yaml': both, 'flags.yaml': open })).toEqual([])
  })
})
