import { type App, TerraformStack, Testing } from 'cdktf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApp } from '../a-stack.ts'
import { declaredArguments } from './declared-arguments.ts'
import { type Argument, everyArgument, takenBy } from './every-argument.ts'
import { sourcesIn, type TokenForm, tokenForms, wrongValues } from './token-forms.ts'

/** What a stack holds of ours, without the names; or why it cannot be. */
type Outcome = { readonly bodies: unknown } | { readonly message: string; readonly isLate: boolean }

/** For whichever engine `cdktf` is. */
export function describeArguments(tried: readonly Argument[] = everyArgument): void {
  describe('every form of a reference in every argument', () => {
    // The engine keeps the way to each reference, which takes longer than everything else here.
    const { captureStackTrace } = Error
    beforeAll(() => {
      Error.captureStackTrace = target => Object.assign(target, { stack: '' })
    })
    afterAll(() => {
      Error.captureStackTrace = captureStackTrace
    })

    it('goes through all arguments that there are', () => {
      const known = new Set(everyArgument.map(({ name }) => name.replace(/: .*/, '')))
      expect([...known].sort()).toEqual([...new Set(declaredArguments())].sort())
    })

    it.each(tried)('is what the generated construct makes of it, or refused: $name', argument => {
      const app = anApp()
      const wrong = [...tokenForms, ...wrongValues].flatMap(form => problemsOf(app, argument, form))
      expect(wrong).toEqual([])
    })
  })
}

let count = 0

function outcome(app: App, declare: Argument['ours'], form: TokenForm): Outcome {
  count += 1
  const stack = new TerraformStack(app, `stack-${count}`)
  const value = form.make(sourcesIn(stack))
  let isLate = false
  try {
    declare(stack, value)
    isLate = true
    return { bodies: bodiesIn(JSON.parse(Testing.synth(stack))) }
  } catch (error) {
    return { message: error instanceof Error ? error.message : `thrown: ${String(error)}`, isLate }
  }
}

function bodiesIn({ resource = {}, data = {} }: { readonly [block: string]: Given }): unknown {
  return [resource, data].flatMap(types =>
    Object.entries<Given>(types).flatMap(([type, named]) =>
      Object.entries<Given>(named)
        .filter(([name]) => name !== 'other' && name !== 'looked')
        .map(([, body]) => [type, body]),
    ),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that was synthesized
type Given = any

function problemsOf(app: App, argument: Argument, form: TokenForm): string[] {
  const { kind, ours, generated, isInJson = kind === 'json' } = argument
  // JSON has null, and lists; a date and bytes say themselves what they are in it.
  if (kind === 'json' && ['null', 'a date', 'bytes'].includes(form.title)) return []
  // Spread, one element is the list; and every construct can stand in another.
  if (form.isList && kind === 'values') return []
  // The two that are given a moment.
  if (form.title === 'a date' && argument.name.endsWith('(date)')) return []
  if (form.title === 'the variable itself' && argument.name.endsWith('(scope)')) return []
  const got = outcome(app, ours, form)
  const says = (what: string) => [`${form.title} (${form.form}): ${what}`]
  const isTaken = (takenBy[kind] as readonly string[]).includes(form.form)
  if (!isTaken) {
    if (!('message' in got)) return says(`it is taken as ${JSON.stringify(got.bodies)}`)
    return isClear(got.message) && !got.isLate ? [] : says(`it ends in ${got.message}`)
  }
  // What is known once a stack is synthesized is JSON then, which the engine's own function makes no JSON of.
  if (isInJson && knownInTheEnd.includes(form.title)) {
    const text = 'bodies' in got ? JSON.stringify(got.bodies) : got.message
    return 'bodies' in got && !/jsonencode\((?!data)|TfToken/.test(text) ? [] : says(text)
  }
  const theirs = outcome(app, generated, form)
  // The engine writes no list as JSON that it is to make itself, wherever it is given.
  if ('message' in got) {
    return kind === 'json' && 'message' in theirs ? [] : says(`it is refused: ${got.message}`)
  }
  // Of a text with more than a reference, the engine writes no text of Terraform's language.
  if (isInJson && form.form === 'mixed') {
    const text = JSON.stringify(got)
    return /jsonencode\([^)]*var\.v/.test(text) && !text.includes('TfToken') ? [] : says(text)
  }
  return isEqual(got, theirs)
    ? []
    : says(`${JSON.stringify(got)}, where the generated construct has ${JSON.stringify(theirs)}`)
}

function isEqual(one: Outcome, other: Outcome): boolean {
  if (!('bodies' in one) || !('bodies' in other)) return false
  // The engine leaves the braces of an expression that was given as text, where Terraform takes none.
  return JSON.stringify(one) === JSON.stringify(other).replaceAll('jsonencode(${var.v})', 'jsonencode(var.v)')
}

const knownInTheEnd = ['Token.nullValue', 'Lazy.numberValue', 'Lazy.listValue']

/** A sentence of ours, and none of the language about what it could not do. */
function isClear(message: string): boolean {
  const ofTheLanguage =
    /is not a function|not iterable|Cannot (?:read|convert|destructure|use)|undefined|circular|\$\{TfToken|-8\.1\d+e\+298 is|thrown: |\[object/
  return !ofTheLanguage.test(message) && !message.includes('\n')
}
