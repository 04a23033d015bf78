import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { kindNamed, kinds } from '../../src/kinds/index.ts'
import { pathParameters } from '../../src/model/endpoint.ts'
import type { Kind } from '../../src/model/kind.ts'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { publishedSchemas } from '../../src/schema/schemas.ts'
import { flagsPath, isWrite, useWorkspace } from '../support/workspace.ts'

// Both ways of grants are served, and what only newer services have: every operation has somebody who answers.
const quirks = {
  grants_route: 'both',
  roles_route: true,
  flag_state_operations: true,
  change_request: 'pending',
} as const
const workspace = useWorkspace({}, { seed: sampleWorld, quirks })
const { vexil, service, write, flag } = workspace

const operations = Object.values<Kind>(kinds).flatMap(kind =>
  Object.entries(kind.endpoints).map(([name, endpoint]) => ({ kind: kind.name, name, endpoint })),
)

/** Bodies without which an operation has nothing to do. */
const bodies: Readonly<Record<string, object>> = {
  'feature_flag.create': { key: 'fresh' },
  'feature_flag.userBlastRadius': { filters: { groups: [{ properties: [] }] } },
  'feature_flag.copy': { feature_flag_key: 'dark-mode', from_project: 1, target_project_ids: [2] },
  'feature_flag_role_access.create': { role_id: '01900000-0000-0000-0000-0000000000bb' },
  'feature_flag_role_access.setAccessControl': {
    role: '01900000-0000-0000-0000-0000000000bb',
    access_level: 'editor',
  },
  'plugin.create': { name: 'Fresh', plugin_type: 'source' },
  'plugin.updateSource': { 'index.ts': 'export {}' },
}

type Row = Readonly<Record<string, string>>

/** The objects of the sample with which every operation has something to do; of other kinds any one. */
const suited: Readonly<Record<string, (row: Row) => boolean>> = {
  feature_flag: ({ key }) => key === 'gift-wrapping',
  plugin: ({ plugin_type }) => plugin_type !== 'source',
}

/** An id for every path parameter, found by calling lists as a person would. */
async function idsIn(name: string): Promise<Row> {
  const { lifecycle } = kindNamed(name)
  const parent = lifecycle?.parent
  const above = parent ? await idsIn(parent.kind) : {}
  const line = `call ${name}.${lifecycle?.list ?? 'list'}`
  const given = parent ? ` ${parent.parameter}=${above.id}` : ''
  const rows: Row[] = JSON.parse((await vexil(line + given)).stdout).results
  const row = rows.find(suited[name] ?? (() => true))!
  return {
    ...(parent ? { [parent.parameter]: above.id! } : {}),
    ...(row.key === undefined ? {} : { [`${name}_key`]: row.key }),
    id: String(row.id),
    change_request_id: '01900000-0000-0000-0000-000000000001',
  }
}

describe('vexil call', () => {
  it.each(operations)('reaches $kind $name', async ({ kind, name, endpoint }) => {
    const ids = await idsIn(kind)
    const given = pathParameters(endpoint.path).flatMap(parameter =>
      ids[parameter] === undefined ? [] : [`${parameter}=${ids[parameter]}`],
    )
    const body =
      endpoint.body === undefined ? [] : ['--body', JSON.stringify(bodies[`${kind}.${name}`] ?? {})]
    const { result } = await service.watch(() => vexil(['call', `${kind}.${name}`, ...given, ...body]))
    expect(result.code, result.stderr).toBe(0)
    expect(service.sandbox.requests.counts().templates).toEqual({
      [`${endpoint.method} ${endpoint.path}`]: 1,
    })
    if (result.stdout === '') expect(result.stderr).toMatch(/^\d{3}, no body\n$/)
    else expect(JSON.parse(result.stdout)).toBeTruthy()
  })

  it('lists every operation with what it takes, without asking the service', async () => {
    const { stdout } = await vexil('call', { env: {} })
    for (const { kind, name, endpoint } of operations) {
      expect(stdout).toMatch(new RegExp(`^${kind}\\.${name}\\b.*\n {4}${endpoint.doc.slice(0, 10)}`, 'm'))
    }
    expect(stdout).toContain('feature_flag.update id= --body\n')
    expect(stdout).toContain('event.read id= [format=]\n')
  })

  it.each([
    ['feature_flag.lst', '"feature_flag.lst" is not an operation; did you mean "feature_flag.list"?'],
    ['nothing', '"nothing" is not an operation; `vexil call` lists them'],
    ['feature_flag.read', 'give id=...'],
    ['feature_flag.read id', '"id" is not NAME=VALUE'],
    ['feature_flag.read id=1 ky=2', '"ky" is not an argument of this operation; it takes project_id, id'],
    ['feature_flag.list limt=2', '"limt" is not an argument of this operation; did you mean "limit"?'],
    ['feature_flag.list limit=many', '"limit" is a whole number, not "many"'],
    ['event.list format=xml', '"format" is one of csv, json, not "xml"'],
    ['feature_flag.read id=1 --body {}', 'this operation takes no body'],
    ['feature_flag.update id=1', 'give the changes with --body JSON'],
    ['feature_flag.update id=1 --body {', 'the body is not JSON'],
    ['feature_flag.update id=1 --body []', 'the body is not a JSON object'],
    ['feature_flag.update id=1 --body {"active":"yes"}', 'the body does not fit: /active must be boolean'],
    ['feature_flag.read id=1 --all', '--all is for lists, and feature_flag.read is not a list'],
  ])('refuses %s before it asks', async (line, message) => {
    const { result, requests } = await service.watch(() => vexil(`call ${line}`))
    expect(result).toEqual({ code: 64, stdout: '', stderr: `vexil: ${message}\n` })
    expect(requests).toEqual([])
  })

  it.each([
    ['JSON', '{"name":"Changed"}', {}],
    ['a file', '@body.json', {}],
    ['standard input', '-', { stdin: '{"name":"Changed"}' }],
  ])('takes a body from %s', async (_, body, options) => {
    await write({ 'body.json': '{"name":"Changed"}' })
    const { id } = await flag('dark-mode')
    const { code, stdout } = await vexil(['call', 'feature_flag.update', `id=${id}`, '--body', body], options)
    expect({ code, name: JSON.parse(stdout).name }).toEqual({ code: 0, name: 'Changed' })
  })

  it('says that a body file is not there', async () => {
    const result = await vexil('call feature_flag.update id=1 --body @no.json')
    expect(result).toMatchObject({
      code: 1,
      stderr: 'vexil: the body file "no.json" cannot be read (ENOENT)\n',
    })
  })

  it('follows a list to its end with --all', async () => {
    const { result, requests } = await service.watch(() => vexil('call event.list limit=250 --all'))
    const rows = JSON.parse(result.stdout) as { id: string }[]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(600)
    expect(requests).toHaveLength(3)
  })

  it('prints csv as it comes', async () => {
    const { code, stdout } = await vexil('call event.list format=csv limit=2')
    expect(code).toBe(0)
    expect(stdout.trim().split(/\r?\n/)).toHaveLength(3)
    expect(stdout.split(/\r?\n/)[0]).toContain('distinct_id')
  })

  it('sends a parameter that the interface does not show with --query', async () => {
    const all = await vexil('call event.list --query distinct_id=person-1 --all')
    const rows = JSON.parse(all.stdout) as { distinct_id: string }[]
    expect(new Set(rows.map(row => row.distinct_id))).toEqual(new Set(['person-1']))
  })

  it('gives the values that a property was seen with, as the README has it', async () => {
    const { code, stdout } = await vexil('call event.values --query key=country')
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(
      'AT CH DE FR GB JP US'.split(' '),
    )
  })

  it.each<[string, string, object]>([
    [
      'JSON',
      'event.values --query key=plan',
      { operation: 'event.values', status: 200, body: expect.any(Array) },
    ],
    ['rows', 'event.list limit=250 --all', { operation: 'event.list', status: 200, body: expect.any(Array) }],
    [
      'text',
      'event.list format=csv limit=1',
      { operation: 'event.list', status: 200, body: null, text: expect.stringContaining(',distinct_id,') },
    ],
  ])('is one document with --json, where the answer is %s', async (_, line, answer) => {
    const { code, stdout, stderr } = await vexil(`call ${line} --json`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ format_version: '1.0', exit_code: 0, ...answer })
  })

  it('is one document with --json, where the answer has no body', async () => {
    const { id } = JSON.parse((await vexil('call event_definition.list --json')).stdout).body.results[0]
    const { stdout, stderr } = await vexil(`call event_definition.delete id=${id} --json`)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      format_version: '1.0',
      exit_code: 0,
      operation: 'event_definition.delete',
      status: 204,
      body: null,
    })
  })

  it('is one document with --json, where the service refuses', async () => {
    const { code, stdout } = await vexil('call feature_flag.read id=999999 --json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 1,
      errors: [{ code: 'service', status: 404, request: `GET ${flagsPath}/999999` }],
    })
  })

  it('lists the operations with --json, by a published schema', async () => {
    const { stdout } = await vexil('call --json', { env: {} })
    const told = JSON.parse(stdout)
    const isDescribed = new Ajv2020().compile(publishedSchemas()['operations.schema.json'] ?? false)
    expect(isDescribed(told), JSON.stringify(isDescribed.errors)).toBe(true)
    expect(told.operations.map(({ operation }: { operation: string }) => operation)).toEqual(
      operations.map(({ kind, name }) => `${kind}.${name}`),
    )
    expect(told.operations).toContainEqual({
      operation: 'event.read',
      method: 'GET',
      path: '/api/projects/{project_id}/events/{id}',
      required: ['id'],
      optional: ['format'],
      takes_body: false,
      doc: 'Read an event.',
    })
  })

  it('cannot be made to reach another path', async () => {
    const { result, requests } = await service.watch(() =>
      vexil('call feature_flag.read id=../../../plugins'),
    )
    expect(result.code).toBe(1)
    expect(requests).toEqual([`GET ${flagsPath}/..%2F..%2F..%2Fplugins`])
    expect(requests.filter(isWrite)).toEqual([])
  })
})
