import { describe, expect, it } from 'vitest'
import { type CliResult, cli, folderWith } from '../support/cli.ts'

const declarations = `feature_flags:
  covered:
    active: true
    filters:
      groups: [ { rollout_percentage: 10 }, { variant: a } ]
      multivariate: { variants: [ { key: a, rollout_percentage: 50 }, { key: b, rollout_percentage: 50 } ] }
`

function settings(...profiles: readonly string[]): string {
  const environments = profiles.map(
    (profile, index) =>
      `  e${index}: { base_url: "http://127.0.0.1:1", project: "1", profile: ${profile} }\n`,
  )
  return `version: 1\nenvironments:\n${environments.join('')}`
}

async function validate(
  line: string,
  profiles: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const folder = await folderWith({ 'vexil.yaml': settings(...profiles), 'flags.yaml': declarations })
  try {
    return await cli(`validate ${line}`, { directory: folder.path, env })
  } finally {
    await folder.remove()
  }
}

describe('what is declared is checked for the service of its environments', () => {
  const covered = 'condition 1 can never match: condition 2 takes everyone at 100%'

  const forced =
    'condition 2 forces a variant and comes after condition 1: posthog-go 1.5.2, posthog-rs 0.30.0 and posthog-server 2.3.3 try it first'

  const on = (...profiles: readonly string[]) =>
    ` (${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(' and ')});`

  it.each<[string, string, readonly string[], Readonly<Record<string, string>>, string[]]>([
    ['as documented', '', ['documented'], {}, [`${covered};`]],
    ['of 2024', '', ['posthog'], {}, [`${covered};`]],
    ['of today', '', ['posthog-2026'], {}, [`${forced};`]],
    [
      'of 2024 and of today, in two environments',
      '',
      ['posthog', 'posthog-2026'],
      {},
      [covered + on('posthog'), forced + on('posthog-2026')],
    ],
    ['of the one that is asked for', '--env e0', ['posthog', 'posthog-2026'], {}, [`${covered};`]],
    [
      'that is to be recognized',
      '',
      ['auto'],
      {},
      [covered + on('documented', 'posthog'), forced + on('posthog-2026')],
    ],
    ['that a variable names', '', ['posthog'], { VEXIL_PROFILE: 'posthog-2026' }, [`${forced};`]],
    ['that an option names', '--profile posthog-2026', ['posthog'], {}, [`${forced};`]],
    [
      'that an option names, whatever a variable does',
      '--profile posthog',
      ['auto'],
      { VEXIL_PROFILE: 'posthog-2026' },
      [`${covered};`],
    ],
    [
      'that an option leaves open',
      '--profile auto',
      ['posthog'],
      {},
      [covered + on('documented', 'posthog'), forced + on('posthog-2026')],
    ],
  ])('%s', async (_, line, profiles, env, told) => {
    const { code, stdout, stderr } = await validate(line, profiles, env)
    expect(code).toBe(0)
    const lines = (stdout + stderr).split('\n').filter(text => text.includes('warning: '))
    expect(lines.map(text => told.findIndex(words => text.includes(words))).sort()).toEqual(
      told.map((__, index) => index),
    )
  })

  it('of its own environment, where only that one says it', async () => {
    const own = declarations.replace(
      /^ {4}filters:/m,
      '    environments: { e1: { filters: { groups: [] } } }\n    filters:',
    )
    const late = own.replace(
      'groups: []',
      'groups: [ { properties: [ { key: a, type: person, operator: semver_gt, value: 1.2.3 } ] } ]',
    )
    const folder = await folderWith({ 'vexil.yaml': settings('posthog', 'posthog-2026'), 'flags.yaml': late })
    try {
      const { stdout, stderr } = await cli('validate', { directory: folder.path, env: {} })
      // The service of e0 does not know it, and that of e1 does.
      expect(stdout + stderr).not.toContain('semver_gt" is newer')
    } finally {
      await folder.remove()
    }
  })

  it('and refuses an option that names none', async () => {
    const { code, stderr } = await validate('--profile posthog-2025', ['auto'])
    expect(code).toBe(64)
    expect(stderr).toContain('"posthog-2025" is not a profile')
  })
})
