import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
// @ts-expect-error The build is JavaScript.
import { exportedMembers, refuseCircles, withoutExports } from '../../esbuild.exports.js'

/** What a chunk exports, run as CommonJS as the build does it. */
async function exportsOf(chunk: string): Promise<Record<string, unknown>> {
  const { body, exports } = withoutExports(chunk)
  const { code } = await transform(`${body}module.exports={${exportedMembers(body, exports)}};`, {
    format: 'cjs',
    minifySyntax: true,
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  })
  const module = { exports: {} }
  new Function('module', code)(module)
  return module.exports
}

const isPlain = (exported: object, name: string) =>
  Object.getOwnPropertyDescriptor(exported, name)?.get === undefined

describe('what a chunk exports', () => {
  it.each([
    ['a function', 'function one(){return 1}'],
    ['a class', 'class one{}'],
    ['a variable with its value', 'var zero=0,one=()=>zero'],
    ['a part of a value', 'var {a:one,...rest}={a:()=>1}'],
    ['a variable whose name a property has', 'var one=()=>1,other={};other.one=2'],
    ['a variable that another one has in its own scope', 'var one=()=>1;function f(){let one=2;return one}'],
  ])('is a plain member where it never changes: %s', async (_, body) => {
    const exported = await exportsOf(`${body};export{one as two};`)
    expect(typeof exported.two).toBe('function')
    expect(isPlain(exported, 'two')).toBe(true)
  })

  it.each([
    ['when it is asked for first', 'var one;function set(){one||(one=1)}'],
    ['when it is asked for first, with a value before', 'var one=0;function set(){one=1}'],
    ['as a module that is run later', 'var one,run=()=>{one=1};function set(){run()}'],
    ['by counting', 'var one=0;function set(){one++}'],
    ['by counting down', 'var one=2;function set(){--one}'],
    ['where a value is missing', 'var one=null;function set(){one??=1}'],
    ['as a part of a value', 'var one=0;function set(){({a:one=0}={a:1})}'],
    ['as an element', 'var one=0;function set(){[,...[one]]=[0,1]}'],
    ['by a loop', 'var one=0;function set(){for(one of[2,1]);}'],
    ['by a loop over names', 'var one=0;function set(){for([one]in{1:0});}'],
  ])('is read when somebody asks where it is set later: %s', async (_, body) => {
    const exported = await exportsOf(`${body};export{one,set};`)
    ;(exported.set as () => void)()
    expect(Number(exported.one)).toBe(1)
    expect(isPlain(exported, 'set')).toBe(true)
  })

  it('is nothing where a chunk has no such statement', async () => {
    expect(await exportsOf('var one=1;')).toEqual({})
  })
})

describe('chunks', () => {
  it('that import each other in a circle end the build', () => {
    const circle = new Map([
      ['main', ['a', 'b']],
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
    ])
    expect(() => refuseCircles(circle)).toThrow(
      'chunks import each other in a circle: main -> a -> b -> c -> a',
    )
    circle.set('c', [])
    expect(() => refuseCircles(circle)).not.toThrow()
  })
})
