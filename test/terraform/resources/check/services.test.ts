import { describe, expect, it } from 'vitest'
import { unknown } from '../../../../src/hcl/values/value.ts'
import { profiles } from '../../../../src/model/connection.ts'
import { createVexilProvider } from '../../../../src/terraform/vexil-provider.ts'
import { testRuntime } from '../../../support/test-runtime.ts'
import { overTheWire } from '../../support/values.ts'
import { type Config, showDiagnostic } from '../play.ts'

/** What `terraform validate` says of a flag: the block is validated first, and nothing is configured. */
async function validate(block: Config, flag: Config, env: Readonly<Record<string, string>> = {}) {
  const provider = createVexilProvider({ runtime: testRuntime(), env, directory: '/' })
  const context = { signal: new AbortController().signal }
  await provider.validateProvider?.(overTheWire(provider.schema, block), context)
  const resource = provider.resources.vexil_feature_flag
  if (!resource?.validate) throw new Error('there is no resource of a flag')
  const config = { key: 'one', active: false, ...flag }
  return (await resource.validate(overTheWire(resource.schema, config), context)).map(showDiagnostic)
}

const early = { release: [{ rollout_percentage: 5 }], early_exit: true }
const newer = (where: string, hint: string) =>
  `warning [early_exit]: "early_exit" is newer than the service, which ignores it${where}${hint}`
const isNewer = (line: string) => line.includes('newer than the service')

describe('what is validated', () => {
  it.each(profiles)('is what the service of profile %s has', async profile => {
    const isToday = profile === 'posthog-2026'
    expect((await validate({ profile }, early)).filter(isNewer)).toEqual(isToday ? [] : [newer('', '')])
    expect(await validate({ profile }, { archived: true })).toEqual(
      isToday ? [] : ['error [archived]: the service has no "archived" | Remove it for that service.'],
    )
    expect(await validate({ profile }, { archived: false })).toEqual([])
  })

  it.each<[string, Config, Readonly<Record<string, string>>?]>([
    ['nothing is said', {}],
    ['the first answers are to tell', { profile: 'auto' }],
    ['it is known later', { profile: unknown }, { VEXIL_PROFILE: 'documented' }],
  ])('is what any service has where %s', async (_, block, env) => {
    expect((await validate(block, early, env)).filter(isNewer)).toEqual([
      newer(' (profiles documented and posthog)', " | Set the service's version in `profile`."),
    ])
    expect(await validate(block, { archived: true }, env)).toEqual([])
  })

  it('goes by the environment where the block says nothing', async () => {
    expect((await validate({}, early, { VEXIL_PROFILE: 'posthog-2026' })).filter(isNewer)).toEqual([])
  })
})
