import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { built } from './built.ts'
import type { Workspace } from './workspace.ts'

/** The program as it is built. */
export const vexil = built('vexil.cjs')

/**
 * A process of its own that was started in a workspace, for what only a process has: signals, streams, and an end. Its
 * program is the one that is built; whether it is packed in full is asked of a consumer.
 */
export interface Running {
  readonly child: ChildProcess
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string }
  /** Resolves as soon as its output holds a text; rejects when it ends without. */
  shows(stream: 'stdout' | 'stderr', text: string): Promise<void>
  /** The exit code and everything that it wrote. */
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

export function start(
  command: string,
  args: readonly string[],
  { path, service }: Pick<Workspace, 'path' | 'service'>,
): Running {
  const child = spawn(command, args, { cwd: path, env: { PATH: process.env.PATH, ...service.env } })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      child.emit('shown')
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  const shows = async (stream: 'stdout' | 'stderr', text: string) => {
    const isOver = ended.then(() => true)
    while (!output[stream].includes(text)) {
      const over = await Promise.race([once(child, 'shown').then(() => false), isOver])
      if (over && !output[stream].includes(text)) {
        throw new Error(`it ended without ${JSON.stringify(text)}: ${output.stdout}${output.stderr}`)
      }
    }
  }
  return { child, output, shows, ended }
}
