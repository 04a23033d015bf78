import { expect, it } from 'vitest'
import { designTokens } from '../../../src/report/html/style.ts'

type Colour = readonly number[]

/** What people see who lack one kind of cones (Machado, Oliveira and Fernandes, 2009), in linear light. */
// biome-ignore format: a table
const eyes = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
  deuteranopia: [[0.367, 0.861, -0.228], [0.28, 0.673, 0.047], [-0.012, 0.043, 0.969]],
  tritanopia: [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}

const inLight = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const mixed = (rows: readonly Colour[], colour: Colour) =>
  rows.map(row => row.reduce((sum, share, at) => sum + share * (colour[at] ?? 0), 0))

/** CIELAB, in which distances are about as large as people see them. */
function seen(colour: Colour, eye: readonly Colour[]): Colour {
  const light = mixed(eye, colour).map(part => Math.min(1, Math.max(0, part)))
  const white = mixed(
    [
      [0.4339, 0.3762, 0.1899],
      [0.2126, 0.7152, 0.0722],
      [0.0177, 0.1095, 0.8728],
    ],
    light,
  )
  const [x = 0, y = 0, z = 0] = white.map(part =>
    part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116,
  )
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function colour(name: string, theme: number): Colour {
  const [, ...hex] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(designTokens) ?? []
  return [1, 3, 5].map(at => inLight(Number.parseInt(hex[theme]?.slice(at, at + 2) ?? '', 16) / 255))
}

it.each([
  ['added', 'changed'],
  ['added', 'removed'],
  ['changed', 'removed'],
])('%s and %s differ in colour for everybody', (one, other) => {
  for (const [name, eye] of Object.entries(eyes))
    for (const theme of [0, 1]) {
      const [left, right] = [one, other].map(each => seen(colour(each, theme), eye))
      const distance = Math.hypot(...(left ?? []).map((part, at) => part - (right?.[at] ?? 0)))
      // From about 10 on, people tell two colours apart at a glance.
      expect(distance, `${name}, ${theme === 0 ? 'light' : 'dark'}`).toBeGreaterThan(20)
    }
})
