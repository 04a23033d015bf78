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

  const forced = 'condition 2 forces a variant behind condition 1: SDKs before September 2025 try it first'

  it.each<[string, string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ['as documented', '', ['documented'], {}, true],
    ['of 2024', '', ['posthog'], {}, true],
    ['of today', '', ['posthog-2026'], {}, false],
    ['of today, in one of two', '', ['posthog', 'posthog-2026'], {}, false],
    ['of the one that is asked for', '--env e0', ['posthog', 'posthog-2026'], {}, true],
    ['that is to be recognized', '', ['auto'], {}, true],
    ['that a variable names', '', ['posthog'], { VEXIL_PROFILE: 'posthog-2026' }, false],
  ])('%s', async (_, line, profiles, env, isTriedFirst) => {
    const { code, stdout, stderr } = await validate(line, profiles, env)
    expect(code).toBe(0)
    expect((stdout + stderr).includes(covered)).toBe(isTriedFirst)
    expect((stdout + stderr).includes(forced)).toBe(!isTriedFirst)
  })
})
