import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { folderOfTest } from '../support/folder.ts'
import { type Service, startService } from '../support/service.ts'
import { flagsPath, isWrite } from '../support/workspace.ts'

type Answer = (
  request: Request,
  body: () => Promise<unknown>,
) => Promise<Response | undefined> | Response | undefined

let service: Service
/** What stands between the command and the service: another answer, or undefined for its own. */
let odd: Answer

beforeEach(async () => {
  odd = () => undefined
  service = await startService({ quirks: { page_size_cap: 1 } }, handle => async (request, connection) => {
    const other = await odd(request, async () => (await handle(request.clone())).json())
    return other ?? handle(request, connection)
  })
})
afterEach(() => service.close())

const plugins = () => `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins/`
const isGet = ({ method, url }: Request, path: string) => method === 'GET' && new URL(url).pathname === path

const isSource = ({ url }: Request) => /\/source\/?$/.test(new URL(url).pathname)

async function declaring(text: string) {
  const directory = await folderOfTest({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': text })
  return (line: string) => cli(line, { directory, env: service.env })
}

describe('a list of plugins that is incomplete', () => {
  const two = 'plugins:\n  geoip: { plugin_type: source }\n  mask: { plugin_type: source }\n'
  const shortened: Answer = async (request, body) => {
    if (!isGet(request, plugins())) return undefined
    const { results, ...page } = (await body()) as { results: { name: string }[] }
    return Response.json({ ...page, results: results.filter(({ name }) => name !== 'mask') })
  }

  it('creates nothing: one that is not in it may be there', async () => {
    for (const name of ['geoip', 'mask'])
      await service.send('POST', plugins(), { plugin_type: 'source', name })
    odd = shortened
    const vexil = await declaring(two)
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.stdout).toContain('blocked by incomplete_inventory')
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(3)
  })

  it('also where the plan had read it whole, and somebody made one since', async () => {
    await service.send('POST', plugins(), { plugin_type: 'source', name: 'geoip' })
    const vexil = await declaring(two)
    await vexil('plan --out plan.json')
    await service.send('POST', plugins(), { plugin_type: 'source', name: 'mask' })
    odd = shortened
    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result.stdout).toContain('is incomplete')
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(5)
  })
})

describe('the source files of a plugin, answered in another shape', () => {
  const declared =
    'plugins:\n  geoip: { plugin_type: source, description: New, source: { index.ts: "one" } }\n'

  it.each([
    ['a page', { count: 0, next: null, previous: null, results: [] }],
    ['files that are no texts', { 'index.ts': { content: 'one' } }],
    ['nothing', null],
  ])('%s: nothing is written, and the run fails', async (_, body) => {
    await service.send('POST', plugins(), { plugin_type: 'source', name: 'geoip' })
    odd = request => (isSource(request) ? Response.json(body) : undefined)
    const vexil = await declaring(declared)
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.stderr).toMatch(
      /the answer to GET \S+\/source\/? (does not contain a plugin|contains neither)/,
    )
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(1)
  })

  it('the plugin itself, as the interface says: they are not shown', async () => {
    await service.send('POST', plugins(), { plugin_type: 'source', name: 'geoip' })
    odd = request => (isSource(request) ? Response.json({ id: 1, name: 'geoip', tag: null }) : undefined)
    const vexil = await declaring(declared)
    expect((await vexil('plan')).stdout).toContain('the service does not show them')
  })
})

describe('a 500', () => {
  const often = (nth: number): Answer => {
    let asked = 0
    return request => {
      if (!isGet(request, `${flagsPath}/`) || request.url.includes('limit=1&')) return undefined
      asked += 1
      return asked % nth === 0 ? Response.json({ detail: 'no' }, { status: 500 }) : undefined
    }
  }

  it('on some pages of a list is asked again, as a 502 is', async () => {
    for (let index = 0; index < 5; index++)
      await service.send('POST', `${flagsPath}/`, { key: `flag_${index}` })
    odd = often(2)
    const vexil = await declaring('feature_flags:\n  flag_4: { name: New }\n')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
  })

  it('that does not pass ends the run', async () => {
    odd = often(1)
    const vexil = await declaring('feature_flags:\n  fresh: {}\n')
    const { code, stderr } = await vexil('plan')
    expect([code, stderr]).toEqual([1, expect.stringContaining('500')])
  })
})

describe('a page of a proxy that quotes the request', () => {
  it('is without what is hidden before it is cut', async () => {
    const vexil = await declaring(
      'feature_flags: { checkout: { release: [{ properties: { email: canary } }] } }\n',
    )
    const page = `${'x'.repeat(196)} canary`
    odd = ({ method }) => (method === 'GET' ? undefined : new Response(page, { status: 403 }))
    const open = await vexil('apply --auto-approve')
    expect(open.stdout + open.stderr).toContain('xx can')
    const { code, stdout, stderr } = await vexil('apply --auto-approve --redact values')
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain('403')
    expect(stdout + stderr).not.toContain('xx can')
  })
})
