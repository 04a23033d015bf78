import { type ExecFileException, execFile } from 'node:child_process'
import { requireKey, SettingError } from '../../api/index.ts'
import { onAbort } from '../../api/send.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Host } from '../host/host.ts'

/** What the search for a key needs of the host. */
export type KeyHost = Pick<Host, 'env' | 'secrets' | 'keysOfCommands' | 'stop'>

/** Enough for signing in to a secret store. */
const usualLongestMs = 30_000
const mostBytes = 64 * 1024

/**
 * Runs a program without a shell, and returns the key that it prints. Neither its output nor its arguments are
 * shown: they may hold secrets.
 */
export function runKeyCommand(
  { env, secrets, stop }: KeyHost,
  words: readonly string[],
  directory: string,
  longestMs = usualLongestMs,
): Promise<string> {
  const [program = '', ...args] = words
  return new Promise((resolve, reject) => {
    stop?.throwIfAborted()
    const fail = (what: string) =>
      reject(new SettingError('apiKey', `the program "${escapeText(program)}" of api_key_command ${what}`))
    // Node would throw an error that quotes the word.
    if (words.some(word => word.includes('\0'))) return fail('cannot be run: a word has a null character')
    const running = execFile(
      program,
      args,
      {
        cwd: directory,
        env,
        timeout: longestMs,
        maxBuffer: mostBytes,
        // A program that ignores the usual signal would hold up everything.
        killSignal: 'SIGKILL',
        windowsHide: true,
      },
      (error, stdout) => {
        stopListening()
        if (error) return fail(failureOf(error, longestMs))
        try {
          const key = requireKey(stdout, 'the key from api_key_command')
          secrets.add(key)
          resolve(key)
        } catch (fault) {
          reject(fault)
        }
      },
    )
    const stopListening = onAbort(stop, reason => {
      running.kill('SIGKILL')
      reject(reason)
    })
    // It gets no input: whoever asks for a password here would wait for it.
    running.stdin?.on('error', () => {})
    running.stdin?.end()
  })
}

function failureOf(error: ExecFileException, longestMs: number): string {
  const { code, killed, signal } = error
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${mostBytes / 1024} kB`
  if (killed) return `took more than ${longestMs / 1000} seconds and was stopped`
  if (typeof code === 'number') return `ended with exit code ${code}; its messages are not shown`
  return signal ? `was ended by ${signal}` : `cannot be run (${code})`
}
