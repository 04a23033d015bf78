import { describe, expect, it } from 'vitest'
import { files } from './sources.ts'

/** What writes to the stream itself, or hands it on. */
const allowed = ['cli/host/', 'cli/main.ts']

describe('standard error of the command line', () => {
  it('is written in one place, so that each message has a level and can be a line of JSON', () => {
    const writing = files.filter(
      ({ path, text }) =>
        path.startsWith('cli/') &&
        !allowed.some(each => path.startsWith(each)) &&
        /\bstderr\s*\.write\(/.test(text),
    )
    expect(writing.map(({ path }) => path)).toEqual([])
  })
})
