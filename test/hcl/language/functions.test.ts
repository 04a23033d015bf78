import { Fn as CdktfFn } from 'cdktf'
import { Fn as CdktnFn } from 'cdktn'
import { describe, expect, it } from 'vitest'
import { functionNames } from '../../../src/hcl/functions/call-function.ts'
import { ourAnswer } from './our-answer.ts'

/** The functions of Terraform that the `Fn` of an engine has, as Terraform calls them. */
function namesOf(functions: object): readonly string[] {
  const generated: object = Object.getPrototypeOf(functions)
  return Object.getOwnPropertyNames(generated)
    .filter(name => typeof Reflect.get(generated, name) === 'function')
    .map(name => name.replace(/^_/, ''))
    .map(name => (name === 'lengthOf' ? 'length' : name))
}

const refused: Readonly<Record<string, string>> = {
  base64gunzip: 'is a function of OpenTofu alone',
  base64gzip: 'gives bytes that depend on who compresses',
  bcrypt: 'is impure: it gives something else at every run',
  cidrcontains: 'is a function of OpenTofu alone',
  convert: 'is a function of OpenTofu alone',
  plantimestamp: 'is impure: it gives another time at every run',
  rsadecrypt: 'needs a private key in the stack',
  timestamp: 'is impure: it gives another time at every run',
  urldecode: 'is a function of OpenTofu alone',
  uuid: 'is impure: it gives something else at every run',
}

describe.each([
  ['cdktf', namesOf(CdktfFn)],
  ['cdktn', namesOf(CdktnFn)],
])('the functions of %s', (_, names) => {
  it('are worked out, or refused for a reason', () => {
    expect(names.length).toBeGreaterThan(100)
    const missing = names.filter(name => !functionNames.includes(name) && refused[name] === undefined)
    expect(missing).toEqual([])
  })
})

describe('a function that is refused', () => {
  it.each(Object.entries(refused))('says why: %s', (name, reason) => {
    expect(ourAnswer(`${name}("x")`)).toEqual({ unsupported: `function ${name}(): ${reason}` })
  })

  it('is not called unknown in a namespace either', () => {
    expect(ourAnswer('core::timestamp()')).toEqual(ourAnswer('timestamp()'))
  })

  it('of files has no folder to look at here', () => {
    expect(ourAnswer('file("x")')).toEqual({ unsupported: 'function file(): there are no files to look at' })
  })
})
