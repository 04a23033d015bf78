import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/core/diff.ts'
import { commitAll, gitEnv } from '../../git/repository.ts'
import { placesIn, withOther } from '../../support/json-places.ts'
import { flagsPath, isWrite, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, records, flag, edit } = workspace

/** Saves a plan, lets something happen, and applies it. */
async function applySaved(happens: () => Promise<unknown>, line = 'apply plan.json') {
  await vexil('plan --out plan.json')
  await happens()
  const { result, requests } = await service.watch(() => vexil(line))
  return { ...result, writes: requests.filter(isWrite) }
}

async function rewrite(change: (document: Record<string, unknown>) => void): Promise<void> {
  const document = JSON.parse(await read('plan.json'))
  change(document)
  await write({ 'plan.json': JSON.stringify(document) })
}

describe('vexil apply with a saved plan', () => {
  it('does exactly what was saved, asks nobody, and reads no declaration', async () => {
    const { code, stdout, writes } = await applySaved(() =>
      write({ 'flags.yaml': 'feature_flags: [ this is broken' }),
    )
    expect({ code, writes: writes.length }).toEqual({ code: 0, writes: 3 })
    expect(stdout).toContain('3 changes applied.')
    const record = JSON.parse(await read(`.vexil/runs/${(await records())[0]}`))
    expect(record.plan_digest).toBe(JSON.parse(await read('plan.json')).digest)
  })

  it.each([
    [
      'was edited',
      () => rewrite(document => Object.assign((document.changes as object[])[0]!, { risk: 'low' })),
      5,
      'its content does not match its digest; it was edited or cut off; plan again',
    ],
    [
      'is of another format',
      () => rewrite(document => Object.assign(document, { format_version: '2.1' })),
      5,
      'it has format "2.1" and not "1.0"; plan again',
    ],
    // Not a plan that does not hold any more, but a wrong file.
    ['is no plan', () => write({ 'plan.json': 'hello' }), 1, 'it is not a plan file'],
    ['is other JSON', () => write({ 'plan.json': '{"changes":[]}' }), 1, 'it is not a plan file'],
  ])('refuses one that %s', async (_, happens, code, why) => {
    const { writes, ...result } = await applySaved(happens)
    expect(result).toEqual({
      code,
      stdout: '',
      stderr: `vexil: the plan "plan.json" cannot be used: ${why}\n`,
    })
    expect(writes).toEqual([])
    expect((await vexil('show plan.json')).stderr).toBe(result.stderr)
  })

  it('sends nothing but what was planned, whatever its digests hold', async () => {
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': 'feature_flags: { checkout: { name: Ours }, gone: { ensure: absent } }\n' })
    await vexil('plan --out plan.json')
    const { digest: _, ...plan } = JSON.parse(await read('plan.json'))
    const places = placesIn(plan).filter(path => /fingerprint|declared|after$/.test(path.join('.')))
    expect(places.map(path => path.join('.'))).toEqual(
      expect.arrayContaining(['changes.0.fingerprint', 'declared.feature_flag.checkout.fields.name']),
    )
    const before = await flag('checkout')
    const outcomes = new Set<string>()
    for (const path of places)
      for (const other of [null, 7, [], {}, '', '__proto__', '\0']) {
        const forged = withOther(plan, path, other) as Record<string, never>
        await write({ 'plan.json': JSON.stringify({ ...forged, digest: digestOf(forged) }) })
        const { code, stdout, stderr } = await vexil('apply plan.json')
        const place = `${path.join('.')} = ${JSON.stringify(other)}`
        expect(stdout + stderr, place).not.toMatch(/unexpected|bug/)
        expect([0, 5], place).toContain(code)
        if (code !== 0 && stdout === '') expect(stderr, place).toMatch(/^vexil: .*\n$/)
        const { name } = await flag('checkout')
        expect([before.name, 'Ours'], place).toContain(name)
        if (path.at(-1) === 'fingerprint') expect(name, place).toBe(before.name)
        outcomes.add(`${code}`)
        if (name !== before.name)
          await service.send('PATCH', `${flagsPath}/${before.id}/`, { name: before.name })
      }
    expect([...outcomes].sort()).toEqual(['0', '5'])
  })

  it('refuses one that was made for another place', async () => {
    const { code, stderr, writes } = await applySaved(async () => {}, 'apply plan.json --project 2')
    expect({ code, writes }).toEqual({ code: 5, writes: [] })
    const { url, env } = service
    const organization = env.VEXIL_ORGANIZATION_ID
    expect(stderr).toBe(
      `vexil: the plan "plan.json" cannot be used: it was made for ${url} (project 1, organization ${organization}), not for ${url} (project 2, organization ${organization})\n`,
    )
  })

  it('ends in 5 where the flag of a grant has moved, though the grant is skipped', async () => {
    const { code, stdout } = await applySaved(async () => {
      const { id } = (await service.send('POST', `${flagsPath}/`, { key: 'checkout' })) as {
        id: number
      }
      await service.send('PATCH', `${flagsPath}/${id}/`, { deleted: true })
    })
    expect(stdout).toContain('1 change applied, 1 not written, 1 skipped.')
    expect(code).toBe(5)
  })

  it('leaves alone what has moved since, does the rest, and ends in 5', async () => {
    await vexil('apply --auto-approve')
    await write({ 'flags.yaml': 'feature_flags: { checkout: { name: Ours }, dark_mode: { name: Ours } }\n' })
    const { code, stdout } = await applySaved(() => edit('checkout', { name: 'Theirs' }))
    expect(code).toBe(5)
    const made = `saved plan for project 1, ${service.url} made 2026-01-01 00:`
    expect(stdout.slice(0, made.length)).toBe(made)
    expect(
      stdout.slice(stdout.indexOf('\n') + 1),
    ).toBe(`  ! flag checkout not written: it was changed after the plan was made; plan again
  ~ flag dark_mode changed

1 change applied, 1 not written. Plan again for the changes that were not written.
run: ${workspace().path}/.vexil/runs/${(await records()).at(-1)}
`)
    expect([(await flag('checkout')).name, (await flag('dark_mode')).name]).toEqual(['Theirs', 'Ours'])
  })

  it.each(['--target checkout', '--allow survey', '--prune never', '--prune all --target checkout'])(
    'takes no %s: what was decided is decided',
    async flags => {
      const { code, stderr, writes } = await applySaved(async () => {}, `apply plan.json ${flags}`)
      expect({ code, writes }).toEqual({ code: 64, writes: [] })
      expect(stderr).toMatch(/ cannot change a saved plan; give it to `vexil plan`\n$/)
    },
  )

  it('goes to the environment that it was made for', async () => {
    await write({
      'vexil.yaml':
        'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\nenvironments: { staging: { project: "2" }, production: { project: "1" } }\n',
    })
    const { VEXIL_PROJECT_ID: _, ...env } = service.env
    await vexil('plan --env production --out plan.json', { env })
    expect(await vexil('apply plan.json', { env })).toMatchObject({ code: 0 })
    expect(await vexil('apply plan.json --env staging', { env })).toMatchObject({ code: 5 })
  })

  it('says when there is nothing to do, also as JSON', async () => {
    await vexil('apply --auto-approve')
    await vexil('plan --out plan.json')
    const stderr = 'nothing to do: the plan has no changes\n'
    const made = expect.stringMatching(/^saved plan for project 1, \S+ made [\d-]+ [\d:]+ UTC\n$/)
    expect(await vexil('apply plan.json')).toEqual({ code: 0, stdout: made, stderr })
    expect(await vexil('apply plan.json --json')).toEqual({
      code: 0,
      stdout: '{"type":"summary","done":0,"already":0,"failed":0,"stale":0,"skipped":0}\n',
      stderr: expect.stringMatching(/^saved plan for .*\nnothing to do: the plan has no changes\n$/),
    })
  })

  it('says that a file is not there', async () => {
    for (const command of ['apply', 'show']) {
      expect(await vexil(`${command} no.json`)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'vexil: the plan "no.json" cannot be read (ENOENT)\n',
      })
    }
  })
})

describe('vexil show', () => {
  it('shows the text that the plan had, without asking the service', async () => {
    const planned = await vexil('plan --out plan.json')
    const { result, requests } = await service.watch(() => vexil('show plan.json', { env: {} }))
    const expected = planned.stdout
      .replace(/\nread: .*(?=\n)/, '')
      .replace(' from VEXIL_PROJECT_ID', '')
      .replace('   (valid while these objects are unchanged)', '')
    expect({
      ...result,
      stdout: result.stdout.replace(/, made 2026-01-01 \d\d:\d\d:\d\d UTC\n/, '\n'),
    }).toEqual({
      code: 0,
      stdout: expected,
      stderr: '',
    })
    expect(requests).toEqual([])
  })

  it('says when a plan was made and at which commit, and so does its apply', async () => {
    const { path } = workspace()
    const env = { ...service.env, ...gitEnv }
    const commit = await commitAll(path)
    await vexil('plan --out plan.json', { env })
    const { created_at, ...saved } = JSON.parse(await read('plan.json'))
    // The plan itself was not there when it was made.
    expect(saved).toMatchObject({ commit, dirty: false })
    const made = `made ${created_at.slice(0, 19).replace('T', ' ')} UTC`
    const short = commit.slice(0, 12)
    const place = `project 1, ${service.url}`
    expect((await vexil('show plan.json', { env: {} })).stdout).toContain(
      `plan for ${place}, commit ${short}, ${made}\n`,
    )
    const applied = await vexil('apply plan.json', { env })
    expect(applied.stdout.split('\n')[0]).toBe(`saved plan for ${place} ${made} at ${short}`)
    await write({ 'flags.yaml': 'feature_flags: {}\n' })
    await vexil('plan --out plan.json', { env })
    expect(JSON.parse(await read('plan.json'))).toMatchObject({ commit, dirty: true })
    expect((await vexil('show plan.json', { env: {} })).stdout.split('\n')[0]).toMatch(
      / with local changes, made .* UTC$/,
    )
  })

  it('prints the document again with --json', async () => {
    await vexil('plan --out plan.json')
    expect(await vexil('show plan.json --json')).toEqual({
      code: 0,
      stdout: await read('plan.json'),
      stderr: '',
    })
  })
})
