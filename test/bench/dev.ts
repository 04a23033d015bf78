import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { printFigures } from './print-figures.ts'
import { benchKey, writeRepository } from './repository.ts'
import { firstLine } from './stand-in.ts'

const here = import.meta.dirname
const vexil = join(here, '../../dist/vexil.cjs')
const agent = new Agent({ keepAlive: true })
const turns = 9

/**
 * What SDKs get from `vexil dev`, with so many flags: the time of a remote evaluation, and the rate of definitions
 * that have not changed, both beside a bare server that only sends the same bytes; and the time from a saved file to new
 * definitions, with a fifth of the flags.
 */
export async function benchDev(folder: string, count: number): Promise<void> {
  const repository = await mixedRepository(join(folder, `dev-${count}`), count)
  const dev = await serveFlags(repository)
  const bare = await serveBare(folder, dev)
  try {
    const settings = [dev, bare]
    await inTurns(`remote evaluation of ${count} flags`, settings, remoteMs, 'ms')
    await inTurns(`304 for definitions of ${count} flags`, settings, unchangedPerSecond, 'per s')
  } finally {
    await Promise.all([dev.stop(), bare.stop()])
  }
  const fewer = Math.ceil(count / 5)
  await benchSave(await mixedRepository(join(folder, `dev-${fewer}`), fewer), fewer)
}

interface Served {
  readonly url: string
  readonly key: string
  readonly token: string
  stop(): Promise<void>
}

/** Each figure of both servers in turns, and the ratios; the first turns compile, and are not counted. */
async function inTurns(
  title: string,
  [dev, bare]: readonly Served[],
  figure: (served: Served) => Promise<number>,
  unit: string,
): Promise<void> {
  const pairs: [number, number][] = []
  for (let turn = -3; turn < turns; turn++) {
    const pair: [number, number] = [await figure(dev as Served), await figure(bare as Served)]
    if (turn >= 0) pairs.push(pair)
  }
  printFigures(title, {
    ...spreadOf(
      unit,
      pairs.map(([ours]) => ours),
    ),
    ...spreadOf(
      `bare ${unit}`,
      pairs.map(([, theirs]) => theirs),
    ),
    ...spreadOf(
      'ratio',
      pairs.map(([ours, theirs]) => ours / theirs),
    ),
  })
}

function spreadOf(name: string, figures: readonly number[]): Record<string, number> {
  const inOrder = figures.toSorted((left, right) => left - right)
  const at = (share: number) => inOrder[Math.floor(share * (inOrder.length - 1))] as number
  return { [name]: at(0.5), [`${name} from`]: at(0), [`${name} to`]: at(1) }
}

/** The median of a hundred remote evaluations, each for another person, one after the other. */
async function remoteMs({ url, token }: Served): Promise<number> {
  const person = { country: 'DE', plan: 'enterprise', email: 'ann@corp.example' }
  const times: number[] = []
  for (let index = 0; index < 100; index++) {
    const body = JSON.stringify({
      token,
      distinct_id: `person-${index}`,
      person_properties: person,
      groups: { company: `company-${index}` },
      group_properties: { company: { size: String(index * 2) } },
    })
    const startedAt = performance.now()
    const { status } = await send(`${url}/flags/?v=2`, 'POST', body)
    if (status !== 200) throw new Error(`a remote evaluation was answered with ${status}`)
    times.push(performance.now() - startedAt)
  }
  return spreadOf('ms', times).ms as number
}

/** Over sockets that only look for the end of each answer: a client of Node would be slower than the servers. */
async function unchangedPerSecond(served: Served): Promise<number> {
  const { hostname, port } = new URL(served.url)
  const tag = (await definitions(served)).headers.etag ?? ''
  const head = Object.entries({
    ...definitionHeaders(served),
    Host: `${hostname}:${port}`,
    'If-None-Match': tag,
  })
  const text = `GET ${definitionPath(served)} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const [connections, ms] = [8, 1000]
  const startedAt = performance.now()
  const counts = await Promise.all(
    Array.from({ length: connections }, () => repeat(connect(Number(port), hostname), text, startedAt + ms)),
  )
  return counts.reduce((sum, each) => sum + each, 0) / ((performance.now() - startedAt) / 1000)
}

async function repeat(socket: Socket, text: string, until: number): Promise<number> {
  let answered = 0
  socket
    .setNoDelay(true)
    .setEncoding('latin1')
    .on('connect', () => socket.write(text))
  socket.on('data', (chunk: string) => {
    if (!chunk.startsWith('HTTP/1.1 304 ') || !chunk.endsWith('\r\n\r\n'))
      throw new Error(`not one whole answer without a body: ${chunk.slice(0, 200)}`)
    answered += 1
    if (performance.now() < until) socket.write(text)
    else socket.end()
  })
  await once(socket, 'close')
  return answered
}

/** Saves, each from the moment before it until other definitions are served. */
async function benchSave(repository: string, count: number): Promise<void> {
  const dev = await serveFlags(repository)
  const file = join(repository, 'flags', `${benchKey(0)}.yaml`)
  const text = await readFile(file, 'utf8')
  const times: number[] = []
  try {
    for (let turn = 0; turn <= 2 * turns; turn++) {
      const tag = (await definitions(dev)).headers.etag
      await writeFile(
        `${file}.new`,
        text.replace(/rollout_percentage: \d+/, `rollout_percentage: ${turn + 1}`),
      )
      const startedAt = performance.now()
      await rename(`${file}.new`, file)
      while ((await definitions(dev, tag)).status === 304);
      if (turn > 0) times.push(performance.now() - startedAt)
    }
  } finally {
    await dev.stop()
  }
  printFigures(`a saved file of a repository of ${count} flags`, spreadOf('ms until it is served', times))
}

/** Flags with conditions on persons, groups, a cohort and other flags, with percentages and variants. */
async function mixedRepository(folder: string, count: number): Promise<string> {
  await writeRepository(folder, count, mixedFlag)
  await writeFile(join(folder, 'vexil.yaml'), 'version: 1\ngroup_types: { company: 0 }\n')
  const values = [{ key: 'email', type: 'person', operator: 'icontains', value: '@corp.example' }]
  const cohorts = [{ id: 7, name: 'staff', properties: { type: 'AND', values } }]
  await mkdir(join(folder, '.vexil'))
  await writeFile(join(folder, '.vexil/dev.yaml'), JSON.stringify({ cohorts }))
  return folder
}

function mixedFlag(index: number): Readonly<Record<string, unknown>> {
  const country = { key: 'country', value: ['DE', 'AT', 'CH'], type: 'person', operator: 'exact' }
  const plan = { key: 'plan', value: 'enterprise', type: 'person', operator: 'icontains' }
  const percent = (index * 7) % 101
  const name = `Flag number ${index}, which turns on part ${index % 17} of the product`
  const shapes = [
    { groups: [{ properties: [country, plan], rollout_percentage: percent }] },
    { groups: [{ properties: [], rollout_percentage: percent }] },
    { groups: [{ properties: [{ key: 'id', value: 7, type: 'cohort' }], rollout_percentage: 100 }] },
    {
      aggregation_group_type_index: 0,
      groups: [
        {
          properties: [{ key: 'size', value: '100', type: 'group', group_type_index: 0, operator: 'gt' }],
          rollout_percentage: percent,
        },
      ],
    },
    {
      groups: [
        { properties: [{ ...country, value: ['FR'] }], rollout_percentage: 100, variant: 'red' },
        { properties: [country], rollout_percentage: 100 },
      ],
      multivariate: {
        variants: [
          { key: 'red', rollout_percentage: 50 },
          { key: 'blue', rollout_percentage: 50 },
        ],
      },
      payloads: { red: '{"price":9}', blue: '{"price":8}' },
    },
    {
      groups: [
        {
          properties: [
            { key: benchKey(index - 5), value: true, type: 'flag', operator: 'flag_evaluates_to' },
            { ...plan, operator: 'regex', value: '^enter' },
          ],
          rollout_percentage: 100,
        },
      ],
    },
  ]
  return { name, active: true, filters: shapes[index % shapes.length] }
}

async function serveFlags(repository: string): Promise<Served> {
  const child = spawn(process.execPath, [vexil, 'dev', '--port', '0', '--json'], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const printed = JSON.parse(await firstLine(child)) as Record<string, string>
  const { base_url: url = '', api_key: key = '', project_token: token = '' } = printed
  return { url, key, token, stop: () => stop(child) }
}

/** A server that sends the same answers, whatever it is asked. */
async function serveBare(folder: string, dev: Served): Promise<Served> {
  const { headers } = await definitions(dev)
  const unchanged = await definitions(dev, headers.etag)
  const sent = (all: IncomingHttpHeaders) => {
    const { date, connection, 'keep-alive': _, ...own } = all
    return own
  }
  const body = JSON.stringify({ token: dev.token, distinct_id: 'ann', groups: { company: 'acme' } })
  const flags = await send(`${dev.url}/flags/?v=2`, 'POST', body)
  const file = join(folder, 'answers.json')
  const answers = {
    GET: { status: unchanged.status, headers: sent(unchanged.headers), text: '' },
    POST: { status: flags.status, headers: sent(flags.headers), text: flags.text },
  }
  await writeFile(file, JSON.stringify(answers))
  const child = spawn(process.execPath, [join(here, 'bare-server.js'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { base_url: url } = JSON.parse(await firstLine(child)) as { base_url: string }
  return { ...dev, url, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'close')
}

function definitionPath({ token }: Served): string {
  return `/flags/definitions?token=${token}&send_cohorts`
}

/** The headers of posthog-node 5. */
function definitionHeaders({ key }: Served): Record<string, string> {
  return {
    Connection: 'keep-alive',
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'User-Agent': 'posthog-node/5.70.0',
    Accept: '*/*',
    'Accept-Language': '*',
    'Sec-Fetch-Mode': 'cors',
    'Accept-Encoding': 'gzip, deflate',
  }
}

function definitions(served: Served, tag?: string) {
  const { Connection, ...headers } = definitionHeaders(served)
  return send(`${served.url}${definitionPath(served)}`, 'GET', '', {
    ...headers,
    ...(tag && { 'If-None-Match': tag }),
  })
}

/** Over the client of Node itself: its `fetch` takes longer than what is measured. */
async function send(url: string, method: string, body: string, headers: Record<string, string> = {}) {
  const sent = request(url, { agent, method, headers })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const text = (await buffer(response)).toString()
  // An event has values of any type; this one has a response.
  return { status: response.statusCode as number, headers: response.headers as IncomingHttpHeaders, text }
}
