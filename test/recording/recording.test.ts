import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { record } from './record.ts'
import { scenes } from './scenes/index.ts'
import { type Happened, readTranscript, writeTranscript } from './transcript.ts'
import { recordedFolder, transcriptPath } from './transcript-path.ts'
import { inWordsOfToday, wordTable } from './word-table.ts'

/*
 * What Vexil does, seen from outside: for each world of `scenes/`, the commands that are run in it, and for each
 * command the exit code, the texts, and every request that reached the service, with its whole body. `worlds/` has
 * what was recorded; this test plays every world again and compares.
 *
 * - Exit codes and requests are compared as they were recorded, in the order in which they arrived: the client sends
 *   one request at a time here.
 * - Texts are compared after `word-table.ts` was applied to the recorded ones. A word that is renamed gets an entry
 *   there; the recordings stay as they are. Where it is a word of the input too (an option, a member of a YAML file),
 *   the scene says it anew as well; what comes of it is compared all the same.
 * - This test never writes. `npx tsx test/recording/write.ts NAME...` records worlds anew. That is right when behaviour
 *   is meant to change, in the commit that changes it and with its reason in the message, or for a new world. While the
 *   code is only being moved, renamed or made smaller, it is never right: a difference is a mistake of the change.
 */

const commands = ['validate', 'plan', 'plan --json', 'apply', 'drift', 'export', 'undo']

const recorded = new Map(
  scenes.map(({ name }) => [name, readTranscript(readFileSync(transcriptPath(name), 'utf8'))]),
)

describe('what was recorded', () => {
  it('has at least 40 worlds, each with a file, and no other file', () => {
    expect(scenes.length).toBeGreaterThanOrEqual(40)
    expect(readdirSync(recordedFolder).sort()).toEqual(scenes.map(({ name }) => `${name}.txt`).sort())
  })

  it.each(scenes)('has every command and requests in $name', ({ name, steps }) => {
    const happened = recorded.get(name) ?? []
    const lines = steps.flatMap(step => ('vexil' in step ? [step.vexil] : []))
    expect(happened.map(({ vexil }) => inWordsOfToday(vexil))).toEqual(lines)
    expect(commands.filter(command => !lines.some(line => `${line} `.startsWith(`${command} `)))).toEqual([])
    expect(happened.flatMap(({ requests }) => requests).length).toBeGreaterThan(0)
    expect(happened.filter(({ code }) => Number.isNaN(code))).toEqual([])
  })

  it('has requests of every method, with bodies, and most exit codes', () => {
    const all = [...recorded.values()].flat()
    const requests = all.flatMap(({ requests: sent }) => sent)
    expect(new Set(requests.map(({ line }) => line.split(' ')[0]))).toEqual(
      new Set(['GET', 'POST', 'PATCH', 'DELETE']),
    )
    expect(requests.filter(({ body }) => body !== '').length).toBeGreaterThan(200)
    expect([...new Set(all.map(({ code }) => code))].sort((a, b) => a - b)).toEqual([0, 1, 3, 4, 5, 6, 64])
  })

  it('is read as it was written', () => {
    const texts = [
      '',
      '\n',
      'a',
      'a\n',
      '\n\na \n',
      'json "a"\n',
      '\u0007 \u{1f600}\r\n',
      '\ud800\n> GET\n$ vexil x\n',
    ]
    const happened = texts.map(
      (text, code): Happened => ({
        vexil: 'plan',
        code,
        requests: [{ line: 'POST /api/', body: text.replaceAll('\n', '') }],
        stdout: text,
        stderr: text,
      }),
    )
    const scene = { name: 'a', shows: 'b', world: { organizations: [] }, files: {}, steps: [] }
    expect(readTranscript(writeTranscript(scene, happened))).toEqual(happened)
  })

  it('is read with the words of today', () => {
    const table = [
      { recorded: 'tombstone', today: 'soft-deleted flag', reason: 'a word of the field' },
      { recorded: /\bheld (\d+)/g, today: 'blocked $1', reason: 'one word for it' },
    ]
    expect(inWordsOfToday('a tombstone, held 2, held 3', table)).toBe(
      'a soft-deleted flag, blocked 2, blocked 3',
    )
    expect(wordTable.filter(({ reason }) => reason === '')).toEqual([])
  })
})

describe('played again', () => {
  it.each(scenes)('$name does what was recorded', async scene => {
    const now = await record(scene)
    const then = recorded.get(scene.name) ?? []
    expect(now.map(comparable)).toEqual(then.map(one => comparable(inTodaysWords(one))))
  })
})

function inTodaysWords({ vexil, code, requests, stdout, stderr }: Happened): Happened {
  return {
    vexil: inWordsOfToday(vexil),
    code,
    requests,
    stdout: inWordsOfToday(stdout),
    stderr: inWordsOfToday(stderr),
  }
}

/** Texts line by line, so that a difference is shown where it is. */
function comparable({ vexil, code, requests, stdout, stderr }: Happened) {
  return { vexil, code, requests, stdout: stdout.split('\n'), stderr: stderr.split('\n') }
}
