import { describe, expect, it } from 'vitest'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { scenes } from './scenes/index.ts'
import { type Happened, readTranscript, writeTranscript } from './transcript.ts'
import { inWordsOfToday, wordTable } from './word-table.ts'

/*
 * What Vexil does, seen from outside: for each world of `scenes/`, the commands that are run in it, and for each
 * command the exit code, the texts, and every request that reached the service, with its whole body. `worlds/` has
 * what was recorded with YAML files, `terraform/` with the provider, asked over the protocol. The tests here play every
 * scene again and compare.
 *
 * - Exit codes and requests are compared as they were recorded, in the order in which they arrived: the client sends
 *   one request at a time here.
 * - Texts are compared after `word-table.ts` was applied to the recorded ones. A word that is renamed gets an entry
 *   there; the recordings stay as they are. Where it is a word of the input too (an option, a member of a YAML file),
 *   the scene says it anew as well; what comes of it is compared all the same.
 * - What differs in each run is listed in `play.ts`, and nothing else is changed. The clock and the randomness are ours.
 * - These tests never write. `npx tsx test/recording/write.ts NAME...` records worlds anew. That is right when behaviour
 *   is meant to change, in the commit that changes it and with its reason in the message, or for a new world. While the
 *   code is only being moved, renamed or made smaller, it is never right: a difference is a mistake of the change.
 */

replay('worlds', scenes, {
  commands: [
    'vexil validate',
    'vexil plan',
    'vexil plan --json',
    'vexil apply',
    'vexil drift',
    'vexil export',
    'vexil undo',
  ],
  codes: [0, 1, 3, 4, 5, 6, 64],
  record,
})

describe('a recording', () => {
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
        command: 'vexil plan',
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
