import { describe, expect, it } from 'vitest'
import { aServer } from '../api/support/server.ts'
import { flagsPath, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write } = workspace
const list = `GET ${flagsPath}?limit=1000`

describe('a failure of the service', () => {
  it.each([
    [
      'status=401',
      `${list} was refused with 401 error: This answer was scripted; check the API key (VEXIL_API_KEY, VEXIL_API_KEY_FILE, POSTHOG_API_KEY, POSTHOG_API_KEY_FILE, or the variable that \`api_key_env\` names)`,
    ],
    [
      'status=402',
      `${list} was refused with 402 error: This answer was scripted; the plan of this service does not include it`,
    ],
    [
      'status=403',
      `${list} was refused with 403 error: This answer was scripted; the key may lack a scope, or its owner the permission; needed here: to read flags`,
    ],
    [
      'status=404',
      `${list} was refused with 404 error: This answer was scripted; is the project right? (\`project\` in vexil.yaml, VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID, --project)`,
    ],
    [
      'status=429 retry_after=600',
      `${list} was refused with 429 throttled: This answer was scripted; the service asks to wait 10 minutes`,
    ],
    ['status=500', `${list} failed with 500 error: This answer was scripted`],
  ])('of %s is one line with what was said and what to do', async (fault, message) => {
    service.faults(`GET /feature_flags ${fault}`)
    expect(await vexil('plan')).toEqual({ code: 1, stdout: '', stderr: `vexil: ${message}\n` })
  })

  it('names the organization where that is what is not there', async () => {
    await write({ 'flags.yaml': 'plugins: { geoip: { plugin_type: source } }\n' })
    const { code, stderr } = await vexil('plan --organization 01900000-0000-0000-0000-00000000dead')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /Organization not found; is the organization right\? \(`organization` in vexil.yaml, VEXIL_ORGANIZATION_ID, POSTHOG_ORGANIZATION_ID, --organization\)\n$/,
    )
  })

  it('does not contain the project where one object is what is not there', async () => {
    const { stderr } = await vexil('call feature_flag.read id=4711')
    expect(stderr).toMatch(/^vexil: GET .*4711 was refused with 404 not_found: [^;]*\n$/)
  })

  it.each([
    ['nobody listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['the path is another one', '', 'check'],
  ])('says where the base URL comes from when %s', async (_, given) => {
    const { code, stderr } = await vexil(
      `plan --base-url ${given === '' ? `${service.url}/elsewhere` : given}`,
    )
    expect(code).toBe(1)
    expect(stderr.split('\n')).toHaveLength(2)
    if (given !== '')
      expect(stderr).toMatch(
        /is the service there, and the base URL right\? \(`base_url` in vexil.yaml, VEXIL_BASE_URL, POSTHOG_HOST, --base-url\)\n$/,
      )
  })

  it.each([
    ['leads elsewhere', 302, { location: 'https://sso.example.com/login' }, '', true],
    ['leads far away', 302, { location: `https://sso.example.com/${'far/'.repeat(200)}` }, '', true],
    ['is a page', 200, { 'content-type': 'text/html' }, '<html>', true],
    ['only speaks of it', 200, { 'content-encoding': 'base URL' }, '{}', false],
  ])(
    'asks for the base URL where the answer says that it is wrong: it %s',
    async (_, status, headers, text, asks) => {
      const { url } = await aServer((_, response) => {
        response.writeHead(status, headers).end(text)
      })
      const { code, stderr } = await vexil(`plan --base-url ${url}`)
      expect(code).toBe(1)
      expect(
        stderr.endsWith(' (`base_url` in vexil.yaml, VEXIL_BASE_URL, POSTHOG_HOST, --base-url)\n'),
        stderr,
      ).toBe(asks)
    },
  )

  it('shows where in the code only to those who ask', async () => {
    service.faults('GET /feature_flags status=500')
    expect((await vexil('plan')).stderr).not.toContain('.ts:')
    expect((await vexil('plan', { env: { ...service.env, VEXIL_DEBUG: '1' } })).stderr).toContain('.ts:')
  })
})
