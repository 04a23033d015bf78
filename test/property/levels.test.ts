import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorld, flagsPath, isWrite } from '../support/workspace.ts'

const roles = {
  support: '01900000-0000-0000-0000-0000000000aa',
  growth: '01900000-0000-0000-0000-0000000000bb',
  sales: '01900000-0000-0000-0000-0000000000cc',
} as const
/** Whom a rule is for that names no role: nobody declares it. */
const everybodyElse = 'everybody else'

type Levels = Readonly<Record<string, string>>

const level = fc.constantFrom('none', 'viewer', 'editor', 'manager')
const role = fc.constantFrom(...Object.keys(roles))
const levels: fc.Arbitrary<Levels> = fc.dictionary(role, level)
const live = fc.record({ levels, hasRule: fc.boolean() })
const world = fc.record({ one: live, two: live, three: live })
/** A list gives leave to edit; a flag that says nothing of roles keeps those that it has. */
const declared = fc.oneof(
  { weight: 3, arbitrary: levels },
  { weight: 1, arbitrary: fc.subarray(Object.keys(roles)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)
const declarations = fc.record({ one: declared, two: declared, three: declared, fresh: declared })
/** The request on access controls from which on nobody answers, if any. */
const broken = fc.option(fc.integer({ min: 1, max: 12 }))

const controls = (flag: number) => `${flagsPath}/${flag}/access_controls/`

async function startWith(flags: Record<string, { levels: Levels; hasRule: boolean }>): Promise<Service> {
  const seeded = Object.keys(flags).map((key, index) => ({ id: index + 1, key, active: false }))
  const service = await startService({
    profile: 'posthog-2026',
    seed: aWorld(
      { feature_flags: seeded },
      { roles: Object.entries(roles).map(([name, id]) => ({ name, id })) },
    ),
  })
  for (const [index, flag] of Object.values(flags).entries()) {
    const put = (body: object) => service.send('PUT', controls(index + 1), body)
    for (const [name, access_level] of Object.entries(flag.levels))
      await put({ role: roles[name as keyof typeof roles], access_level })
    if (flag.hasRule) await put({ access_level: 'editor' })
  }
  return service
}

/** What is live, past the client: by flag, what each role may do. */
async function levelsOf(service: Service): Promise<Record<string, Levels>> {
  const named = new Map<unknown, string>(Object.entries(roles).map(([name, id]) => [id, name]))
  const { results } = (await service.get(`${flagsPath}/?limit=100`)) as {
    results: { id: number; key: string }[]
  }
  const found = results.map(async ({ id, key }) => {
    const { access_controls: rows } = (await service.get(controls(id))) as {
      access_controls: { role: string | null; access_level: string }[]
    }
    const held = rows.map(row => [named.get(row.role) ?? everybodyElse, row.access_level] as const)
    return [key, Object.fromEntries(held)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

function meant(said: readonly string[] | Levels | undefined, before: Levels = {}): Levels {
  if (said === undefined) return before
  const { [everybodyElse]: rule } = before
  const given = Array.isArray(said) ? Object.fromEntries(said.map(name => [name, 'editor'])) : said
  return { ...given, ...(rule === undefined ? {} : { [everybodyElse]: rule }) }
}

describe('levels of roles, on the service that has them', () => {
  it('are as declared after an apply, wherever an earlier one broke off, and an undo brings back what was', async () => {
    await fc.assert(
      fc.asyncProperty(world, declarations, broken, async (flags, wanted, nth) => {
        const service = await startWith(flags)
        const folder = await folderWith({ 'vexil.yaml': `version: 1\n${stringify({ roles })}` })
        const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
        try {
          const before = await levelsOf(service)
          const feature_flags = Object.fromEntries(
            Object.entries(wanted).map(([key, said]) => [
              key,
              { active: false, ...(said ? { role_access: said } : {}) },
            ]),
          )
          await writeFiles(folder.path, { 'flags.yaml': stringify({ feature_flags }) })
          if (nth !== null) {
            service.faults(`/access_controls nth=${nth} times=1000 status=502`)
            await vexil('apply --auto-approve')
            service.faults()
          }
          const { code, stdout, stderr } = await vexil('apply --auto-approve')
          expect(code, stdout + stderr).toBe(0)
          expect(await levelsOf(service)).toEqual(
            Object.fromEntries(Object.entries(wanted).map(([key, said]) => [key, meant(said, before[key])])),
          )
          const again = await service.watch(() => vexil('apply --auto-approve'))
          expect(again.requests.filter(isWrite)).toEqual([])
          const runs = (await readdir(join(folder.path, '.vexil/runs'))).filter(name =>
            name.endsWith('.json'),
          )
          for (const run of runs.sort().reverse()) await vexil(`undo ${run.slice(0, -5)} --auto-approve`)
          expect(await levelsOf(service)).toEqual(before)
        } finally {
          await service.close()
          await folder.remove()
        }
      }),
      { numRuns: rounds(20) },
    )
  })
})
