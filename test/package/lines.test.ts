import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const dist = join(import.meta.dirname, '../../dist')

describe.each(['cdktf', 'cdktn'])('the constructs of %s', engine => {
  it('have no line so long that Node would fill a terminal with it, where an app catches no error', async () => {
    const names = await readdir(join(dist, engine), { recursive: true })
    const files = names.filter(name => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(20)
    const longest = await Promise.all(
      files.map(async name => {
        const text = await readFile(join(dist, engine, name), 'utf8')
        return Math.max(...text.split('\n').map(({ length }) => length))
      }),
    )
    expect(Math.max(...longest)).toBeLessThan(1000)
  })
})
