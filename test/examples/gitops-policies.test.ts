import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../src/model/text/json.ts'
import { plannedPolicyNames } from '../../src/policies/planned-policies.ts'
import {
  policyBehind,
  type SettingName,
  settingNames,
  settingRow,
} from '../../src/policies/written-policies.ts'
import { parseYaml } from '../../src/yaml/index.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { gitops, useGitops } from './gitops-folder.ts'

const example = useGitops()
const readme = await readFile(join(gitops, 'README.md'), 'utf8')
const settings = parseYaml(await readFile(join(gitops, 'vexil.yaml'), 'utf8'), 'vexil.yaml').value ?? null

interface Edit {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly line: string
  readonly policy: SettingName
  readonly says: string
}

/** The edits that the README proposes, each with what is said of it. */
const edits = Array.from(
  readme.matchAll(/^\| `(.+?)` \| `(.+?)` \| `(.+?)` \| `vexil (.+?)` \| `(.+?)` \| `(.+?)` \|$/gm),
  ([, file = '', before = '', after = '', line = '', policy = '', says = '']): Edit => ({
    ...{ file, before, after, line, says },
    // The first test says that there is no other name.
    policy: policy as SettingName,
  }),
)
const isPlanned = ({ policy }: Edit) => plannedPolicyNames.some(name => name === policy)

/** The policies that the settings name, for all environments or for one. */
function namedIn(json: Json): string[] {
  if (!isJsonObject(json)) return []
  const { policies = null, environments = null } = json
  const own = isJsonObject(environments) ? Object.values(environments).flatMap(namedIn) : []
  return [...(isJsonObject(policies) ? Object.keys(policies) : []), ...own]
}

describe('the policies of examples/gitops', () => {
  it('are told in its README with an edit for each, but for the one that takes weeks', () => {
    const told = edits.map(({ policy }) => policy)
    expect([...told, 'longest_hold'].sort()).toEqual(namedIn(settings).sort())
    // A ceiling for conditions that leave nobody out is what this one asks, in percent.
    expect(settingNames.filter(name => !namedIn(settings).includes(name))).toEqual(['no_release_to_everyone'])
  })

  it.each(edits.filter(edit => !isPlanned(edit)))(
    '$policy is against `$after` in $file',
    async ({ file, before, after, line, policy, says }) => {
      await example().edit(file, before, after)
      const { code, stdout } = await example().vexil(`${line} --json`)
      const { problems } = JSON.parse(stdout)
      expect(problems).toMatchObject([{ source: { file }, message: expect.stringContaining(says) }])
      expect(policyBehind(problems[0].code)).toEqual(settingRow(policy))
      expect(problems[0].hint).toContain(settingRow(policy).remedy)
      expect(code).toBe(problems[0].severity === 'error' ? 1 : 0)
    },
  )

  it.each(edits.filter(isPlanned))(
    '$policy blocks `$after` in $file',
    async ({ file, before, after, line, policy, says }) => {
      await example().vexil('apply --env production --auto-approve')
      await example().edit(file, before, after)
      // The frozen time is about every change, so there has to be one.
      await example().edit('flags/growth.yaml', 'The tour', 'A tour')
      const { stdout } = await example().vexil(line)
      expect(stdout).toContain(says)
      const { blocked } = JSON.parse((await example().vexil(`${line} --json`)).stdout)
      expect(new Set(blocked.map(({ rule }: { rule: string }) => rule))).toEqual(new Set([policy]))
    },
  )

  it('longest_hold is against a flag that stays off in the product for weeks', async () => {
    const runtime = testRuntime()
    const day = 24 * 60 * 60 * 1000
    const apply = async () => {
      await runtime.sleep(15 * day)
      return example().vexil('apply --env production --auto-approve', { host: { runtime } })
    }
    await apply()
    const { service } = example()
    const { results } = (await service.get('/api/projects/1/feature_flags/?limit=100')) as {
      results: { id: number; key: string }[]
    }
    const id = results.find(({ key }) => key === 'dark-mode')?.id
    await service.send('PATCH', `/api/projects/1/feature_flags/${id}/`, { active: false })
    expect((await apply()).code).toBe(0)
    const late = await apply()
    expect(late.code).toBe(3)
    expect(late.stdout).toContain(
      'held longer than the 14 days that the settings allow (policy longest_hold)',
    )
  })
})
