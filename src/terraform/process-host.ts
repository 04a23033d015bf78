import { writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { realRuntime } from '../core/real-runtime.ts'
import type { ProviderHost } from './serve/serve.ts'

/** The host that a running process makes. */
export function processHost(running: NodeJS.Process): ProviderHost {
  return {
    arguments: running.argv.slice(2),
    env: running.env,
    platform: running.platform,
    processId: running.pid,
    temporaryDirectory: tmpdir(),
    runtime: realRuntime,
    writeOut: text => void writeSync(1, text),
    writeError: text => void running.stderr.write(text),
    divertStdout: listener => divert(running.stdout, listener),
    parentId: () => running.ppid,
    isRunning: processId => isRunning(running, processId),
    onSignal: (signal, listener) => void running.on(signal, listener),
    onExit: listener => void running.on('exit', listener),
    exit: code => running.exit(code),
  }
}

function divert(stdout: NodeJS.WriteStream, listener: (bytes: Uint8Array) => void): void {
  stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    listener(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    const done = rest.find(each => typeof each === 'function')
    done?.()
    return true
  }
}

function isRunning(running: NodeJS.Process, processId: number): boolean {
  try {
    return running.kill(processId, 0)
  } catch (error) {
    // Signalling somebody else's process is refused, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
