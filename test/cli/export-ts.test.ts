import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { officialState, takenOverWorld } from '../stack/state/official-state.ts'
import { built, packageRoot } from '../support/built.ts'
import { textTraps, worldOf } from '../support/live-worlds.ts'
import { variants } from '../support/rounds.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, isWrite, type Workspace } from '../support/workspace.ts'

const run = promisify(execFile)

/** Texts of every kind, but for what the engine itself would take for a mark of its own. */
const texts = textTraps.filter(text => text.normalize('NFC') === text && text.trim() !== '')

const seed: WorldFile = worldOf(
  [
    { name: 'geo', plugin_type: 'source', source: { 'index.ts': 'export {}\n', 'a b.ts': `$\{x}\n` } },
    { name: 'clock', plugin_type: 'custom', config_schema: [{ key: 'a', default: `$\{x} 'y' "z"` }] },
  ],
  {
    feature_flags: [
      { key: 'new', filters: { groups: [{ rollout_percentage: 33.33 }] }, role_access: ['Support Team'] },
      { key: 'geo', active: false, filters: { groups: [] } },
      {
        key: 'typed',
        filters: {
          groups: [
            {
              properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
              variant: 'one',
              rollout_percentage: 50,
            },
            {},
          ],
          multivariate: { variants: [{ key: 'one', rollout_percentage: 100 }] },
          payloads: { one: '{"n": 123456789012345678901234567890, "__proto__": [1]}' },
        },
        role_access: ['Support Team', 'Growth'],
      },
      {
        key: 'other-words',
        filters: {
          groups: [{ properties: [{ key: 'a', type: 'person', operator: 'no_such_operator', value: 'b' }] }],
        },
      },
      { key: 'slip', filters: { groups: [{ rollout_precentage: 10, rollout_percentage: 40 }] } },
      ...texts.map((text, index) => ({
        key: `trap_${index}`,
        name: text,
        filters: {
          groups: [{ properties: [{ key: text, type: 'person', operator: 'exact', value: [text] }] }],
          payloads: { true: JSON.stringify({ [text]: text }) },
        },
      })),
    ],
    event_definitions: [{ name: 'geo', tags: ['a'] }, { name: 'paid "twice"' }],
  },
)

async function opened(world: WorldFile, profile: 'documented' | 'posthog-2026' = 'documented') {
  const service = await startService({ seed: world, profile })
  const space = await aWorkspace(service)
  const modules = join(space.path, 'app/node_modules')
  await mkdir(modules, { recursive: true })
  await symlink(packageRoot, join(modules, 'vexil'))
  for (const name of ['cdktf', 'constructs', '@types'])
    await symlink(join(packageRoot, 'node_modules', name), join(modules, name))
  return {
    ...space,
    async [Symbol.asyncDispose]() {
      await space.remove()
      await service.close()
    },
  }
}

/** What the compiler has to say of the program. */
async function typeCheck({ path }: Workspace): Promise<string> {
  built('cdktf/index.d.ts')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
  const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [compiler, ...options, 'main.ts'], { cwd: join(path, 'app') }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
}

const tsx = join(packageRoot, 'node_modules/tsx/dist/loader.mjs')
const synthesized = ['--app', `node --import ${tsx} main.ts`, '--stack', 'live', '-C', 'app']

describe('vexil export --format ts', () => {
  it('writes a program that compiles, synthesizes and plans nothing', async () => {
    await using space = await opened(seed)
    const { vexil, service } = space
    const { result, requests } = await service.watch(() => vexil('export --format ts -d app'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(0)
    expect(result.stderr).toMatch(/^1 file written; run vexil plan --app "npx tsx main.ts" --stack live, /)
    expect(await typeCheck(space)).toBe('')
    const { code, stdout, stderr } = await vexil([
      'plan',
      '--detailed-exitcode',
      '--show-unchanged',
      ...synthesized,
    ])
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('unchanged')
  }, 120_000)

  it('takes over a state as well, by import or by move', async () => {
    for (const way of variants([' --moved', ''])) {
      await using space = await opened(takenOverWorld, 'posthog-2026')
      const { vexil, write, read, edit } = space
      const lifecycle = 'lifecycle {\n    ignore_changes = [ensure_experience_continuity]\n  }'
      await write({
        'terraform.tfstate': await officialState(),
        'app/official.tf': `resource "posthog_feature_flag" "Share" {\n  ${lifecycle}\n}\n`,
      })
      const { code, stderr } = await vexil(`export --from-state terraform.tfstate --format ts -d app${way}`)
      expect(code, stderr).toBe(0)
      const program = await read('app/main.ts')
      expect(program).toContain(`stack.addOverride('removed', [`)
      expect(program.match(/importFrom/g)).toHaveLength(way === '' ? 7 : 1)
      expect(await typeCheck(space)).toBe('')
      // This is left to the service, as it was.
      await edit('share', { ensure_experience_continuity: true })
      const planned = await vexil([
        'plan',
        '--detailed-exitcode',
        '--profile',
        'posthog-2026',
        ...synthesized,
      ])
      expect(planned.code, planned.stdout + planned.stderr).toBe(0)
    }
  }, 120_000)
})
