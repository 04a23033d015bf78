import { describe, expect, it } from 'vitest'
import { type Arrived, aGateway, aPlace, nameOf, type Passed } from '../../support/gateway.ts'
import { anOrganization, support, useWorkspace } from '../../support/workspace.ts'
import { commandLines } from './commands.ts'
import { some } from './faults.ts'

/** What the log tells of requests, in the order in which they were sent; and who gets the key. */

const key = 'phx_the/key+of"the:service'

/** More than one page of everything that has pages. */
const many = Array.from({ length: 120 }, (_, nth) => `more_${nth}`)
const seed = anOrganization({
  roles: [{ id: support, name: 'Support' }],
  projects: [
    {
      id: 1,
      name: 'Shop',
      event_definitions: many.map(name => ({ name })),
      feature_flags: ['known', ...many].map(flag => ({ key: flag, tags: ['ours'] })),
    },
  ],
})

const declared = {
  'vexil.yaml': 'version: 1\nownership: { tag: ours, prune: never }\n',
  'flags.yaml': `feature_flags:
  known: { active: true, filters: {}, role_access: [] }
  fresh: { active: false, filters: {} }
plugins: { geo: { plugin_type: source } }
event_definitions: { more_1: { tags: [ours] } }
`,
}

const workspace = useWorkspace(declared, { seed, apiKey: key })
const { vexil, service } = workspace

interface Told {
  readonly method?: string
  readonly path?: string
  readonly request_id?: string
}

/** The key as it may stand in a line, in small letters. */
const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].map(form => form.toLowerCase())

function expectNoKey(seen: string, line: readonly string[]): void {
  const found = forms.filter(form => seen.toLowerCase().includes(form))
  expect({ line, found }).toEqual({ line, found: [] })
}

/** The commands that ask the service; a part of them in each of several tests. */
const lines = commandLines('text').filter(([name = '']) =>
  ['plan', 'drift', 'export', 'apply', 'call', 'doctor', 'pull', 'disable', 'retire'].includes(name),
)

async function run(line: readonly string[], url: string) {
  const env = { ...service.env, VEXIL_BASE_URL: url, VEXIL_LOG_FORMAT: 'json', VEXIL_DEBUG: '1' }
  const result = await vexil(line, { env })
  const told: Told[] = result.stderr
    .split('\n')
    .filter(text => text !== '')
    .map(text => JSON.parse(text))
  return { ...result, told: told.filter(({ method }) => method !== undefined) }
}

/** Ways in which an answer may lead to another host, with the key in the words. */
const leads: Readonly<Record<string, (passed: Passed, elsewhere: string) => Passed>> = {
  'a redirect': (_, elsewhere) => redirect(302, elsewhere),
  'a redirect that keeps method and body': (_, elsewhere) => redirect(307, elsewhere),
  'a "next" to another host': (passed, elsewhere) => ({
    ...passed,
    body: withNext(passed.body, () => `${elsewhere}/next/?personal_api_key=${encodeURIComponent(key)}`),
  }),
  'a "next" that holds the key': (passed, _) => ({
    ...passed,
    body: withNext(passed.body, next => next && `${next}&personal_api_key=${encodeURIComponent(key)}`),
  }),
}

const redirect = (status: number, elsewhere: string): Passed => ({
  status,
  body: '',
  headers: {
    location: `${elsewhere}/login?personal_api_key=${encodeURIComponent(key)}&raw=${encodeURI(key)}`,
  },
})

function withNext(body: string, change: (next: string | null) => string | null): string {
  if (!body.startsWith('{')) return body
  const page = JSON.parse(body)
  return Array.isArray(page.results) ? JSON.stringify({ ...page, next: change(page.next) }) : body
}

describe('the log of requests', () => {
  it('has the requests of each connection once, and in their order', async () => {
    const gateway = await aGateway(service)
    let connectionCount = 0
    for (const line of some(lines, 0, 4)) {
      const from = gateway.arrived.length
      const { told } = await run(line, gateway.url)
      const arrived = gateway.arrived.slice(from)
      expect({ line, told: byConnection(told.map(each => each.request_id)) }).toEqual({
        line,
        told: byConnection(arrived.map(nameOf)),
      })
      const places = new Map(arrived.map(each => [nameOf(each), placeOf(each)]))
      for (const { method, path, request_id = '' } of told)
        expect(`${method} ${path}`).toBe(places.get(request_id))
      connectionCount = Math.max(connectionCount, new Set(arrived.map(each => each.connection)).size)
    }
    expect(connectionCount).toBeGreaterThan(1)
  }, 60_000)

  it.each(Object.keys(leads).map((lead, nth) => ({ lead, nth })))(
    'tells no key, and nobody else gets one, of an answer with $lead',
    async ({ lead, nth }) => {
      const elsewhere = await aPlace(async () => ({ status: 200, body: '{"results":[],"next":null}' }))
      let leadingCount = 0
      const change = (passed: Passed, request: Arrived) => {
        // Each third, so that a command meets it early, later and for a list that it has begun.
        if (request.nth % 3 !== 1 && !request.target.includes('offset=')) return passed
        leadingCount++
        return leads[lead]?.(passed, elsewhere.url) ?? passed
      }
      const gateway = await aGateway(service, change)
      for (const line of some(lines, nth, 4)) {
        const from = gateway.arrived.length
        const { stdout, stderr, told } = await run(line, gateway.url)
        expectNoKey(stdout + stderr, line)
        const arrived = gateway.arrived.slice(from)
        expect({ line, told: told.length }).toEqual({ line, told: arrived.length })
        expect(arrived.filter(({ headers }) => headers.authorization !== `Bearer ${key}`)).toEqual([])
      }
      expect(leadingCount).toBeGreaterThan(0)
      expect(elsewhere.arrived).toEqual([])
    },
    60_000,
  )
})

/** Names of requests, those of each connection by themselves. */
const byConnection = (names: readonly (string | undefined)[]) =>
  [...new Set(names.map(connectionIn))].sort().map(each => names.filter(name => connectionIn(name) === each))

const connectionIn = (name: string | undefined) => name?.split('-')[0] ?? 'no connection'

const placeOf = ({ method, target }: Arrived) =>
  `${method} ${new URL(target, 'http://any').pathname.replace(/\/$/, '')}`
