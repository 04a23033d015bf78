import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { inFolder } from '../support/folder.ts'
import { noRecords } from '../support/live-edits.ts'
import { liveLeaves } from '../support/live-leaves.ts'
import { startService } from '../support/service.ts'
import { appProfile, appStacks, beforeApp, leavesOfApp, textOfLeaves, writeApp } from './several-stacks.ts'

const stacks = appStacks.map(name => `--stack stacks/${name}`).join(' ')

describe('an app of several stacks', () => {
  it('applied by Vexil ends in the state that was recorded of Terraform, and then there is nothing to do', async () => {
    const service = await startService({ seed: beforeApp, profile: appProfile })
    // What SDKs make of its flags is no matter here.
    await inFolder({ 'vexil.yaml': 'version: 1\nsdks: {}\n' }, async directory => {
      await writeApp(directory, service)
      const given = { directory, env: service.env }
      const applied = await cli(`apply ${stacks} --auto-approve`, given)
      expect(applied.stderr).toMatch(noRecords)
      expect([applied.code, applied.stderr.replace(noRecords, '')]).toEqual([0, ''])
      const again = await cli(`plan ${stacks} --detailed-exitcode`, given)
      expect([again.code, again.stderr]).toEqual([0, ''])
    })
    const leaves = await liveLeaves(service)
    await service.close()
    expect(Object.keys(leaves)).toHaveLength(leavesOfApp)
    await expect(textOfLeaves(leaves)).toMatchFileSnapshot('./__snapshots__/several-stacks.json.snap')
  })
})
