import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OtherAnswer, type Relay, relayTo } from '../support/relay.ts'
import { type Service, startService } from '../support/service.ts'
import { aWorkspace, type Workspace } from '../support/workspace.ts'

const countries = ['AT', 'BE', 'CH', 'DE', 'DK', 'ES', 'FI', 'FR', 'IE', 'IT', 'NL', 'SE']
const condition = (country: string) =>
  `{ properties: [ { key: country, value: [${country}], type: person } ], rollout_percentage: 5 }`
const flags = `feature_flags:
  checkout:
    active: true
    filters:
      groups:
${countries.map(country => `        - ${condition(country)}`).join('\n')}
`

let service: Service
let workspace: Workspace
let relay: Relay
let answer: OtherAnswer
let questions: number

beforeEach(async () => {
  service = await startService()
  questions = 0
  relay = await relayTo(service.url, {
    before: async ({ url, method }) => {
      if (method !== 'POST' || !url?.includes('user_blast_radius')) return undefined
      questions++
      return answer
    },
  })
  workspace = await aWorkspace(service, { 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags })
})

afterEach(async () => {
  relay.close()
  await service.close()
  await workspace.remove()
})

const vexil = (line: string) => workspace.vexil(line, { env: { ...service.env, VEXIL_BASE_URL: relay.url } })

const refusal = (status: number): OtherAnswer => ({
  status,
  body: JSON.stringify({ type: 'error', code: 'some_code', detail: 'Not now, DE.', attr: null }),
})
const answers: readonly (readonly [string, OtherAnswer])[] = [
  ...[400, 402, 403, 404, 429, 500, 503].map(status => [`status ${status}`, refusal(status)] as const),
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' }, body: '' }],
  ['a page', { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Log in' }],
  ...['', '{', '[]', 'null', '"x"', '{}', '{"users_affected": 1}'].map(
    body => [`the body ${body}`, { body }] as const,
  ),
  ...['-1 5', '6 5', '1.5 5', '"1" "5"', 'null null', '1e300 1e301'].map(people => {
    const [affected, total] = people.split(' ')
    return [`people ${people}`, { body: `{"affected": ${affected}, "total": ${total}}` }] as const
  }),
]

describe('estimates that are not to be had', () => {
  it.each(answers)('leave the plan as it is, and one line says why: %s', async (_, other) => {
    answer = other
    const plain = await vexil('plan --json')
    const estimated = await vexil('plan --json --estimates')
    expect(estimated.code).toBe(0)
    const [was, is] = [plain, estimated].map(({ stdout }) => JSON.parse(stdout))
    const [change] = is.changes
    expect(change.summary).toEqual([...was.changes[0].summary, 'reach: not available'])
    expect({ ...is, changes: was.changes, digest: was.digest, created_at: was.created_at }).toEqual(was)
    expect(estimated.stderr.split('\n').filter(line => line.includes('estimate'))).toEqual([
      expect.stringMatching(/12 of 12 new conditions have no estimate: \S/),
    ])
  })

  it('are asked for no more after a refusal that is about none of them', async () => {
    answer = refusal(403)
    await vexil('plan --estimates')
    // As many as are asked at the same time.
    expect(questions).toBeLessThanOrEqual(8)
    answer = refusal(400)
    questions = 0
    await vexil('plan --estimates')
    expect(questions).toBe(countries.length)
  })

  it('are told without values that the service repeats, where these are hidden', async () => {
    answer = { status: 403, body: JSON.stringify({ detail: 'No people of "DE" for you.', code: 'no' }) }
    const hidden = await vexil('plan --estimates --redact values')
    expect(hidden.stderr).toContain('have no estimate')
    expect(hidden.stdout + hidden.stderr).not.toContain('DE')
  })
})
