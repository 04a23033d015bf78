import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPicture } from '../../src/generate/plan-picture.ts'
import { terminalSvg } from '../../src/generate/terminal-svg.ts'
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
})
