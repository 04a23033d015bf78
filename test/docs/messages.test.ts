import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { pages, root } from './pages.ts'

const source = globSync('src/**/*.ts', { cwd: root })
  .map(path => readFileSync(join(root, path), 'utf8'))
  .join('\n')
  .replaceAll('\\`', '`')

/** The first column of the tables of the page: a message of a command, with `…` for what differs. */
const messages = Array.from(
  (pages.find(({ path }) => path === 'docs/troubleshooting.md')?.text ?? '').matchAll(/^\| `([^`]+)`/gm),
  ([, message = '']) => message,
)

describe('the messages that the guide explains', () => {
  it('are many', () => {
    expect(messages.length).toBeGreaterThan(40)
    expect(new Set(messages).size).toBe(messages.length)
  })

  it.each(messages)('are in the source: %s', message => {
    const parts = message.split('…').map(part => part.trim().replaceAll(/^"|"$/g, ''))
    expect(parts.filter(part => part !== '' && !source.includes(part))).toEqual([])
  })
})
