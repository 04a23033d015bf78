import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { memberOf } from '../../src/hcl/values/value.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import { parseWorld } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import { type HclResource, resourcesIn, scopeOf } from '../support/hcl-resources.ts'
import { liveWorld } from '../support/live-worlds.ts'
import { notExported } from '../support/not-exported.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { playTerraform } from '../terraform/resources/play.ts'

const closing: (() => Promise<void>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}
afterEach(closeAll)

const reasons = new RegExp(`${notExported.source}|Terraform would change its texts`)

describe('what was exported for Terraform', () => {
  it.each(['documented', 'posthog'] as const)('imports everything and plans nothing on %s', async profile => {
    await fc.assert(
      fc.asyncProperty(liveWorld, async world => {
        const service = await startService({ seed: parseWorld(writeJson(world)), profile })
        const folder = await folderWith({})
        closing.push(service.close, folder.remove)
        const env = { ...service.env, VEXIL_PROFILE: profile }
        const exported = await cli('export --format hcl -d live', { directory: folder.path, env })
        expect(exported.code, exported.stderr).toBe(0)
        const leftOut = exported.stderr.split('\n').filter(line => line.startsWith('not exported: '))
        for (const line of leftOut) expect(line).toMatch(reasons)

        const ids = new Map<string, string>()
        const texts = await textsIn(join(folder.path, 'live'))
        const resources = resourcesIn(
          texts.join('\n'),
          scopeOf(address => ids.get(address) ?? ''),
        )
        const terraform = await playTerraform({ env })
        for (const { type, name, attributes, ignored, importId } of resources) {
          const kind = type.replace('vexil_', '')
          const kept = await terraform.import(kind, importId ?? '')
          ids.set(`${type}.${name}.id`, String(memberOf(kept.state, 'id')))
          const flag = { feature_flag_id: memberOf(kept.state, 'feature_flag_id') }
          const config = { ...attributes, ...(kind.endsWith('role_access') ? flag : {}) }
          if (ignored.length > 0) {
            // With what is live in place of it, which only Terraform itself does, nothing is checked again.
            const problems = await terraform.validate(kind, config)
            expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
            continue
          }
          const changes = await terraform.replan(kind, config, kept)
          expect({ type, name, changes, config: changes.length > 0 && config }).toMatchObject({ changes: [] })
        }
        expect(new Set(resources.map(nameOf)).size).toBe(resources.length)
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })
})

function nameOf({ type, name }: HclResource): string {
  return `${type}.${name}`
}

async function textsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder).catch(() => [])).sort()
  return Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
}
