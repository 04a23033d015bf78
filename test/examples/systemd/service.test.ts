import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOfTest } from '../../support/folder.ts'
import { credentialWith, gitVariables } from '../git-credential.ts'
import { readReconcile } from '../reconcile-words.ts'
import { readExample, readUnit } from './unit.ts'

/** `examples/systemd`, read as text; `analyze.test.ts` asks systemd itself. */

const unit = readUnit(await readExample('vexil-reconcile.service'))
const envFile = await readExample('reconcile.env')

it('passes only options that the command has', () => {
  const [line = ''] = unit['Service.ExecStart'] ?? []
  const [program, ...words] = line.split(/\s+/)
  expect(program).toBe('/opt/vexil/bin/vexil')
  expect(readReconcile(words)).toEqual({
    every: '5m',
    mode: 'report',
    repo: 'https://git.example.com/acme/flags.git',
    revision: 'main',
    workDir: '%C/vexil-reconcile',
    listen: '127.0.0.1:9464',
  })
  expect(unit['Service.CacheDirectory']).toEqual(['vexil-reconcile'])
})

it('starts again after every end, and gives the process longer to stop than it needs', () => {
  expect([unit['Service.Restart'], unit['Service.KillMode']]).toEqual([['always'], ['mixed']])
  expect(Number(unit['Service.TimeoutStopSec'])).toBeGreaterThan(60)
})

it('runs as a user of its own without rights', () => {
  expect(unit).toMatchObject({
    'Service.DynamicUser': ['yes'],
    'Service.NoNewPrivileges': ['yes'],
    'Service.ProtectSystem': ['strict'],
    'Service.ProtectHome': ['yes'],
    'Service.CapabilityBoundingSet': [''],
    'Service.MemoryMax': ['512M'],
  })
  expect(unit['Service.MemoryDenyWriteExecute']).toBeUndefined()
})

it('has the keys in files that systemd loads, and the password in a file of root', async () => {
  expect(unit['Service.LoadCredential']).toEqual(['key:/etc/vexil/key', 'git:/etc/vexil/git'])
  expect(unit['Service.EnvironmentFile']).toEqual(['/etc/vexil/reconcile.env'])
  const lines = envFile.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  expect(lines).toEqual([
    'VEXIL_STORE=postgres://vexil@db.example.com/vexil?sslmode=verify-full',
    'VEXIL_LOG_FORMAT=json',
  ])
  // An empty one would keep pg from reading the password file: findings/pgpass-empty-variable.sh.
  expect(envFile).toContain('\n# PGPASSWORD=\n')
})

it('gives git the name and the token of the file', async () => {
  const folder = await folderOfTest({ git: 'username=reader\npassword=token-1\n' })
  const env = Object.fromEntries(
    (unit['Service.Environment'] ?? []).map(each => {
      const [name = '', ...value] = each.replaceAll(/^"|"$/g, '').split('=')
      return [name, value.join('=')]
    }),
  )
  expect(env.VEXIL_API_KEY_FILE).toBe('%d/key')
  expect(credentialWith(gitVariables(env, join(folder, 'git')))).toEqual([
    'username=reader',
    'password=token-1',
  ])
})
