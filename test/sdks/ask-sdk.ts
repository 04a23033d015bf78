import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse, stringify } from 'lossless-json'
import { type Answers, readRecorded } from './answers.ts'
import { readCases, type SdkCase } from './cases.ts'

/** What a driver prints for one case. */
interface Line {
  readonly id: string
  readonly value?: boolean | string | null
  readonly error?: string
}

/** Asks an SDK about each case. The command is a driver, which takes the file with the questions as its first argument. */
export async function askSdk(command: (questions: string) => readonly string[]): Promise<Answers> {
  const { notDecided } = readRecorded()
  const cases = readCases(Date.now(), parse).filter(({ id }) => !notDecided.includes(id))
  const folder = mkdtempSync(join(tmpdir(), 'vexil-sdks-'))
  const { host, asked, close } = await serveCases(cases)
  try {
    const lines: Line[] = []
    for (const zone of new Set(cases.map(each => each.zone))) {
      const questions = cases
        .filter(each => each.zone === zone)
        .map(({ id, question }) => ({ id, token: `phc_${id}`, secret: `phx_${id}`, ...question }))
      const file = join(folder, 'questions.json')
      writeFileSync(file, stringify({ host, questions }) ?? '')
      const [program, ...words] = command(file)
      const options = { env: { ...env, TZ: zone }, maxBuffer: 2 ** 26 }
      const { stdout } = await promisify(execFile)(program!, words, options)
      // SDKs print lines of their own.
      const own = stdout.split('\n').filter(line => line.startsWith('{'))
      lines.push(...own.map(line => JSON.parse(line) as Line))
    }
    const answers = new Map(lines.map(line => [line.id, asked.has(line.id) ? 'U' : answerOf(line)]))
    return new Map(cases.map(({ id }) => [id, answers.get(id) ?? 'E']))
  } finally {
    close()
    rmSync(folder, { recursive: true })
  }
}

function answerOf({ value, error }: Line): string {
  if (error !== undefined) return 'E'
  if (typeof value === 'string') return `v:${value}`
  return value === true ? 'T' : value === false ? 'F' : 'N'
}

/** Delivers the definitions of each case by its token or secret, and notes for which cases an SDK asks for values. */
async function serveCases(cases: readonly SdkCase[]) {
  const definitions = new Map(cases.map(each => [each.id, stringify(each.definitions)]))
  const asked = new Set<string>()
  const server = createServer(async (request, response) => {
    const { url = '' } = request
    const text = `${url} ${request.headers.authorization} ${await bodyOf(request)}`
    const id = /ph[cx]_(c\d+)/.exec(text)?.[1] ?? ''
    response.setHeader('Content-Type', 'application/json')
    if (/definitions|local_evaluation/.test(url)) return response.end(definitions.get(id))
    if (/^\/(flags|decide)/.test(url)) asked.add(id)
    return response.end('{"status":1,"flags":{},"featureFlags":{},"featureFlagPayloads":{}}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // TCP addresses are objects.
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { host: `http://127.0.0.1:${port}`, asked, close }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const bytes = await buffer(request)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
