import type { Redact } from '../../api/errors/redact.ts'
import { Secrets } from '../../api/errors/secrets.ts'
import { Redaction } from '../../core/redaction.ts'
import { escapeLines } from '../../model/text/escape-text.ts'
import { isOwnColour } from '../../report/text/style.ts'
import type { Host, Output, ProcessHost, Stream } from './host.ts'
import { Log } from './output/log.ts'

/** The process with its streams guarded: no key gets out, and nothing that moves a cursor or sets a title. */
export function guardHost(outside: ProcessHost): Host {
  const secrets = new Secrets()
  const { ask, runtime, env } = outside
  const isDebugging = !['', '0', undefined].includes(env[debugVariable])
  const log = new Log(guardStream(outside.stderr, secrets.hide), { hide: secrets.hide, runtime, isDebugging })
  return {
    ...outside,
    secrets,
    redaction: new Redaction(() => outside.runtime.uniqueId()),
    stdout: guardStream(outside.stdout, secrets.hide),
    stderr: log.output,
    log,
    ask: ask && ((question, signal) => ask(escapeLines(secrets.hide(question)), signal)),
  }
}

/** Set to anything but 0, it shows each request, and where an error of ours is from. */
const debugVariable = 'VEXIL_DEBUG'

function guardStream(stream: Stream, hide: Redact): Output {
  let hasColours = false
  const escaped = (text: string) => (hasColours ? escapeBetweenColours(text) : escapeLines(text))
  return {
    isTerminal: stream.isTerminal,
    allowColours() {
      hasColours = true
    },
    write(text, kind = 'text') {
      if (kind === 'own') return stream.write(text)
      const hidden = hide(text)
      stream.write(kind === 'data' && !stream.isTerminal ? hidden : escaped(hidden))
    },
  }
}

/** Escapes all that could move a cursor or set a title, but for the colours of this house. */
export function escapeBetweenColours(text: string): string {
  // With a group in the pattern, every second part is what was split at.
  return text
    .split(/(\u001b\[\d+m)/)
    .map((part, index) => (index % 2 === 1 && isOwnColour(part) ? part : escapeLines(part)))
    .join('')
}
