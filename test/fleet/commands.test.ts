import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { openStore } from '../../src/fleet/index.ts'
import { git, gitEnv } from '../git/repository.ts'
import { type Service, startService } from '../support/service.ts'
import { anOrganization, aWorkspace, type Workspace } from '../support/workspace.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** Commands on two machines, which share nothing but git and a PostgreSQL. */

const canary = 'phx_canary_of_the_store_0123456789'
const flags = (name: string) =>
  `feature_flags: { checkout: { name: ${name}, active: true, filters: { groups: [ { rollout_percentage: 10 } ] } } }\n`

let postgres: Postgres
let address: string
let service: Service
let machines: Workspace[]

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

beforeEach(async () => {
  address = await postgres.database()
  const projects = [1, 2].map(id => ({ id, name: `Project ${id}` }))
  service = await startService({ apiKey: canary, seed: anOrganization({ projects }) })
  machines = []
})
afterEach(async () => {
  for (const machine of machines) await machine.remove()
  await service.close()
})

/** A clone of one repository: all have the same commits. */
async function machine(): Promise<Workspace> {
  const env = { ...service.env, ...gitEnv, VEXIL_STORE: address }
  const own = await aWorkspace(service, {}, { env, host: { runtime: realRuntime } })
  const [first] = machines
  machines.push(own)
  if (first) await git(own.path, 'clone', '--quiet', first.path, '.')
  else {
    await git(own.path, 'init', '--quiet', '--initial-branch=main')
    await own.write({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags('One'), '.gitignore': '.vexil/\n' })
    await commit(own)
  }
  return own
}

async function commit({ path }: Workspace): Promise<void> {
  await git(path, 'add', '--all')
  await git(path, 'commit', '--quiet', '--message', 'Change')
}

const apply = (own: Workspace, ...words: string[]) => own.vexil(['apply', '--auto-approve', ...words])

describe('runs in the shared store', () => {
  it('are the base of live edits on another machine', async () => {
    const [laptop, runner] = [await machine(), await machine()]
    expect((await apply(laptop)).code).toBe(0)
    await laptop.edit('checkout', { name: 'Edited' })
    const plan = await runner.vexil('plan')
    expect(plan.stderr).toBe('')
    expect(plan.stdout).toContain('name: reverted, changed in the product by sandbox@example.com')
    const { stdout } = await runner.vexil('history --json')
    expect(JSON.parse(stdout).runs).toMatchObject([{ command: 'apply', state: 'complete' }])
  })

  it('have the journal of a command that still runs, and it keeps others away', async () => {
    const [laptop, runner] = [await machine(), await machine()]
    await apply(laptop)
    await laptop.write({ 'flags.yaml': flags('Two') })
    await commit(laptop)
    service.faults('PATCH /feature_flags/* slow=5000')
    const running = apply(laptop)
    const store = await openStore({ address, runtime: realRuntime })
    try {
      await expect
        .poll(async () => (await store.runs.list(undefined, 10)).filter(({ parts }) => parts > 1).length)
        .toBe(1)
    } finally {
      await store.close()
    }
    const { stdout } = await runner.vexil('history --json')
    expect(JSON.parse(stdout).runs[0]).toMatchObject({ command: 'apply', state: 'under_way' })
    const refused = await apply(runner)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(
      /^vexil: refusing to write: .* holds the lock of this place in the shared store; wait/,
    )
    expect((await running).code).toBe(0)
    expect((await apply(runner)).code).toBe(0)
  })

  it('contain no key, whatever the commands print', async () => {
    const laptop = await machine()
    await apply(laptop)
    await laptop.edit('checkout', { name: 'Edited' })
    await apply(laptop)
    await laptop.vexil('disable checkout --reason incident --auto-approve')
    const store = await openStore({ address, runtime: realRuntime })
    try {
      const tables = await store.database.query<{ table_name: string }>(
        `select table_name from information_schema.tables where table_schema = 'vexil' order by 1`,
      )
      const names = tables.map(each => each.table_name)
      expect(names).toEqual([
        ...['declared', 'journal_lines', 'locks', 'pace', 'pace_pauses', 'runs', 'states', 'version'],
      ])
      const rows = await Promise.all(names.map(name => store.database.query(`select * from vexil.${name}`)))
      expect(rows[names.indexOf('runs')]).toHaveLength(3)
      expect(JSON.stringify(rows)).not.toContain(canary)
    } finally {
      await store.close()
    }
  })
})

describe('vexil history --all', () => {
  it('shows who applied what, when, from which commit and where, and states of environments', async () => {
    const [laptop, runner] = [await machine(), await machine()]
    await apply(laptop)
    const place = { ...service.env, ...gitEnv, VEXIL_STORE: address, VEXIL_PROJECT_ID: '2' }
    await runner.vexil('apply --auto-approve', { env: place })
    const store = await openStore({ address, runtime: realRuntime })
    await store.states.note('fleet', 'production', { state: 'drift', isOn: true, objects: 2 })
    await store.close()
    const { stdout } = await laptop.vexil('history --all --json')
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        {
          state: 'complete',
          who: expect.anything(),
          commit: expect.stringMatching(/^[0-9a-f]{40}$/),
          target: { project_id: '2' },
        },
        { target: { project_id: '1' }, path: 'the shared store' },
      ],
      states: [{ environment: 'production', state: 'drift', objects: 2, begun_at: expect.any(String) }],
    })
    const { stdout: text } = await laptop.vexil('history --all -n 1')
    expect(text).toMatch(/drift +production +since .*, 2 objects/)
    expect(text.match(/apply/g)).toHaveLength(1)
  })

  it('needs a store', async () => {
    const laptop = await machine()
    const { code, stderr } = await laptop.vexil('history --all', { env: service.env })
    expect([code, stderr]).toEqual([
      1,
      'vexil: --all needs a shared store; set `store` in vexil.yaml or VEXIL_STORE\n',
    ])
  })
})

describe('a store that is down', () => {
  const down = { VEXIL_STORE: 'postgres://vexil:canary-password@127.0.0.1:9/vexil' }

  it('lets a plan go on, which says so', async () => {
    const laptop = await machine()
    const { code, stderr } = await laptop.vexil('plan', { env: { ...service.env, ...gitEnv, ...down } })
    expect(code).toBe(0)
    expect(stderr.split('\n')).toEqual([
      'going on without the shared store, so runs of others are not known: the store cannot be reached (ECONNREFUSED)',
      '',
    ])
  })

  it('refuses an apply, unless it is to go on without', async () => {
    const laptop = await machine()
    const env = { ...service.env, ...gitEnv, ...down }
    const refused = await laptop.vexil('apply --auto-approve', { env })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain(
      'vexil: refusing to write: the store cannot be reached (ECONNREFUSED); --without-store writes with the lock of this folder alone\n',
    )
    expect(await service.get('/api/projects/1/feature_flags/')).toMatchObject({ count: 0 })
    const without = await laptop.vexil('apply --auto-approve --without-store', { env })
    expect(without.code).toBe(0)
    expect(without.stderr).toContain(
      'written without the shared store: other runners may write at the same time\n',
    )
    // It is stored as soon as the store is back.
    await apply(laptop)
    const runner = await machine()
    const { stdout } = await runner.vexil('history --json')
    expect(JSON.parse(stdout).runs).toHaveLength(2)
    expect(await readdir(join(runner.path, '.vexil/runs'))).toHaveLength(3)
  })

  it('refuses an apply that cannot read the runs of others, which may have a live edit', async () => {
    const [laptop, runner] = [await machine(), await machine()]
    await apply(laptop)
    await laptop.edit('checkout', { name: 'Edited' })
    await postgres.run(address, 'alter table vexil.declared rename column content to lost')
    const refused = await apply(runner)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('refusing to write: the store failed (42703); --without-store writes')
    expect(await laptop.flag('checkout')).toMatchObject({ name: 'Edited' })
  })

  it('does not keep anybody from switching a flag off', async () => {
    const laptop = await machine()
    await apply(laptop)
    const env = { ...service.env, ...gitEnv, ...down }
    const { code, stderr } = await laptop.vexil('disable checkout --reason incident --auto-approve', { env })
    expect(code).toBe(0)
    expect(stderr).toContain(
      'other runners do not see this run yet: the store cannot be reached (ECONNREFUSED)',
    )
    expect(await laptop.flag('checkout')).toMatchObject({ active: false })
  })

  it('never shows its password', async () => {
    const laptop = await machine()
    const env = { ...service.env, ...gitEnv, ...down, VEXIL_DEBUG: '1' }
    const outputs = [
      await laptop.vexil('plan', { env }),
      await laptop.vexil('apply --auto-approve', { env }),
      await laptop.vexil('history', { env }),
    ]
    expect(JSON.stringify(outputs)).not.toContain('canary-password')
  })
})

describe('roles of the database', () => {
  it('let a reader plan, and not write', async () => {
    const laptop = await machine()
    await apply(laptop)
    const page = await readFile(join(import.meta.dirname, '../../docs/fleet.md'), 'utf8')
    const [, grants = ''] = /```sql\n([^`]+)```/.exec(page) ?? []
    await postgres.run(address, `create role planner login; create role writer login; ${grants}`)
    const env = { ...service.env, ...gitEnv, VEXIL_STORE: address.replace('postgres@', 'planner@') }
    expect(await laptop.vexil('plan', { env })).toMatchObject({ code: 0, stderr: '' })
    await laptop.write({ 'flags.yaml': flags('Two') })
    const refused = await laptop.vexil('apply --auto-approve', { env })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('the role of this connection may not write to the store (42501)')
    expect(await laptop.flag('checkout')).toMatchObject({ name: 'One' })
    const replica = { ...env, VEXIL_STORE: `${address}?options=-c%20default_transaction_read_only%3Don` }
    expect(await laptop.vexil('plan', { env: replica })).toMatchObject({
      code: 0,
      stderr: 'the pace of the key is not shared now: this connection of the store only reads (25006)\n',
    })
    expect((await laptop.vexil('apply --auto-approve', { env: replica })).stderr).toContain(
      'refusing to write: this connection of the store only reads (25006)',
    )
    const writer = { ...env, VEXIL_STORE: address.replace('postgres@', 'writer@') }
    expect(await laptop.vexil('apply --auto-approve', { env: writer })).toMatchObject({ code: 0, stderr: '' })
    expect(await laptop.flag('checkout')).toMatchObject({ name: 'Two' })
  })
})
