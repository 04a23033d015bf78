import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, TerraformStack } from 'cdktf'
import { describe, expect, it, onTestFinished } from 'vitest'
import { VexilProvider } from '../../src/cdktf/generated/provider/index.ts'
import { Flag } from '../../src/cdktf/index.ts'
import type { Profile } from '../../src/sandbox/index.ts'
import { inOutput } from '../cdktf/stack/load.ts'
import { cli, folderWith } from '../support/cli.ts'
import { type DeletedFlags, startWithDeleted } from '../support/deleted-flags.ts'
import { playTerraform } from '../terraform/resources/play.ts'

/** The ways in which the deleted flags are declared again and applied. */
type Way = (flags: DeletedFlags, profile: Profile) => Promise<unknown>

const throughYaml: Way = async ({ service, before }, profile) => {
  const folder = await folderWith({
    'vexil.yaml': 'version: 1\n',
    'flags.yaml': `feature_flags:\n${before.map(({ key }) => `  ${key}: { active: true }\n`).join('')}`,
  })
  onTestFinished(folder.remove)
  const { code, stdout } = await cli(`apply --auto-approve --profile ${profile}`, {
    directory: folder.path,
    env: service.env,
  })
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${before.length} to restore`)])
}

const throughStack: Way = ({ service, before }, profile) =>
  inOutput(async directory => {
    const app = new App({ outdir: directory, skipValidation: true })
    const stack = new TerraformStack(app, 'flags')
    new VexilProvider(stack, 'vexil', { projectId: '1' })
    for (const { key } of before) new Flag(stack, key, { key, active: true })
    app.synth()
    writeFileSync(join(directory, 'vexil.yaml'), 'version: 1\n')
    const { code, stdout } = await cli(`apply --stack stacks/flags --auto-approve --profile ${profile}`, {
      directory,
      env: service.env,
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${before.length} to restore`)])
  })

const throughProvider: Way = async ({ service, before }, profile) => {
  const terraform = await playTerraform(service, { profile })
  for (const { key } of before) await terraform.apply('feature_flag', { key, active: true })
}

const ways: Readonly<Record<string, Way>> = {
  YAML: throughYaml,
  'a stack': throughStack,
  'the provider': throughProvider,
}

const cases = Object.keys(ways).flatMap(way =>
  (['documented', 'posthog'] as const).flatMap(profile => [
    { way, profile, count: 12, newerRows: 0 },
    { way, profile, count: 40, newerRows: 0 },
    { way, profile, count: 1, newerRows: 10 },
    { way, profile, count: 12, newerRows: 1500 },
  ]),
)

describe('flags that were deleted in the product and are declared again', () => {
  it.each(cases)(
    'come back with their ids and grants through $way: $count deleted, $newerRows newer rows, $profile',
    async ({ way, profile, count, newerRows }) => {
      const flags = await startWithDeleted({ count, profile, newerRows })
      onTestFinished(() => flags.service.close())
      await flags.expectKept(true)
      await ways[way]?.(flags, profile)
      await flags.expectKept(false)
    },
  )
})
