import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPicture, terminalSvg } from '../../src/generate/plan-picture.ts'
import { root } from './pages.ts'

describe('the picture of a plan', () => {
  it('is what the program prints today; `npm run generate` draws it anew', async () => {
    expect(await planPicture()).toBe(readFileSync(join(root, 'docs/plan.svg'), 'utf8'))
  })

  it('has colours, escapes what XML reserves, and wraps what is too long', () => {
    const svg = terminalSvg('a title', `\u001b[32m+\u001b[39m <b>\n${'x'.repeat(111)}\n`)
    expect(svg).toContain('class="green">+</text>')
    expect(svg).toContain('>&lt;b&gt;</text>')
    expect(svg).toContain(`>${'x'.repeat(110)}</text>`)
    expect(svg).toContain('>x</text>')
    expect(svg).not.toContain('\u001b')
  })

  it('tears no name that fits a row, and goes on below where the line begins', () => {
    const names = Array.from({ length: 30 }, (_, index) => `name-number-${index}`)
    const svg = terminalSvg('a title', `      \u001b[2m${names.join(' ')}\u001b[22m\n`)
    const rows = [
      ...svg.matchAll(/<text x="([\d.]+)" y="\d+" textLength="([\d.]+)" class="dim">(.*)<\/text>/g),
    ]
    expect(rows.map(([, , , text]) => text).join(' ')).toBe(names.join(' '))
    expect(new Set(rows.map(([, x]) => x)).size).toBe(1)
    const [, width] = /width="(\d+)"/.exec(svg) ?? []
    for (const [, x, length] of rows) expect(Number(x) + Number(length)).toBeLessThan(Number(width) - 17)
  })
})
