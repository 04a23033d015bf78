import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace
const key = 'phx_not_to_be_seen'

describe('the key of the service', () => {
  it.each([
    ['VEXIL_API_KEY', 'VEXIL_API_KEY', ''],
    ['POSTHOG_API_KEY', 'POSTHOG_API_KEY', ''],
    ['STAGING_KEY', 'STAGING_KEY', ', api_key_env: STAGING_KEY'],
    ['COPY_OF_IT', 'VEXIL_API_KEY', ''],
  ])('gets into no declaration by way of %s', async (named, holder, setting) => {
    const { path } = workspace()
    const description = `"$\u007benv:${named}}"`
    await write({
      'vexil.yaml': `version: 1\nenvironments: { only: { base_url: "${service.url}", project: "1"${setting} } }\n`,
      'flags.yaml': `feature_flags: { a: { active: false, name: ${description}, filters: {} } }\n`,
    })
    const env = { [holder]: key, [named]: key }
    const { code, stdout, stderr } = await vexil('plan --out plan.json', { env })
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(`the environment variable ${named} contains the key of the service`)
    expect(stdout + stderr).not.toContain(key)
    expect(await readdir(path)).not.toContain('plan.json')
  })
})
