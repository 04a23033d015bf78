import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')

/** The sandbox in a process of its own, so that what is measured has the other core. */
export interface StandIn {
  readonly url: string
  readonly key: string
  readonly organization: string
  requests(): Promise<number>
  /** How many requests there were by their methods and the templates of their paths, such as `PATCH /api/.../{id}`. */
  requestsByTemplate(): Promise<Readonly<Record<string, number>>>
  resetRequests(): Promise<void>
  /** Answers so many milliseconds later from now on, as if the service were far away. */
  delay(ms: number): Promise<void>
  stop(): Promise<void>
}

export async function startStandIn(...given: readonly string[]): Promise<StandIn> {
  const child = spawn(process.execPath, [vexil, 'sandbox', '--port', '0', '--json', ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstLine(child)
  const { base_url, api_key, organization } = JSON.parse(line) as Record<string, string>
  const counts = `${base_url}/_sandbox/requests`
  return {
    url: base_url as string,
    key: api_key as string,
    organization: organization as string,
    async requests() {
      return ((await (await fetch(counts)).json()) as { total: number }).total
    },
    async requestsByTemplate() {
      return ((await (await fetch(counts)).json()) as { templates: Record<string, number> }).templates
    },
    async resetRequests() {
      await fetch(counts, { method: 'DELETE' })
    },
    async delay(ms) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(`slow=${ms}`)
      const { ok, status } = await fetch(`${base_url}/_sandbox/faults`, { method: 'POST', headers, body })
      if (!ok) throw new Error(`the stand-in answered ${status} to a delay`)
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

/** What tells a program of ours where the stand-in is. */
export function settingsOf(standIn: StandIn, parallelism: number): Record<string, string> {
  return {
    VEXIL_BASE_URL: standIn.url,
    VEXIL_API_KEY: standIn.key,
    VEXIL_PROJECT_ID: '1',
    VEXIL_ORGANIZATION_ID: standIn.organization,
    VEXIL_PARALLELISM: String(parallelism),
  }
}

export async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error('the process ended before it listened')
}
