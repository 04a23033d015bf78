import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { readJson } from '../../src/model/text/json-text.ts'
import { built } from '../support/built.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { aWorkspace, isWrite, type Workspace } from '../support/workspace.ts'
import { faultFiles, startFaultService } from './repository.ts'

const vexil = built('vexil.cjs')

export interface KilledApply {
  /** The signal that ended it, or the exit code. */
  readonly ended: string
  /** Those that the service has done, and the one at which the process was killed: `METHOD path`. */
  readonly requests: readonly string[]
  /** What is left, for those who come to the service by the address that the apply had. */
  readonly left: Workspace
  /** The same folder again, and a service that has done the same. */
  readonly same: Workspace
  remove(): Promise<void>
}

/**
 * Runs an apply in a process of its own behind a door that counts, and kills the process with SIGKILL at the n-th
 * request: before it reaches the service, or after the service has done it and before the answer is back.
 */
export async function applyKilledAt(nth: number, when: 'before' | 'after'): Promise<KilledApply> {
  const service = await startService()
  const requests: string[] = []
  const written: { method: string; url: string; body: string }[] = []
  const door = createServer(async (incoming, outgoing) => {
    const { method = '', headers, url = '' } = incoming
    const isLast = requests.push(`${method} ${url}`) === nth
    if (isLast && when === 'before') return void child.kill('SIGKILL')
    const body = await textOf(incoming)
    if (isWrite(method)) written.push({ method, url, body })
    const onward = forward(`${service.url}${url}`, { method, headers }, answer => {
      if (isLast) {
        answer.resume()
        return void answer.on('end', () => child.kill('SIGKILL'))
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    onward.end(body)
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const env = { ...service.env, VEXIL_BASE_URL: url }
  const left = await aWorkspace({ ...service, env }, faultFiles(service))
  const child = spawn(process.execPath, [vexil, 'apply', '--auto-approve'], {
    cwd: left.path,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const [code, signal] = await once(child, 'close')
  const same = await aWorkspace(await startService())
  await cp(left.path, same.path, { recursive: true })
  for (const { method, url, body } of written)
    await same.service.send(method, url, body === '' ? undefined : readJson(body))
  return {
    ended: signal ?? `${code}`,
    requests,
    left,
    same,
    async remove() {
      door.closeAllConnections()
      door.close()
      for (const each of [left, same]) {
        await each.service.close()
        await each.remove()
      }
    },
  }
}

/** Each gives the same ids to what the same requests make. */
const startService = () => startFaultService({ ...realRuntime, random: testRuntime().random })

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}
