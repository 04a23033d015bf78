// node flag-server.mjs FOLDER [STATUS]: answers as PostHog does for the flags in FOLDER/flags.json. It writes its address
// to the pipe FOLDER/host.pipe, and each request to FOLDER/requests.log as a line of JSON. STATUS is for what /flags
// answers. A flag is { value: false, true or a variant, payload: the text of its JSON, properties: those of its condition,
// for local evaluation, remote: the value that /flags gives instead }. From a request for /quota/over until one for
// /quota/back the project is over its quota; from /hold until /release it keeps its answers to /flags back.
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

const [, , folder, status = '200'] = process.argv
const flags = () => Object.entries(JSON.parse(readFileSync(`${folder}/flags.json`, 'utf8')))
const isFlags = path => /^\/(flags|decide)\/?$/.test(path)
const isDefinitions = path => /local_evaluation|definitions/.test(path)
const variantOf = value => (typeof value === 'string' ? value : null)

const evaluated = ([key, { value: local = true, remote: value = local, payload = null }], index) => {
  const reason = { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' }
  const metadata = { id: index + 1, version: 1, description: null, payload: value === false ? null : payload }
  return [key, { key, enabled: value !== false, variant: variantOf(value), reason, metadata }]
}
const defined = ([key, { value = true, payload, properties = [] }], index) => {
  const groups = [{ properties, rollout_percentage: value === false ? 0 : 100 }]
  const variants = [{ key: variantOf(value), rollout_percentage: 100 }]
  const payloads = payload === undefined ? {} : { [variantOf(value) ?? 'true']: payload }
  const filters = { groups, payloads, ...(variantOf(value) && { multivariate: { variants } }) }
  return { id: index + 1, key, name: key, active: true, ensure_experience_continuity: false, filters }
}
const config = {
  supportedCompression: [],
  hasFeatureFlags: true,
  sessionRecording: false,
  surveys: false,
  autocapture_opt_out: true,
  analytics: { endpoint: '/i/v0/e/' },
}

let isOverQuota = false
let held = Promise.resolve()
let release = () => {}

function answerOf(path) {
  if (isFlags(path)) {
    const answer = { errorsWhileComputingFlags: false, requestId: 'r' }
    if (isOverQuota) return { flags: {}, quotaLimited: ['feature_flags'], ...answer }
    return { flags: Object.fromEntries(flags().map(evaluated)), ...answer }
  }
  if (isDefinitions(path)) return { flags: flags().map(defined), group_type_mapping: {}, cohorts: {} }
  return path.endsWith('/config') ? config : { status: 'Ok' }
}

function statusOf(path, answer, known) {
  if (isFlags(path)) return Number(status)
  if (!isDefinitions(path)) return 200
  if (isOverQuota) return 402
  return known === etagOf(answer) ? 304 : 200
}
const etagOf = answer => `"${createHash('sha1').update(answer).digest('hex')}"`

const server = createServer(async (request, response) => {
  const [path] = request.url.split('?')
  let body = Buffer.concat(await request.toArray())
  if (body[0] === 0x1f) body = gunzipSync(body)
  if (path.startsWith('/quota/')) isOverQuota = path.endsWith('/over')
  else if (path === '/hold') held = new Promise(resolve => (release = resolve))
  else if (path === '/release') release()
  else appendFileSync(`${folder}/requests.log`, `${JSON.stringify({ path, body: String(body) })}\n`)
  const { origin = '*', 'access-control-request-headers': headers = '*' } = request.headers
  const answer = JSON.stringify(answerOf(path))
  if (isFlags(path)) await held
  response.writeHead(statusOf(path, answer, request.headers['if-none-match']), {
    'content-type': 'application/json',
    ...(isDefinitions(path) && { etag: etagOf(answer) }),
    'access-control-allow-origin': origin,
    'access-control-allow-headers': headers,
    'access-control-allow-credentials': 'true',
  })
  response.end(response.statusCode === 304 ? '' : answer)
})
writeFileSync(`${folder}/requests.log`, '')
server.listen(0, '127.0.0.1', () =>
  writeFileSync(`${folder}/host.pipe`, `http://127.0.0.1:${server.address().port}\n`),
)
