import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { writeJson } from '../../src/model/text/json-text.ts'
import { parseWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { cli, folderWith } from '../support/cli.ts'
import {
  livePlugins,
  liveProject,
  liveWorld,
  worldOf,
  worldOrganization,
  worldRoles,
} from '../support/live-worlds.ts'
import { notExported } from '../support/not-exported.ts'
import { rounds } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { expectSameReading } from '../support/yaml-readers.ts'

interface Planned {
  readonly changes: readonly { readonly action: string }[]
  readonly blocked: readonly { readonly action: string; readonly rule: string }[]
}

/** What is taken down after a run, whatever came of it. */
const closing: (() => Promise<void>)[] = []
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}
afterEach(closeAll)

const profiles = ['documented', 'posthog'] as const

async function open(world: WorldFile, profile: (typeof profiles)[number], settings = '') {
  // As a file would be read: the loader must not refuse what a service can hold.
  const service = await startService({ seed: parseWorld(writeJson(world)), profile })
  closing.push(service.close)
  const { VEXIL_PROJECT_ID, ...shared } = service.env
  const place = (project: number) =>
    `{ base_url: "${service.url}", project: "${project}", organization: ${worldOrganization} }`
  const projects = world.organizations[0]?.projects?.length ?? 1
  const environments = `environments: { production: ${place(1)}, staging: ${place(2)} }\n`
  const folder = await folderWith({
    'vexil.yaml': `version: 1\nroles: { support: ${worldRoles[0].id} }\n${settings}${projects > 1 ? environments : ''}`,
  })
  closing.push(folder.remove)
  const env = {
    ...shared,
    ...(projects > 1 ? {} : { VEXIL_PROJECT_ID }),
    VEXIL_PROFILE: profile,
  }
  const vexil = (line: string) => cli(line, { directory: folder.path, env })
  const plan = async (line = 'plan --json'): Promise<Planned> => {
    const { code, stdout, stderr } = await vexil(line)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return JSON.parse(stdout)
  }
  return { vexil, plan, files: () => filesIn(folder.path), path: folder.path }
}

async function filesIn(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.sort().map(async file => [file, await readFile(file, 'utf8')])),
  )
}

const kinds = fc.subarray(['feature_flag', 'plugin', 'event_definition'])
const profile = fc.constantFrom(...profiles)

describe('what was exported into the repository', () => {
  it('validates, plans nothing, and is not exported again', async () => {
    await fc.assert(
      fc.asyncProperty(liveWorld, kinds, profile, async (world, first, ways) => {
        const { vexil, plan, files } = await open(world, ways)
        // In several steps, so that the later ones meet declarations.
        for (const part of [...first.map(kind => `export -d flags --kind ${kind}`), 'export -d flags']) {
          const { code, stderr } = await vexil(part)
          expect({ code, stderr }).toMatchObject({ code: 0 })
          for (const line of stderr.split('\n').filter(one => one.startsWith('not exported: ')))
            expect(line).toMatch(notExported)
        }
        const checked = await vexil('validate')
        expect(checked, checked.stderr).toMatchObject({ code: 0 })
        expect(await plan()).toMatchObject({ changes: [], blocked: [] })

        const before = await files()
        expect((await vexil('export -d flags')).stderr).toMatch(/^nothing to write: /)
        expect(await files()).toEqual(before)
        for (const [file, text] of Object.entries(before)) {
          if (!file.endsWith('.yaml') || file.includes('/sources/')) continue
          expectSameReading(text)
        }
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })

  it('plans nothing but adoptions, where a marker is set', async () => {
    await fc.assert(
      fc.asyncProperty(liveWorld, profile, async (world, ways) => {
        const { vexil, plan } = await open(world, ways, 'ownership: { tag: Ours }\n')
        expect(await vexil('export -d flags')).toMatchObject({ code: 0 })
        const { changes, blocked } = await plan()
        expect([...changes, ...blocked].filter(({ action }) => action !== 'claim')).toEqual([])
        // Nobody can put a label on what this key may not edit.
        const forbidden = blocked.filter(({ rule }) => rule === 'can_edit')
        expect(blocked).toEqual(forbidden)

        expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
        expect(await plan()).toMatchObject({ changes: [], blocked: forbidden })
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })

  it('plans nothing in another environment that holds the same', async () => {
    await fc.assert(
      fc.asyncProperty(livePlugins, liveProject, profile, async (plugins, project, ways) => {
        const { vexil, plan, files } = await open(worldOf(plugins, project, project), ways)
        expect((await vexil('export -d flags --env production')).code).toBe(0)
        const before = await files()
        expect((await vexil('export -d flags --env staging')).stderr).toMatch(/^nothing to write: /)
        expect(await files()).toEqual(before)
        for (const environment of ['production', 'staging'])
          expect(await plan(`plan --json --env ${environment}`)).toMatchObject({ changes: [], blocked: [] })
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })

  it('plans nothing there either but for what was declared by the first export', async () => {
    await fc.assert(
      fc.asyncProperty(livePlugins, liveProject, liveProject, profile, async (plugins, one, other, ways) => {
        const { vexil } = await open(worldOf(plugins, one, other), ways)
        expect((await vexil('export -d first --env production')).code).toBe(0)
        expect((await vexil('export -d second --env staging')).code).toBe(0)
        const checked = await vexil('validate')
        expect(checked, checked.stderr).toMatchObject({ code: 0 })
        const { code, stdout, stderr } = await vexil('plan --json --env staging')
        const { errors = [], changes = [], blocked = [] } = JSON.parse(stdout)
        // What production holds and staging does not may be a problem there, which ends the plan.
        expect(code, stderr).toBe(errors.length > 0 ? 1 : 0)
        for (const { source } of [...errors, ...changes, ...blocked]) expect(source.file).toMatch(/^first\//)
        await closeAll()
      }),
      { numRuns: rounds(20) },
    )
  })
})
